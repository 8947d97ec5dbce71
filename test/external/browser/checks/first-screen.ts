// The first screen has the downloads and prices of the chosen cycle, whatever the number of plans.
import type { Page } from "playwright-core";
import type { Check } from "../check.ts";
import { visit } from "../visit.ts";

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
];
/** Of the plans, if there are as many. */
const MIN_PRICES = 2;

export const FIRST_SCREEN: Check[] = (["demo", "one", "many"] as const).map((vendor) => ({
  name: `the first screen has both downloads and prices, ${vendor}`,
  async run({ browser, vendors }) {
    const faults: string[] = [];
    for (const screen of SCREENS) {
      const found = await visit(browser, { address: vendors[vendor], ...screen }, visibleAtOnce);
      faults.push(...found.map((fault) => `${screen.width} × ${screen.height}: ${fault}`));
    }
    return { checked: SCREENS.map(({ width, height }) => `${width} × ${height}`).join(", "), faults };
  },
}));

async function visibleAtOnce(page: Page): Promise<string[]> {
  const downloads = await boxes(page, "#downloads a.button:visible");
  const prices = await boxes(page, "#plans .price b:visible");
  const shown = prices.filter(Boolean).length;
  return [
    ...(downloads.length === 2 && downloads.every(Boolean) ? [] : [`downloads within the screen: ${downloads}`]),
    ...(await page.locator("#plans li").evaluateAll(pricesBelow)),
    ...(shown >= Math.min(MIN_PRICES, prices.length) && shown > 0 ? [] : [`${shown} of ${prices.length} prices`]),
  ];
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
