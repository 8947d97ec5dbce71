// A visit to a page, in a browser context of its own. Whatever the browser complains of during any visit is a fault.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** How long the page may take for anything, milliseconds: on a machine that has much else to do, too. */
const TIMEOUT_MS = 15_000;

export interface Visit {
  address: string;
  /** Of the window, pixels. */
  width?: number;
  height?: number;
  scheme?: "light" | "dark";
  /** False: JavaScript is off. */
  script?: boolean;
  /** More of the context, such as permissions. */
  context?: BrowserContextOptions;
  /** Before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Complaints that belong to what is tried. */
  expected?: RegExp;
}

/** Opens the page and looks. Returns the faults that `look` found, and the browser's complaints. */
export async function visit(
  browser: Browser,
  { address, width = 1280, height = 900, scheme = "light", script = true, context, prepare, expected }: Visit,
  look: (page: Page) => Promise<string[]>,
): Promise<string[]> {
  const own = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    javaScriptEnabled: script,
    // What moves is never in the way of what is measured.
    reducedMotion: "reduce",
    ...context,
  });
  try {
    const page = await own.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const complaints = complaintsOf(page, new URL(address).host);
    await prepare?.(page);
    await page.goto(address);
    const faults = await look(page);
    return [...faults, ...complaints.filter((complaint) => !expected?.test(complaint))];
  } finally {
    await own.close();
  }
}

/** Every disclosure of the page is opened. */
export async function openAll(page: Page): Promise<void> {
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) (details as HTMLDetailsElement).open = true;
  });
}

/** Grows while the page is open: lines in the console (where breaches of the policy are told as well), errors of its
 * script, dialogs, requests to other hosts. */
function complaintsOf(page: Page, host: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => void complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => void complaints.push(`error of the script: ${error.message}`));
  page.on("crash", () => void complaints.push("the page crashed"));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.host !== host) complaints.push(`asks another host: ${request.url()}`);
  });
  return complaints;
}
