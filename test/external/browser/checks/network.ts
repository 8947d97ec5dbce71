// The page's requests. Its size and its policy are in test/server/page.
import { test } from "vitest";
import { vendors } from "../scene.ts";
import { openAll, visit } from "../visit.ts";
import type { Page } from "playwright-core";

test("the page makes few requests, none to other hosts, and the console stays empty", async ({ expect }) => {
  const requests: string[] = [];
  const prepare = async (page: Page) => page.on("request", (sent) => requests.push(sent.url()));
  await visit({ address: vendors.demo, prepare }, async (page) => {
    await openAll(page);
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(foreignLinks)).toEqual([]);
  });
  expect(requests.length).toBeLessThanOrEqual(2);
});

/** Runs in the page. Returns links that the browser would fetch. Playwright does not report requests for icons, so a missing
 * inline icon is reported here. */
function foreignLinks(): string[] {
  const fetched = [...document.querySelectorAll<HTMLLinkElement>("link[rel]")].filter((link) =>
    /icon|stylesheet|preload|preconnect|prefetch|manifest/.test(link.rel),
  );
  const foreign = fetched.filter((link) => new URL(link.href).protocol !== "data:").map((link) => link.outerHTML);
  const hasIcon = fetched.some((link) => /\bicon\b/.test(link.rel));
  return hasIcon ? foreign : [...foreign, "no icon within the page: the browser will ask for /favicon.ico"];
}
