// `npm run pictures`: takes the README's pictures of the demo's page, to the end of its plans, light and dark, into docs/.
import { join } from "node:path";
import { ensureInstalled } from "../../support/install.ts";
import { withDemo } from "../../support/program/demo.ts";
import { findChromium } from "./find-chromium.ts";

const DOCS = join(import.meta.dirname, "../../../docs");
/** In CSS pixels. */
const WIDTH = 1280;
const MARGIN = 32;

const found = findChromium();
if ("reason" in found) throw new Error(`no pictures: ${found.reason}`);
ensureInstalled();
// Imported here because its packages may just have been installed.
const { startChromium } = await import("./chromium.ts");
const browser = await startChromium(found.path);
await withDemo(async (base) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({
      viewport: { width: WIDTH, height: 900 },
      colorScheme,
      reducedMotion: "reduce",
    });
    await page.goto(base, { waitUntil: "networkidle" });
    const plans = await page.locator("#plans").boundingBox();
    if (!plans) throw new Error("the page has no #plans, where the picture ends");
    const clip = { x: 0, y: 0, width: WIDTH, height: plans.y + plans.height + MARGIN };
    await page.screenshot({ path: join(DOCS, `page-${colorScheme}.png`), clip, fullPage: true });
  }
});
await browser.close();
