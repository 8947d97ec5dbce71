// Without JavaScript a reader can choose a billing cycle and see its prices, and sees no control that would not work.
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import type { PlansResponse } from "../../../../snapshots/schema.ts";
import type { Check } from "../check.ts";
import { openAll, visit } from "../visit.ts";

export const BILLING_CYCLES: Check[] = [
  ...(["demo", "hostile", "long"] as const).map((vendor): Check => ({
    name: `a cycle can be chosen without JavaScript, ${vendor}`,
    async run({ browser, vendors }) {
      const response = await fetch(new URL("/api/v1/plans", vendors[vendor]));
      const plans = (await response.json()) as PlansResponse;
      const faults = await visit(browser, { address: vendors[vendor], script: false }, (page) =>
        switchAll(page, plans),
      );
      return { checked: `${plans.cycles.length} cycles, ${plans.plans.length} plans`, faults };
    },
  })),
  {
    name: "no dead control is shown without JavaScript",
    async run({ browser, vendors }) {
      const faults = await visit(browser, { address: vendors.demo, script: false }, async (page) => {
        await openAll(page);
        const dead = await page.locator("button:visible").all();
        return Promise.all(
          dead.map(async (element) => `shown: ${await element.evaluate(({ outerHTML }) => outerHTML)}`),
        );
      });
      return { checked: "no button", faults };
    },
  },
];

/** Chooses each cycle by its label, as a reader does. */
async function switchAll(page: Page, { cycles, plans }: PlansResponse): Promise<string[]> {
  const faults: string[] = [];
  const radios = page.locator(`#plans input[type=radio][name="cycle"]`);
  const keys = await radios.evaluateAll((all) => all.map((radio) => (radio as HTMLInputElement).value));
  const wanted = cycles.map(({ key }) => key);
  if (!isDeepStrictEqual(keys, wanted))
    return [`there are radios for ${keys.join(", ")}, not for ${wanted.join(", ")}`];
  if ((await page.locator(`#plans input[name="cycle"]:checked`).count()) !== 1)
    faults.push("no cycle is chosen initially");
  for (const [index, key] of keys.entries()) {
    const radio = radios.nth(index);
    await radio.evaluate((input) => (input as HTMLInputElement).labels?.[0]?.click());
    if (!(await radio.isChecked())) faults.push(`the label of ${key} does not choose it`);
    const shown = page.locator("#plans [data-cycle]:visible");
    const prices = await shown.evaluateAll((all) =>
      all.map((element) => ({ key: element.getAttribute("data-cycle"), text: element.textContent ?? "" })),
    );
    const others = prices.filter((price) => price.key !== key);
    if (others.length > 0) faults.push(`with ${key} chosen, prices of ${others[0]?.key} are shown as well`);
    if (prices.length < plans.length)
      faults.push(`with ${key} chosen, ${prices.length} prices of ${plans.length} plans`);
    faults.push(
      ...unread(
        plans,
        key,
        prices.map(({ text }) => text),
      ),
    );
  }
  return faults;
}

/** Prices missing from the texts. Only the digits are compared, in any number format. */
function unread(plans: PlansResponse["plans"], key: string, texts: string[]): string[] {
  const plain = texts.map((text) => text.replace(/[,\s'’]/g, ""));
  return plans.flatMap(({ id, prices }) => {
    const price = Object.hasOwn(prices, key) ? prices[key] : undefined;
    // A missing price may be a dash, and the page may round very large and very small prices.
    if (price === undefined || price > 1e9 || (price > 0 && price < 0.01)) return [];
    const digits = Number.isInteger(price) ? String(price) : price.toFixed(2).replace(/0$/, "");
    return plain.some((text) => text.includes(digits)) ? [] : [`the price of ${id}, ${key}, ${digits} is not shown`];
  });
}
