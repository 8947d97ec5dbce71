// The page's requests, its size, and its Content-Security-Policy.
import type { Check } from "../check.ts";
import { ask } from "../../../support/serving/server.ts";
import { openAll, visit } from "../visit.ts";

/** Of the demo's page, compressed with Brotli. */
const MAX_BYTES = 12_000;
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
  {
    name: "the document is small",
    async run({ vendors }) {
      const { headers, bytes } = await ask(portOf(vendors.demo), "/", { headers: { "accept-encoding": "br" } });
      const faults = [];
      if (headers["content-encoding"] !== "br")
        faults.push(`it came as ${headers["content-encoding"] ?? "it is"}, not br`);
      if (bytes.length > MAX_BYTES) faults.push(`${bytes.length} bytes, of at most ${MAX_BYTES}`);
      return { checked: `${bytes.length} bytes of Brotli`, faults };
    },
  },
  {
    name: "the policy allows no other content",
    async run({ vendors }) {
      const { headers } = await ask(portOf(vendors.demo), "/");
      const policy = String(headers["content-security-policy"] ?? "");
      const wanted = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors "];
      const faults = wanted.filter((part) => !policy.includes(part)).map((part) => `${part} is not in: ${policy}`);
      const sources = policy.split(";").flatMap((directive) => directive.trim().split(/\s+/).slice(1));
      const known = /^('none'|'self'|data:|'sha(256|384|512)-[^']+')$/;
      faults.push(...sources.filter((source) => !known.test(source)).map((source) => `it allows ${source}`));
      return { checked: "default-src 'none', hashes, no unsafe-*", faults };
    },
  },
];

function portOf(address: string): number {
  return Number(new URL(address).port);
}

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
