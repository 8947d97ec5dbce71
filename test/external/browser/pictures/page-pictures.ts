// The top of the page, to the end of its plans, light and dark.
import type { Page } from "playwright-core";
import { startChromium } from "../chromium.ts";
import { withFewColours } from "./few-colours.ts";

/** In CSS pixels; the picture has 1.5 times as many. */
const WIDTH = 1280;
const SCALE = 1.5;
/** Below the plans, in CSS pixels. */
const MARGIN = 32;
const MAX_BYTES = 200_000;

/** PNGs by file name. `address`: of the page. `chromium`: its path. @throws Error if a picture is too large. */
export async function pagePictures(address: string, chromium: string): Promise<Record<string, Buffer>> {
  const browser = await startChromium(chromium);
  try {
    const pictures: Record<string, Buffer> = {};
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({
        viewport: { width: WIDTH, height: 900 },
        deviceScaleFactor: SCALE,
        colorScheme,
        reducedMotion: "reduce",
      });
      await page.goto(address, { waitUntil: "networkidle", timeout: 10_000 });
      pictures[`page-${colorScheme}.png`] = await picture(page);
    }
    return pictures;
  } finally {
    await browser.close();
  }
}

async function picture(page: Page): Promise<Buffer> {
  const plans = await page.locator("#plans").boundingBox();
  if (!plans) throw new Error("the page has no #plans, where the picture ends");
  const clip = { x: 0, y: 0, width: WIDTH, height: plans.y + plans.height + MARGIN };
  const bytes = withFewColours(await page.screenshot({ type: "png", clip, fullPage: true }));
  if (bytes.length > MAX_BYTES) throw new Error(`a picture of ${bytes.length} bytes, of at most ${MAX_BYTES}`);
  return bytes;
}
