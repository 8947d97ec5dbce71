// The Copy buttons copy the text beside them and announce it.
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { vendors } from "../scene.ts";
import { openAll, visit } from "../visit.ts";

const BUTTONS = "button[data-copy]";
const SPEAKERS = "[aria-live=polite], [role=status]";

test("Copy copies the text beside it and announces it", async ({ expect }) => {
  const context = { permissions: ["clipboard-read", "clipboard-write"] };
  await visit({ address: vendors.demo, context }, async (page) => {
    await openAll(page);
    expect(await page.locator(`.addresses ${BUTTONS}`).count()).toBeGreaterThanOrEqual(3);
    for (const button of await page.locator(BUTTONS).all()) await expectCopy(page, button);
  });
});

async function expectCopy(page: Page, button: Locator): Promise<void> {
  const id = (await button.getAttribute("data-copy")) ?? "";
  const text = await page.evaluate((id) => document.getElementById(id)?.textContent?.trim(), id);
  expect(text, `the text of ${id}`).toBeTruthy();
  await page.evaluate(() => navigator.clipboard.writeText("what was there before"));
  const before = await said(page);
  await button.click();
  await page
    .waitForFunction(async () => (await navigator.clipboard.readText()) !== "what was there before")
    .catch(() => {});
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim(), id).toBe(text);
  const isSaid = ([speakers, before]: [string, string]) =>
    [...document.querySelectorAll(speakers)].map(({ textContent }) => textContent).join("|") !== before;
  await page.waitForFunction(isSaid, [SPEAKERS, before] as [string, string], { timeout: 2_000 });
}

function said(page: Page): Promise<string> {
  return page.locator(SPEAKERS).evaluateAll((all) => all.map(({ textContent }) => textContent).join("|"));
}
