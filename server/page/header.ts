// The top of the page: the product, and when its facts were last confirmed.
import { html, markdown, type Html, type Markdown } from "./markup.ts";
import { freshnessAttributes, time, type Section } from "./components.ts";
import type { View } from "./view.ts";
import { dateTime, joinTitles } from "../format.ts";

export function pageHeader(view: View, sections: readonly Section[]): { html: Html; markdown: Markdown } {
  const { index, logo } = view;
  const fresh = freshness(view);
  return {
    html: html`<a class="skip" href="#facts">Skip to plans and downloads</a>
      <header>
        <nav aria-label="Sections">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
        <div class="title">
          ${logo !== undefined && html`<img src="${logo}" alt="" height="48" />`}
          <h1 dir="auto">${index.name}</h1>
        </div>
        <p class="lead" dir="auto">${index.description}</p>
        ${fresh.html}
      </header>`,
    markdown: markdown`# ${index.name}

${index.description}

${fresh.markdown}`,
  };
}

/** The earliest confirmation, the earliest end, and the unavailable facts. */
function freshness({ facts, unavailable }: View): { html: Html; markdown: Markdown } {
  const remark = unavailable.length > 0 && `Currently unavailable: ${joinTitles(unavailable)}.`;
  const missing = remark !== false && html`<p class="unavailable">${remark}</p>`;
  const fresh = Object.values(facts).flatMap((fact) => (fact.state === "fresh" ? [fact] : []));
  if (fresh.length === 0) return { html: html`${missing}`, markdown: markdown`${remark}` };
  const confirmedAt = earliest(fresh.map((fact) => fact.confirmedAt));
  const freshUntil = earliest(fresh.map((fact) => fact.freshUntil));
  const whenStale = `Out of date since ${dateTime(freshUntil)}: not everything here is still confirmed.`;
  // The script turns the time into a relative one, which a page from a cache would get wrong.
  return {
    html: html`<p class="fresh" ${freshnessAttributes(freshUntil)} data-when-stale="${whenStale}">
        Checked ${time(confirmedAt)}<noscript>, valid until ${time(freshUntil)}</noscript>
      </p>
      ${missing}`,
    markdown: markdown`Checked at the source on ${dateTime(confirmedAt)}, valid until ${dateTime(freshUntil)}.${remark && ` ${remark}`}`,
  };
}

function earliest(instants: readonly string[]): string {
  return new Date(Math.min(...instants.map((instant) => Date.parse(instant)))).toISOString();
}
