// `npm run external -- pictures`: takes the README's pictures of the demo's page, to the end of its plans, light and dark, into docs/.
import { join } from "node:path";
import { startDemo } from "../../support/program/demo.ts";
import { startChromium } from "./chromium.ts";

const DOCS = join(import.meta.dirname, "../../../docs");
/** In CSS pixels. */
const WIDTH = 1280;
const MARGIN = 32;

const cleanUps: (() => Promise<void>)[] = [];
try {
  const browser = await startChromium();
  cleanUps.unshift(() => browser.close());
  const { base } = await startDemo((cleanUp) => void cleanUps.unshift(cleanUp));
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
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
