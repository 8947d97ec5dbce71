// axe finds no violation, in wide and narrow windows, light and dark, with every disclosure open.
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import type { Check } from "../check.ts";
import { openAll, visit } from "../visit.ts";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const VIEWS = [1280, 390].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme })));

export const ACCESSIBLE: Check[] = (["demo", "hostile", "one", "stale"] as const).map((vendor) => ({
  name: `axe finds no violation, ${vendor}`,
  async run({ browser, vendors }) {
    const faults = [];
    for (const view of VIEWS) {
      const found = await visit(browser, { address: vendors[vendor], ...view }, async (page) => {
        await openAll(page);
        return violations(page);
      });
      faults.push(...found.map((fault) => `${view.width} ${view.scheme}: ${fault}`));
    }
    return { checked: VIEWS.map(({ width, scheme }) => `${width} ${scheme}`).join(", "), faults };
  },
}));

/** Evaluates axe over DevTools, to which the page's policy does not apply. */
export async function violations(page: Pick<Page, "evaluate">): Promise<string[]> {
  await page.evaluate(await readFile(AXE, "utf8"));
  const results = (await page.evaluate(`axe.run({ resultTypes: ["violations"] })`)) as AxeResults;
  return results.violations.map(({ id, help, nodes }) => {
    const where = nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`);
    return [`${id} (${nodes.length}): ${help}`, ...where].join("\n  ");
  });
}
