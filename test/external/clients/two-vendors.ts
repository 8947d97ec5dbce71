// Two vendors' servers for one agent. They differ in their names and prices; the names that the host gives them say nothing.
import { startServer } from "../../support/serving/server.ts";
import { plansSnapshot } from "../../support/snapshot.ts";

export interface Vendor {
  name: string;
  /** Of the MCP endpoint. */
  url: string;
  /** A text that occurs only in this vendor's facts. */
  price: string;
}

/** The output of a program: what its agent's model was given when asked for a vendor's price. */
export interface Choice {
  vendor: string;
  /** The tools whose descriptions name the vendor and its prices. */
  tools: string[];
  /** The result of the first of them, as the model reads it. */
  result: string;
}

/** Calls `use` while the servers run. */
export async function withTwoVendors(use: (vendors: Vendor[]) => Promise<void>): Promise<void> {
  const cleanUps: (() => Promise<void>)[] = [];
  try {
    const vendors: Vendor[] = [];
    for (const [index, name] of ["Acme Notes", "Ümbra Paint"].entries()) {
      const revision = index + 7;
      const snapshots = [plansSnapshot({ revision })];
      const onFinished = (cleanUp: () => Promise<void>) => void cleanUps.unshift(cleanUp);
      const { base } = await startServer({ snapshots, api: { name }, onFinished });
      vendors.push({ name, url: `${base}/mcp`, price: `"monthlyPrice":${revision},` });
    }
    await use(vendors);
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

/** The differences between the choices and the vendors. */
export function mistakes(told: readonly Choice[], vendors: readonly Vendor[]): string[] {
  return vendors.flatMap(({ name, price }) => {
    const choice = told.find(({ vendor }) => vendor === name);
    if (choice?.tools.length !== 1) return [`${choice?.tools.length ?? 0} tools for the prices of ${name}`];
    const others = vendors.filter((vendor) => vendor.name !== name);
    return [
      ...[price, `Source: ${name},`, "Confirmed "]
        .filter((text) => !choice.result.includes(text))
        .map((text) => `${name}: no ${text}`),
      ...others
        .filter((other) => choice.result.includes(other.name))
        .map((other) => `${name}: the facts of ${other.name}`),
    ];
  });
}
