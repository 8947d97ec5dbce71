// Visits a page in a new browser context. Any complaint of the browser during a visit fails the check.
import { expect } from "vitest";
import type { BrowserContextOptions, Page } from "playwright-core";
import { browser } from "./scene.ts";

/** For each action on the page, even on a busy machine. */
const TIMEOUT_MS = 15_000;

export interface Visit {
  address: string;
  /** Of the window, in pixels. */
  width?: number;
  height?: number;
  scheme?: "light" | "dark";
  /** False turns JavaScript off. */
  script?: boolean;
  /** Further options of the context, such as permissions. */
  context?: BrowserContextOptions;
  /** Called before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Complaints that the check expects. */
  expected?: RegExp;
}

/** Opens the page and calls `look`. @throws Error with the browser's complaints, if it has any that are not expected. */
export async function visit(
  { address, width = 1280, height = 900, scheme = "light", script = true, context, prepare, expected }: Visit,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const own = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    javaScriptEnabled: script,
    // No animations, which would disturb measurements.
    reducedMotion: "reduce",
    ...context,
  });
  try {
    const page = await own.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const complaints = complaintsOf(page, new URL(address).host);
    await prepare?.(page);
    await page.goto(address);
    await look(page);
    expect(complaints.filter((complaint) => !expected?.test(complaint))).toEqual([]);
  } finally {
    await own.close();
  }
}

/** Opens every disclosure of the page, and shows the examples of all languages. */
export async function openAll(page: Page): Promise<void> {
  await page.locator("[data-tab]").evaluateAll((all) => {
    for (const example of all) (example as HTMLElement).style.display = "block";
  });
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) (details as HTMLDetailsElement).open = true;
  });
}

/** A list that grows while the page is open: console lines (including violations of the policy), script errors, dialogs, and
 * requests to other hosts. */
function complaintsOf(page: Page, host: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => void complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => void complaints.push(`script error: ${error.message}`));
  page.on("crash", () => void complaints.push("the page crashed"));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.host !== host) complaints.push(`request to another host: ${request.url()}`);
  });
  return complaints;
}
