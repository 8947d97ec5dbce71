// The small pages at the addresses of programs.
import { test } from "vitest";
import { vendors } from "../scene.ts";
import { visit } from "../visit.ts";
import { violations } from "./accessible.ts";
import { overhanging, WIDTH } from "./narrow-window.ts";

const TARGETS = ["/mcp", "/status", "/nowhere"];
const VIEWS = [
  { width: WIDTH, scheme: "light" },
  { width: WIDTH, scheme: "dark" },
  { width: 1440, scheme: "light" },
] as const;
/** The browser's console line for 404 and 405. */
const REFUSED = /^console: Failed to load resource/;

test.for(["demo", "hostile", "long", "missing"] as const)(
  `the small pages are accessible, fit into ${WIDTH} px and lead to the page, %s`,
  async (vendor, { expect }) => {
    for (const target of TARGETS) {
      for (const view of VIEWS) {
        const address = new URL(target, vendors[vendor]).href;
        await visit({ address, ...view, height: 640, expected: REFUSED }, async (page) => {
          const faults = [
            ...(await violations(page)),
            ...(await page.evaluate(overhanging)),
            ...(await page.evaluate(brokenWords)),
          ];
          expect.soft(faults, `${target} ${view.width} px ${view.scheme}`).toEqual([]);
          await page.locator("main a").last().click();
          expect(page.url()).toBe(vendors[vendor]);
        });
      }
    }
  },
);

/** Runs in the page. Reports words in tables that continue on the next line. */
function brokenWords(): string[] {
  return [...document.querySelectorAll("td, th")].flatMap((cell) => {
    const text = cell.firstChild as Text;
    return [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1 ? [`broken: ${word}`] : [];
    });
  });
}
