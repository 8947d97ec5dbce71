// axe finds no violation, in wide and narrow windows, light and dark, with every disclosure open.
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { vendors } from "../scene.ts";
import { openAll, visit } from "../visit.ts";

const VIEWS = [1280, 390].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme })));

test.for(["demo", "hostile", "one", "stale"] as const)("axe finds no violation, %s", async (vendor, { expect }) => {
  for (const view of VIEWS) {
    await visit({ address: vendors[vendor], ...view }, async (page) => {
      await openAll(page);
      expect.soft(await violations(page), `${view.width} ${view.scheme}`).toEqual([]);
    });
  }
});

/** Evaluates axe over DevTools, to which the page's policy does not apply. */
export async function violations(page: Pick<Page, "evaluate">): Promise<string[]> {
  const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await page.evaluate(await readFile(path, "utf8"));
  const results = (await page.evaluate(`axe.run({ resultTypes: ["violations"] })`)) as AxeResults;
  return results.violations.map(({ id, help, nodes }) => {
    const where = nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`);
    return [`${id} (${nodes.length}): ${help}`, ...where].join("\n  ");
  });
}
