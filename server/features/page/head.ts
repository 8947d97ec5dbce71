// The head of the page: its name and icon, its other forms, how a link to it is previewed, and the security policy.
import { createHash } from "node:crypto";
import type { Site } from "../../answers/addition.ts";
import { ANYWHERE, document, type Answer } from "../../answers/answer.ts";
import { html, type Html } from "./markup.ts";
import { accents, GROUND } from "./style.ts";

export function pageHead({
  index,
  base,
  logo,
  picture,
  api,
  mentions,
}: Pick<Site, "index" | "base" | "logo" | "picture" | "api" | "mentions">): Html {
  const { name, description } = index;
  const links = mentions().flatMap((mention) => (mention.links ?? []).filter(({ rel }) => rel !== undefined));
  return html`${commonHead(name, logo, api.color)}
    <meta name="description" content="${description}" />
    <link rel="canonical" href="${base}/" />
    ${links.map(({ rel, type, title, href }) => html`<link rel="${rel}" type="${type}" title="${title}" href="${href}" /> `)}
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${name}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${base}/" />
    ${
      picture !== undefined &&
      html`<meta property="og:image" content="${base}${picturePath(picture)}" />
        <meta name="twitter:card" content="summary_large_image" />`
    }`;
}

/** Where the picture for shared links is, which is a `data:` URI. */
function picturePath(picture: string): string {
  return picture.startsWith("data:image/png") ? "/picture.png" : "/picture.jpg";
}

/** The icon of the addresses that are no page, and the picture for shared links, by path. Both are `data:` URIs. */
export function images({ api, logo, picture }: Pick<Site, "api" | "logo" | "picture">): Record<string, Answer> {
  return {
    "/favicon.ico": logo === undefined ? document(glassCase(api.color), "image/svg+xml", ANYWHERE) : imageFile(logo),
    ...(picture !== undefined && { [picturePath(picture)]: imageFile(picture) }),
  };
}

function imageFile(dataUri: string): Answer {
  const { type = "", base64 = "" } = /^data:(?<type>[^;]+);base64,(?<base64>.*)$/.exec(dataUri)?.groups ?? {};
  return document(Buffer.from(base64, "base64"), type, ANYWHERE);
}

/** The part that every page has. */
export function commonHead(title: string, logo: string | undefined, colour: string | undefined): Html {
  const icon = logo ?? `data:image/svg+xml,${encodeURIComponent(glassCase(colour))}`;
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="${GROUND.light}" />
    <meta name="theme-color" content="${GROUND.dark}" media="(prefers-color-scheme: dark)" />
    <title>${title}</title>
    <link rel="icon" href="${icon}" />`;
}

/** An icon in the accent colour. */
function glassCase(colour: string | undefined): string {
  const { light } = accents(colour);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M5 4h22v24H5zM5 22h22" fill="none" stroke="${light}" stroke-width="3"/></svg>`;
}

/** The strictest Content-Security-Policy under which a page works: its own style and script by hash, embedded images,
 * and nothing else. `script`: the page has none without it. Its own host may be read, because Lighthouse asks for
 * robots.txt from within the page. */
export function policyFor(style: string, script?: string): string {
  return [
    "default-src 'none'",
    `style-src '${hash(style)}'`,
    ...(script === undefined ? [] : [`script-src '${hash(script)}'`]),
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
