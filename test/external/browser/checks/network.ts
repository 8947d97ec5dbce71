// The page's requests. Its size and its policy are in test/server/page.
import type { Check } from "../check.ts";
import { openAll, visit } from "../visit.ts";

const MAX_REQUESTS = 2;

export const NETWORK: Check[] = [
  {
    name: "the page makes few requests, none to other hosts, and the console stays empty",
    async run({ browser, vendors }) {
      const requests: string[] = [];
      const faults = await visit(
        browser,
        { address: vendors.demo, prepare: async (page) => page.on("request", (sent) => requests.push(sent.url())) },
        async (page) => {
          await openAll(page);
          await page.waitForLoadState("networkidle");
          return page.evaluate(foreignLinks);
        },
      );
      if (requests.length > MAX_REQUESTS) faults.push(`${requests.length} requests: ${requests.join(" ")}`);
      return { checked: requests.length === 1 ? "one request" : `${requests.length} requests`, faults };
    },
  },
];

/** Runs in the page. Returns links that the browser would fetch. Playwright does not report requests for icons, so a missing
 * inline icon is reported here. */
function foreignLinks(): string[] {
  const fetched = [...document.querySelectorAll<HTMLLinkElement>("link[rel]")].filter((link) =>
    /icon|stylesheet|preload|preconnect|prefetch|manifest/.test(link.rel),
  );
  const foreign = fetched.filter((link) => new URL(link.href).protocol !== "data:").map((link) => link.outerHTML);
  const hasIcon = fetched.some((link) => /\bicon\b/.test(link.rel));
  return hasIcon ? foreign : [...foreign, "no icon within the page: the browser will ask for /favicon.ico"];
}
