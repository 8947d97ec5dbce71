// The small pages at the addresses of programs.
import type { Check } from "../check.ts";
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

export const NOTICES: Check[] = (["demo", "hostile", "long", "missing"] as const).map((vendor) => ({
  name: `the small pages are accessible, fit into ${WIDTH} px and lead to the page, ${vendor}`,
  async run({ browser, vendors }) {
    const faults: string[] = [];
    for (const target of TARGETS) {
      for (const { width, scheme } of VIEWS) {
        const view = { address: new URL(target, vendors[vendor]).href, width, height: 640, scheme };
        const found = await visit(browser, { ...view, expected: REFUSED }, async (page) => {
          const within = [
            ...(await violations(page)),
            ...(await page.evaluate(overhanging)),
            ...(await page.evaluate(brokenWords)),
          ];
          await page.locator("main a").last().click();
          return page.url() === vendors[vendor] ? within : [...within, `its last link leads to ${page.url()}`];
        });
        faults.push(...found.map((fault) => `${target} ${width} px ${scheme}: ${fault}`));
      }
    }
    return { checked: TARGETS.join(", "), faults };
  },
}));

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
