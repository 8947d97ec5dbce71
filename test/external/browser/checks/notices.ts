// The small pages at the addresses of programs.
import type { Check } from "../check.ts";
import { visit } from "../visit.ts";
import { violations } from "./accessible.ts";
import { overhanging, WIDTH } from "./narrow-window.ts";

const TARGETS = ["/mcp", "/status", "/nowhere"];
/** The browser's console line for 404 and 405. */
const REFUSED = /^console: Failed to load resource/;

export const NOTICES: Check[] = (["demo", "hostile", "long", "missing"] as const).map((vendor) => ({
  name: `the small pages are accessible, fit into ${WIDTH} px and lead to the page, ${vendor}`,
  async run({ browser, vendors }) {
    const faults: string[] = [];
    for (const target of TARGETS) {
      for (const scheme of ["light", "dark"] as const) {
        const view = {
          address: new URL(target, vendors[vendor]).href,
          width: WIDTH,
          height: 640,
          scheme,
          script: true,
        };
        const found = await visit(browser, { ...view, expected: REFUSED }, async (page) => {
          const within = [...(await violations(page)), ...(await page.evaluate(overhanging))];
          await page.locator("main a").last().click();
          return page.url() === vendors[vendor] ? within : [...within, `its last link leads to ${page.url()}`];
        });
        faults.push(...found.map((fault) => `${target} ${scheme}: ${fault}`));
      }
    }
    return { checked: TARGETS.join(", "), faults };
  },
}));
