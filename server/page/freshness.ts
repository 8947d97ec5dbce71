// The line that says how fresh the whole page is: the earliest confirmation, the earliest end, and what is unavailable.
import { html, markdown, type Html, type Markdown } from "./markup.ts";
import { freshnessAttributes, time } from "./components.ts";
import type { View } from "./view.ts";
import { dateTime, joinTitles } from "../format.ts";

export function freshness({ facts, unavailable }: View): { html: Html; markdown: Markdown } {
  const remark = unavailable.length > 0 && `Currently unavailable: ${joinTitles(unavailable)}.`;
  const missing = remark !== false && html`<p class="unavailable">${remark}</p>`;
  const fresh = Object.values(facts).flatMap((fact) => (fact.state === "fresh" ? [fact] : []));
  if (fresh.length === 0) return { html: html`${missing}`, markdown: markdown`${remark}` };
  const confirmedAt = earliest(fresh.map((fact) => fact.confirmedAt));
  const freshUntil = earliest(fresh.map((fact) => fact.freshUntil));
  const whenStale = `Out of date since ${dateTime(freshUntil)}: not everything here is still confirmed.`;
  return {
    html: html`<p class="fresh" role="status" ${freshnessAttributes(freshUntil)} data-when-stale="${whenStale}">
        <b>Fresh.</b> Confirmed at the source on ${time(confirmedAt)}; valid until ${time(freshUntil)}.
      </p>
      ${missing}`,
    markdown: markdown`Fresh: confirmed at the source on ${dateTime(confirmedAt)}, valid until ${dateTime(freshUntil)}. ${remark}`,
  };
}

function earliest(instants: readonly string[]): string {
  return new Date(Math.min(...instants.map((instant) => Date.parse(instant)))).toISOString();
}
