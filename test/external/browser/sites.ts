// Web sites of others, on an origin of their own and under a strict policy, on which the elements are tested.
import { beforeAll } from "vitest";
import type { Page } from "playwright-core";
import { body, startUpstream, type Upstream } from "../../support/collecting/upstream.ts";
import { onFinished } from "./scene.ts";
import { visit, type Visit } from "./visit.ts";

const NONCE = "n0nce";

/** Of all sites; each has a path. */
let host: Upstream;
let count = 0;
beforeAll(async () => {
  host = await startUpstream({ onFinished });
});

/** `vendor`: the address of its page, with a slash at its end. */
export interface Site extends Partial<Omit<Visit, "address">> {
  vendor: string;
  html: string;
  /** Further headers of the site. */
  headers?: Record<string, string>;
}

/** The HTML of a site. `lang` also decides the direction. `script`: loads the elements. */
export function siteOf(
  vendor: string,
  content: string,
  { lang = "en", style = "", script = `<script src="${vendor}embed.js" defer></script>` } = {},
): string {
  return `<!doctype html>
<html lang="${lang}" dir="${lang === "ar" ? "rtl" : "ltr"}">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>A site</title>
  ${style && `<style nonce="${NONCE}">${style}</style>`}
  ${script}
  <main><h1>A site</h1><h2>Its plans</h2>${content}</main>
</html>`;
}

/** Visits the site. Its policy allows scripts with a nonce and the vendor's, its images, and requests to the vendor; styles only if it has one
 * of its own. Requests to any other address of the vendor than the script's and those of the facts fail the check, too. */
export async function onSite(
  { vendor, html, expected, headers: more, ...options }: Site,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const { origin } = new URL(vendor);
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}' ${origin}; connect-src ${origin}; img-src ${origin}; base-uri 'none'`;
  const address = host.url(`/${++count}`);
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": html.includes("<style") ? `${policy}; style-src 'nonce-${NONCE}'` : policy,
    ...more,
  };
  host.set(`/${count}`, body(html, headers));
  const own = `^request to another host: ${vendor}(embed[.0-9a-f]*\\.js|embed\\.json|api/v1/(plans|releases/latest\\?platform=\\w+))$`;
  const wanted = new RegExp(expected ? `${own}|${expected.source}` : own);
  await visit({ address, ...options, expected: wanted }, look);
}
