// Web sites of others, on an origin of their own and under a strict policy, on which the elements are tested.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { visit, type Visit } from "./visit.ts";

const NONCE = "n0nce";

/** `vendor`: the address of its page, with a slash at its end. */
export interface Site extends Partial<Omit<Visit, "address">> {
  vendor: string;
  html: string;
}

/** The HTML of a site. `lang` also decides the direction. `script`: loads the elements. */
export function siteOf(
  vendor: string,
  body: string,
  { lang = "en", style = "", script = `<script src="${vendor}embed.js" defer></script>` } = {},
): string {
  return `<!doctype html>
<html lang="${lang}" dir="${lang === "ar" ? "rtl" : "ltr"}">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>A site</title>
  ${style && `<style nonce="${NONCE}">${style}</style>`}
  ${script}
  <main><h1>A site</h1><h2>Its plans</h2>${body}</main>
</html>`;
}

/** Visits the site. Its policy allows scripts with a nonce and the vendor's, and requests to the vendor; styles only if it has one
 * of its own. Requests to any other address of the vendor than the script's and those of the facts are faults, too. */
export async function onSite(
  browser: Browser,
  { vendor, html, expected, ...options }: Site,
  look: (page: Page) => Promise<string[]>,
): Promise<string[]> {
  const { origin } = new URL(vendor);
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}' ${origin}; connect-src ${origin}; base-uri 'none'`;
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/" ? 200 : 404, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": html.includes("<style") ? `${policy}; style-src 'nonce-${NONCE}'` : policy,
    });
    response.end(request.url === "/" ? html : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const own = `^request to another host: ${vendor}(embed[.0-9a-f]*\\.js|embed\\.json|api/v1/(plans|releases/latest\\?platform=\\w+))$`;
  const wanted = new RegExp(expected ? `${own}|${expected.source}` : own);
  try {
    return await visit(browser, { address, ...options, expected: wanted }, look);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
