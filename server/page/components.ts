// What several sections are made of: times, freshness that the browser keeps true, and blocks to copy.
import { isPublicUrl } from "../../snapshots/rules.ts";
import { html, type Html, type Markdown } from "./markup.ts";
import type { Told, Untold } from "./view.ts";
import { moment } from "./format.ts";

/** A part of the page, in both of its forms. `id`: what the address of the part ends in. */
export interface Section {
  id: string;
  title: string;
  html: Html;
  markdown: Markdown;
}

/** An instant of ISO 8601, in words. */
export function time(instant: string): Html {
  return html`<time datetime="${instant}">${moment(instant)}</time>`;
}

/** Attributes of an element that holds facts until an instant: the script marks it when that has passed. */
export function holds(freshUntil: string): Html {
  return html`data-fresh-until="${freshUntil}" data-state="fresh"`;
}

/** How long facts hold, in words that the script changes when that time has passed. */
export function stamp(freshUntil: string): Html {
  const later = `Out of date since ${moment(freshUntil)}: no longer confirmed, and may be wrong by now`;
  return html`<p class="stamp" ${holds(freshUntil)} data-when-stale="${later}">Fresh until ${time(freshUntil)}</p>`;
}

/** Why facts are not shown. */
export function untold(told: Untold): string {
  if (told.state === "missing") return "Nothing has been collected yet, so nothing is shown.";
  return `Not confirmed since ${moment(told.confirmedAt)}, which is too long ago: nothing is shown until it is confirmed again.`;
}

export function isUntold<P>(told: Told<P>): told is Untold {
  return told.state !== "fresh";
}

/** Text in a block, with a button that copies it. `what`: is copied, for those who do not see where the button stands. */
export function copyable(id: string, text: string, what: string): Html {
  return html`<div class="copy">
    <pre id="${id}">${text}</pre>
    ${copyButton(id, what)}
  </div>`;
}

export function copyButton(id: string, what: string): Html {
  return html`<button type="button" data-copy="${id}" hidden aria-label="Copy ${what}">Copy</button>`;
}

/** A chart between what it is of and what it comes to. */
export function line(title: string, chart: Html, latest = ""): Html {
  return html`<div class="line">
    <dt>${title}</dt>
    <dd>${chart}</dd>
    <dd>${latest}</dd>
  </div>`;
}

/** A link of the facts, or undefined when it is none that may be followed. The gate has seen to that; a page that is
 * wrong about it would run what stands there. */
export function webLink(url: string): string | undefined {
  return isPublicUrl(url) ? url : undefined;
}
