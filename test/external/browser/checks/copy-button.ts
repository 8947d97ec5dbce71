// The Copy buttons copy the text beside them and announce it.
import type { Page } from "playwright-core";
import type { Check } from "../check.ts";
import { openAll, visit } from "../visit.ts";

const BUTTONS = "button[data-copy]";
const SPEAKERS = "[aria-live=polite], [role=status]";

export const COPY: Check[] = [
  {
    name: "Copy copies the text beside it and announces it",
    async run({ browser, vendors }) {
      let count = 0;
      const context = { permissions: ["clipboard-read", "clipboard-write"] };
      const faults = await visit(browser, { address: vendors.demo, context }, async (page) => {
        await openAll(page);
        count = await page.locator(BUTTONS).count();
        const addresses = await page.locator(`.addresses ${BUTTONS}`).count();
        const found = addresses < 3 ? [`${addresses} Copy buttons for addresses, expected 3`] : [];
        for (let index = 0; index < count; index += 1) found.push(...(await copies(page, index)));
        return found;
      });
      return { checked: `${count} texts`, faults };
    },
  },
];

async function copies(page: Page, index: number): Promise<string[]> {
  const button = page.locator(BUTTONS).nth(index);
  const id = (await button.getAttribute("data-copy")) ?? "";
  const text = await page.evaluate((id) => document.getElementById(id)?.textContent?.trim(), id);
  if (!text) return [`data-copy="${id}": no text with this id`];
  await page.evaluate(() => navigator.clipboard.writeText("what was there before"));
  const before = await said(page);
  await button.click();
  await page
    .waitForFunction(async () => (await navigator.clipboard.readText()) !== "what was there before")
    .catch(() => {});
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const faults =
    copied.trim() === text ? [] : [`data-copy="${id}" copies ${JSON.stringify(copied)}, not ${JSON.stringify(text)}`];
  const isSaid = ([speakers, before]: [string, string]) =>
    [...document.querySelectorAll(speakers)].map(({ textContent }) => textContent).join("|") !== before;
  await page
    .waitForFunction(isSaid, [SPEAKERS, before] as [string, string], { timeout: 2_000 })
    .catch(() => faults.push(`data-copy="${id}": no announcement`));
  return faults;
}

function said(page: Page): Promise<string> {
  return page.locator(SPEAKERS).evaluateAll((all) => all.map(({ textContent }) => textContent).join("|"));
}
