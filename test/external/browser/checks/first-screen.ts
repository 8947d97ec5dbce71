// The first screen has the downloads and prices of the chosen cycle, whatever the number of plans.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { vendors } from "../scene.ts";
import { visit } from "../visit.ts";

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
];
/** Of the plans, if there are as many. */
const MIN_PRICES = 2;

test.for(["demo", "one", "many"] as const)("the first screen has both downloads and prices, %s", async (vendor) => {
  for (const screen of SCREENS) await visit({ address: vendors[vendor], ...screen }, expectFacts);
});

async function expectFacts(page: Page): Promise<void> {
  expect(await boxes(page, "#downloads a.button:visible"), "downloads within the screen").toEqual([true, true]);
  expect(await page.locator("#plans li").evaluateAll(pricesBelow)).toEqual([]);
  const prices = await boxes(page, "#plans .price b:visible");
  const wanted = Math.max(1, Math.min(MIN_PRICES, prices.length));
  expect(prices.filter(Boolean).length, "prices within the screen").toBeGreaterThanOrEqual(wanted);
}

/** Runs in the page. The plans whose price is below their name instead of beside it. */
function pricesBelow(rows: Element[]): string[] {
  return rows.flatMap((row) => {
    const [about, price] = [...row.children].map((part) => part.getBoundingClientRect());
    return about && price && price.top >= about.bottom ? [`a price is below its plan: ${row.textContent}`] : [];
  });
}

/** Whether each element is within the window as it was opened. */
function boxes(page: Page, selector: string): Promise<boolean[]> {
  return page.locator(selector).evaluateAll((all) =>
    all.map((element) => {
      const { top, left, right, bottom } = element.getBoundingClientRect();
      return top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight;
    }),
  );
}
