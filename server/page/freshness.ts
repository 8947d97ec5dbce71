// The one line that says how fresh all of it is: as fresh as what was confirmed first and ends first, and what is missing.
import { SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { html, markdown, type Html, type Markdown } from "./markup.ts";
import { holds, time } from "./components.ts";
import type { View } from "./view.ts";
import { list, moment, SNAPSHOT_TITLES } from "./format.ts";

export function freshness(view: View): { html: Html; markdown: Markdown } {
  const untold = SNAPSHOT_NAMES.filter((name) => view.told[name].state !== "fresh");
  const remark =
    untold.length > 0 && `Unavailable at the moment: ${list(untold.map((name) => SNAPSHOT_TITLES[name]))}.`;
  const missing = remark !== false && html`<p class="unavailable">${remark}</p>`;
  const fresh = Object.values(view.told).flatMap((told) => (told.state === "fresh" ? [told] : []));
  if (fresh.length === 0) return { html: html`${missing}`, markdown: markdown`${remark}` };
  const confirmedAt = earliest(fresh.map((told) => told.confirmedAt));
  const freshUntil = earliest(fresh.map((told) => told.freshUntil));
  const later = `Out of date since ${moment(freshUntil)}: not all of this is confirmed any more.`;
  return {
    html: html`<p class="fresh" role="status" ${holds(freshUntil)} data-when-stale="${later}">
        <b>Fresh.</b> Confirmed at the source on ${time(confirmedAt)}; holds until ${time(freshUntil)}.
      </p>
      ${missing}`,
    markdown: markdown`Fresh: confirmed at the source on ${moment(confirmedAt)}, holds until ${moment(freshUntil)}. ${remark}`,
  };
}

function earliest(instants: readonly string[]): string {
  return new Date(Math.min(...instants.map((instant) => Date.parse(instant)))).toISOString();
}
