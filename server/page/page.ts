// The page at `/`, rendered as HTML and as Markdown in one pass, section by section, so that both contain the same
// facts.
import { createHash } from "node:crypto";
import { pageFooter } from "./footer.ts";
import { pageHeader } from "./header.ts";
import { linkedData } from "./linked-data.ts";
import { html, markdown, trusted, type Html } from "./markup.ts";
import type { Section } from "./components.ts";
import { SCRIPT } from "./script.ts";
import { agentsSection } from "./sections/agents.ts";
import { downloadsSection } from "./sections/downloads.ts";
import { historySection } from "./sections/history.ts";
import { operationsSection } from "./sections/operations.ts";
import { cycleRules, plansSection } from "./sections/plans.ts";
import { statusSection } from "./sections/status.ts";
import { useSection } from "./sections/use.ts";
import { DEFAULT_COLOUR, styleFor } from "./style.ts";
import { accents } from "./colour.ts";
import type { View } from "./view.ts";
import { FEED_PATH, FEED_TYPE } from "../documents/atom-feed.ts";

/** `policy`: the strictest Content-Security-Policy under which the HTML works. */
export interface RenderedPage {
  html: string;
  markdown: string;
  policy: string;
}

const SECTIONS = [
  plansSection,
  downloadsSection,
  useSection,
  operationsSection,
  agentsSection,
  historySection,
  statusSection,
];

export function renderPage(view: View): RenderedPage {
  const sections = SECTIONS.map((section) => section(view));
  const header = pageHeader(view, sections);
  const footer = pageFooter(view);
  const style = styleFor(view.api.color ?? DEFAULT_COLOUR) + cycleRules(view);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        ${head(view)} ${verbatim("style", style)} ${linkedData(view)}
      </head>
      <body>
        ${header.html}
        <main>${sections.map(sectionHtml)}</main>
        ${footer.html}
        <p id="announcement" role="status" aria-live="polite"></p>
        ${verbatim("script", SCRIPT)}
      </body>
    </html>`;
  const twin = markdown`${header.markdown}

${sections.map((section) => markdown`## ${section.title}\n\n${section.markdown}\n\n`)}${footer.markdown}
`;
  return { html: page.text, markdown: twin.text, policy: policyFor(style) };
}

/** An element whose bytes must match the hash in the policy. Not a template, which the formatter would reindent. */
function verbatim(name: "style" | "script", text: string): Html {
  return trusted(`<${name}>${text}</${name}>`);
}

function sectionHtml({ id, title, html: content }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    <div>${content}</div>
  </section> `;
}

function head({ index, base, logo, api }: View): Html {
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${index.description}" />
    <title>${index.name}</title>
    <link rel="canonical" href="${base}/" />
    <link rel="icon" href="${logo ?? icon(api.color ?? DEFAULT_COLOUR)}" />
    <link rel="alternate" type="text/markdown" href="${base}/" />
    <link rel="alternate" type="${FEED_TYPE}" title="Changes" href="${base}${FEED_PATH}" />`;
}

/** A glass case in the accent colour. */
function icon(colour: string): string {
  const { light } = accents(colour);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M5 4h22v24H5zM5 22h22" fill="none" stroke="${light}" stroke-width="3"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

/** Allows the page's own style and script by hash, and embedded images. */
function policyFor(style: string): string {
  return [
    "default-src 'none'",
    `style-src '${hash(style)}'`,
    `script-src '${hash(SCRIPT)}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
