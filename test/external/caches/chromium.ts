// The system's Chromium with its real cache of answers.
import { startChromium } from "../browser/chromium.ts";

/** Opens a page of an origin. `fetch`: asks as a script of the page does; resolves to the status, 0 if it fails, and the text. */
export async function openInChromium(port: number, onFinished: (cleanUp: () => Promise<void>) => void) {
  const browser = await startChromium();
  onFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/healthz`);
  const fetchThere = async (path: string) => {
    const answer = await fetch(path).catch(() => undefined);
    return { status: answer?.status ?? 0, text: (await answer?.text()) ?? "" };
  };
  return { fetch: (path: string) => page.evaluate(fetchThere, path) };
}
