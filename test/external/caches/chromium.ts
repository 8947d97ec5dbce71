// The system's Chromium with its real cache of answers.
import { ensureInstalled } from "../../support/install.ts";
import { findChromium } from "../browser/find-chromium.ts";

const found = findChromium();
/** The reason for skipping its tests, also printed; undefined if it is installed. */
export const NO_CHROMIUM = "reason" in found ? found.reason : undefined;
if (NO_CHROMIUM !== undefined) process.stdout.write(`Chromium: ${NO_CHROMIUM}\n`);

/** Opens a page of an origin. `fetch`: asks as a script of the page does; resolves to the status, 0 if it fails, and the text. */
export async function openInChromium(port: number, onFinished: (cleanUp: () => Promise<void>) => void) {
  ensureInstalled();
  // Imported here because its packages may just have been installed.
  const { startChromium } = await import("../browser/chromium.ts");
  const browser = await startChromium("path" in found ? found.path : "");
  onFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/healthz`);
  const fetchThere = async (path: string) => {
    const answer = await fetch(path).catch(() => undefined);
    return { status: answer?.status ?? 0, text: (await answer?.text()) ?? "" };
  };
  return { fetch: (path: string) => page.evaluate(fetchThere, path) };
}
