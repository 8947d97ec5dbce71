// How the facts are: each snapshot's state and times, and what the last collections came to. Reasons are for the operator.
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { bar, resultChart } from "../charts.ts";
import { html, markdown, markdownTable, type Html } from "../markup.ts";
import { holds, line, time, type Section } from "../components.ts";
import type { Told, View } from "../view.ts";
import { count, moment, SNAPSHOT_TITLES } from "../format.ts";

/** Most collections that are shown of each snapshot. */
const MOST = 40;

const NEVER = "–";

const LEGEND = [
  ["confirmed", "confirmed"],
  ["changed", "changed"],
  ["held", "held back as a likely accident"],
  ["failed", "failed"],
].map(
  ([result, words]) =>
    html`<span><svg width="7" height="26" aria-hidden="true">${bar(result ?? "")}</svg>${words}</span> `,
);

export function statusSection(view: View): Section {
  const collected = rowsOf(view);
  return {
    id: "status",
    title: "Status",
    html: html`<table>
        <thead>
          <tr>
            <th scope="col">Snapshot</th>
            <th scope="col">State</th>
            <th scope="col">Collected</th>
            <th scope="col">Fresh until</th>
          </tr>
        </thead>
        <tbody>
          ${SNAPSHOT_NAMES.map((name) => row(name, view.told[name]))}
        </tbody>
      </table>
      ${collected.length > 0 && collections(view, collected)}`,
    markdown: markdown`${markdownTable(
      ["Snapshot", "State", "Collected", "Fresh until"],
      SNAPSHOT_NAMES.map((name) => inMarkdown(name, view.told[name])),
    )}
${collected.length > 0 && markdown`\n### Last collections\n\n${markdownTable(["When", ...SNAPSHOT_NAMES], collected)}`}`,
  };
}

function row(name: SnapshotName, told: Told<unknown>): Html {
  const title = html`<th scope="row">${SNAPSHOT_TITLES[name]}</th>`;
  if (told.state === "missing")
    return html`<tr>
      ${title}
      <td><span class="state" data-state="missing">missing</span></td>
      <td>${NEVER}</td>
      <td>${NEVER}</td>
    </tr>`;
  const { state, confirmedAt, freshUntil } = told;
  const mark = state === "fresh" ? holds(freshUntil) : html`data-state="stale"`;
  return html`<tr>
    ${title}
    <td><span class="state" ${mark} data-when-stale="stale">${state}</span></td>
    <td>${time(confirmedAt)}</td>
    <td>${time(freshUntil)}</td>
  </tr>`;
}

function inMarkdown(name: SnapshotName, told: Told<unknown>): string[] {
  if (told.state === "missing") return [SNAPSHOT_TITLES[name], told.state, NEVER, NEVER];
  return [SNAPSHOT_TITLES[name], told.state, moment(told.confirmedAt), moment(told.freshUntil)];
}

/** Newest first: when, and the result of each snapshot. */
function rowsOf({ collections }: View): string[][] {
  const rows = new Map<string, Map<SnapshotName, string>>();
  for (const name of SNAPSHOT_NAMES) {
    for (const { at, result } of collections[name] ?? []) rows.set(at, (rows.get(at) ?? new Map()).set(name, result));
  }
  return [...rows]
    .toSorted(([a], [b]) => Date.parse(b) - Date.parse(a))
    .slice(0, MOST)
    .map(([at, results]) => [moment(at), ...SNAPSHOT_NAMES.map((name) => results.get(name) ?? NEVER)]);
}

function collections({ collections }: View, rows: readonly (readonly string[])[]): Html {
  const lines = SNAPSHOT_NAMES.flatMap((name) => {
    const results = (collections[name] ?? []).slice(-MOST).map(({ result }) => result);
    if (results.length === 0) return [];
    const label = `Last ${count(results.length, "collection")} of ${SNAPSHOT_TITLES[name]}: ${summary(results)}`;
    return [line(SNAPSHOT_TITLES[name], resultChart(label, results, MOST), results.at(-1))];
  });
  return html`<h3>Last collections</h3>
    <dl class="lines">${lines}</dl>
    <p class="legend">${LEGEND}</p>
    <details>
      <summary>The same as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            ${SNAPSHOT_NAMES.map((name) => html`<th scope="col">${SNAPSHOT_TITLES[name]}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (cells) =>
              html`<tr>
                ${cells.map((cell) => html`<td>${cell}</td>`)}
              </tr> `,
          )}
        </tbody>
      </table>
    </details>`;
}

/** `38 confirmed, 2 changed`. */
function summary(results: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const result of results) counts.set(result, (counts.get(result) ?? 0) + 1);
  return [...counts].map(([result, count]) => `${count} ${result}`).join(", ");
}
