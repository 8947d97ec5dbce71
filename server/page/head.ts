// The head of the page: its name and icon, its other forms, and how a link to it is previewed.
import { FEED_PATH, FEED_TYPE } from "../documents/atom-feed.ts";
import { JSON_FEED_PATH, JSON_FEED_TYPE } from "../documents/json-feed.ts";
import { accents, GROUND } from "./colour.ts";
import { html, type Html } from "./markup.ts";
import { PREVIEW_PATH, PREVIEW_SIZE } from "./pictures/pictures.ts";
import { DEFAULT_COLOUR } from "./style.ts";
import type { View } from "./view.ts";

export function pageHead({ index, base, logo, api }: View): Html {
  const { name, description } = index;
  return html`${commonHead(name, logo ?? icon(api.color ?? DEFAULT_COLOUR))}
    <meta name="description" content="${description}" />
    <link rel="canonical" href="${base}/" />
    <link rel="alternate" type="text/markdown" href="${base}/" />
    <link rel="alternate" type="${FEED_TYPE}" title="Changes" href="${base}${FEED_PATH}" />
    <link rel="alternate" type="${JSON_FEED_TYPE}" title="Changes" href="${base}${JSON_FEED_PATH}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${name}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${base}/" />
    <meta property="og:image" content="${base}${PREVIEW_PATH}" />
    <meta property="og:image:width" content="${PREVIEW_SIZE.width}" />
    <meta property="og:image:height" content="${PREVIEW_SIZE.height}" />
    <meta property="og:image:alt" content="A window in a glass case" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** The part that every page has. `icon`: a `data:` URI. */
export function commonHead(title: string, icon: string): Html {
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="${GROUND.light}" />
    <meta name="theme-color" content="${GROUND.dark}" media="(prefers-color-scheme: dark)" />
    <title>${title}</title>
    <link rel="icon" href="${icon}" />`;
}

/** A glass case in the accent colour. */
export function icon(colour: string): string {
  const { light } = accents(colour);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M5 4h22v24H5zM5 22h22" fill="none" stroke="${light}" stroke-width="3"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}
