// Without JavaScript a reader can choose a billing cycle and see its prices, and sees no control that would not work.
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { PlansResponse } from "../../../../snapshots/schema.ts";
import { vendors } from "../scene.ts";
import { openAll, visit } from "../visit.ts";

test.for(["demo", "hostile", "long"] as const)("a cycle can be chosen without JavaScript, %s", async (vendor) => {
  const response = await fetch(new URL("/api/v1/plans", vendors[vendor]));
  const plans = (await response.json()) as PlansResponse;
  await visit({ address: vendors[vendor], script: false }, (page) => switchAll(page, plans));
});

test("no dead control is shown without JavaScript", async ({ expect }) => {
  await visit({ address: vendors.demo, script: false }, async (page) => {
    await openAll(page);
    const dead = page.locator("button:visible");
    expect(await dead.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML))).toEqual([]);
  });
});

/** Chooses each cycle by its label, as a reader does. */
async function switchAll(page: Page, { cycles, plans }: PlansResponse): Promise<void> {
  const radios = page.locator(`#plans input[type=radio][name="cycle"]`);
  const keys = await radios.evaluateAll((all) => all.map((radio) => (radio as HTMLInputElement).value));
  expect(keys).toEqual(cycles.map(({ key }) => key));
  expect(await page.locator(`#plans input[name="cycle"]:checked`).count(), "chosen initially").toBe(1);
  for (const [index, key] of keys.entries()) {
    const radio = radios.nth(index);
    await radio.evaluate((input) => (input as HTMLInputElement).labels?.[0]?.click());
    expect(await radio.isChecked(), `chosen by the label of ${key}`).toBe(true);
    const shown = page.locator("#plans [data-cycle]:visible");
    const prices = await shown.evaluateAll((all) =>
      all.map((element) => ({ key: element.getAttribute("data-cycle"), text: element.textContent ?? "" })),
    );
    expect(new Set(prices.map((price) => price.key)), "cycles of the prices").toEqual(new Set([key]));
    expect(prices.length, `prices with ${key} chosen`).toBeGreaterThanOrEqual(plans.length);
    const texts = prices.map(({ text }) => text);
    expect(unread(plans, key, texts)).toEqual([]);
  }
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
