// Public price documents as vendors and their services write them, with names and amounts of no vendor: each with the settings or the
// program that publishes it, and what is right. A new shape is one more file in price-documents/.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Plan } from "../../../snapshots/schema.ts";
import { collectCommand } from "../../support/collecting/command.ts";
import { readSource } from "../../support/collecting/read-source.ts";
import { json, startUpstream } from "../../support/collecting/upstream.ts";

interface PriceDocument {
  what: string;
  document: unknown;
  /** Those of a `json` source, but for `cycles`. */
  fields?: Record<string, unknown>;
  /** The lines of a program that finds the document at PRICES_URL. */
  program?: string[];
  published: { currency: string; plans: Plan[] };
}

const cycle = (key: string, durationMonths: number) => ({
  key,
  durationMonths,
  labelKey: `billing.${key}`,
  savingBadge: null,
});
const CYCLES = [cycle("monthly", 1), cycle("annual", 12)];

const FOLDER = join(import.meta.dirname, "price-documents");
const files = (await readdir(FOLDER)).toSorted();
const documents = await Promise.all(
  files.map(async (file) => JSON.parse(await readFile(join(FOLDER, file), "utf8")) as PriceDocument),
);
const bySettings = documents.filter(({ fields }) => fields);
const byProgram = documents.filter(({ program }) => program);

describe("a price document (collector/features/kinds/own-shape/mapped-plans.ts)", () => {
  test("of at least 40 shapes is known, and at least 30 need no program", () => {
    expect(documents.length).toBeGreaterThanOrEqual(40);
    expect(bySettings.length).toBeGreaterThanOrEqual(30);
  });

  test.for(bySettings)("is published by settings alone: $what", async ({ document, fields, published }) => {
    const settings = { from: "json", fields: { cycles: CYCLES, ...fields } };
    const { payload } = await readSource(settings, json(document), { name: "plans" });
    expect(payload).toEqual({ cycles: CYCLES, ...published });
  });

  test.for(byProgram)("is published by a short program: $what", async ({ document, program = [], published }) => {
    expect(program.length).toBeLessThanOrEqual(20);
    const upstream = await startUpstream();
    upstream.set("/prices", json(document));
    const { plans } = await collectCommand(program.join("\n"), { env: { PRICES_URL: upstream.url("/prices") } });
    expect(plans).toMatchObject({ result: "changed", payload: published });
  });
});
