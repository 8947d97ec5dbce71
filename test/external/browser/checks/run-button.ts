// The Run buttons show the server's real answer, including errors and outages.
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import type { Check } from "../check.ts";
import { openAll, visit } from "../visit.ts";

const BUTTONS = "#operations button[data-run]";
const OUTPUTS = "output, [data-result], pre[role=status]";
/** The browser's console line for an error answer, or for none. */
const FAILED_LOAD = /^console: Failed to load resource/;
const OPERATIONS = ["/api/v1", "/api/v1/plans", "/api/v1/releases/latest"];

export const RUN: Check[] = [
  ...(["demo", "hostile", "stale"] as const).map((vendor): Check => ({
    name: `Run shows the answer of each operation, ${vendor}`,
    async run({ browser, vendors }) {
      let count = 0;
      const faults = await visit(browser, { address: vendors[vendor], expected: FAILED_LOAD }, async (page) => {
        await openAll(page);
        const paths = await page
          .locator(BUTTONS)
          .evaluateAll((all) => all.map((one) => one.getAttribute("data-run") ?? ""));
        count = paths.length;
        const missing = OPERATIONS.filter((operation) => !paths.some((path) => path.split("?")[0] === operation));
        // In sequence, because several buttons of an operation may share an output.
        const found = missing.map((operation) => `no Run for ${operation}`);
        for (const [index, path] of paths.entries()) {
          found.push(...(await runs(page, index, new URL(path, vendors[vendor]))));
        }
        return found;
      });
      return { checked: `${count} operations`, faults };
    },
  })),
  {
    name: "Run reports a missing answer",
    async run({ browser, vendors }) {
      const faults = await visit(browser, { address: vendors.demo, expected: FAILED_LOAD }, async (page) => {
        await openAll(page);
        let fail = () => {};
        const isTime = new Promise<void>((resolve) => (fail = resolve));
        await page.route("**", (route) => isTime.then(() => route.abort("connectionrefused")));
        await Promise.all([page.waitForRequest(() => true), page.locator(BUTTONS).first().click()]);
        // The text during the wait must differ from the text after it.
        const before = await output(page, 0).textContent();
        fail();
        return (await changed(page, 0, before)) === undefined ? ["nothing is shown"] : [];
      });
      return { checked: "the connection is refused", faults };
    },
  },
];

/** Compares the output of a button with the answer of its address. */
async function runs(page: Page, index: number, address: URL): Promise<string[]> {
  const path = address.pathname + address.search;
  // Cleared, because another button of the operation may have shown the same answer.
  await output(page, index).evaluate((element) => (element.textContent = ""));
  await page.locator(BUTTONS).nth(index).click();
  const response = await fetch(address);
  const answer: unknown = await response.json();
  const text = await changed(page, index, "", String(response.status));
  if (text === undefined) return [`${path}: the status ${response.status} is not shown`];
  const faults = isDeepStrictEqual(jsonIn(text), answer) ? [] : [`${path}: not the answer, but ${text.slice(0, 200)}`];
  if (await output(page, index).locator("img, script, svg").count()) faults.push(`${path}: the answer became markup`);
  return faults;
}

/** The output of the operation: in the closest element around the button that contains one. */
function output(page: Page, index: number) {
  const around = `xpath=ancestor-or-self::*[.//output or .//*[@data-result] or .//pre[@role="status"]][1]`;
  return page.locator(BUTTONS).nth(index).locator(around).locator(OUTPUTS).first();
}

/** The text of the output once it differs from `before` and contains `said`; undefined after 5 s. */
async function changed(page: Page, index: number, before: string | null, said = ""): Promise<string | undefined> {
  const element = await output(page, index).elementHandle();
  const isSo = ({ element, before, said }: { element: Element | null; before: string | null; said: string }) =>
    element?.textContent !== before && element?.textContent?.includes(said) && element.textContent.trim() !== "";
  try {
    await page.waitForFunction(isSo, { element, before, said }, { timeout: 5_000 });
    return (await element?.textContent()) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The JSON within the text; undefined if there is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  } catch {
    return undefined;
  }
}
