// The state and times of each snapshot, and the results of recent collections. Reasons for failures are not public.
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../../snapshots/snapshot.ts";
import { bar, resultChart } from "../charts.ts";
import {
  chartRow,
  freshnessAttributes,
  html,
  htmlTable,
  markdown,
  markdownTable,
  tableRow,
  time,
  type Html,
  type Section,
} from "../markup.ts";
import type { PageFact, View } from "../view.ts";
import { count, dateTime, SNAPSHOT_TITLES } from "../../words/words.ts";

const MAX_COLLECTIONS = 40;

const NONE = "–";
const COLUMNS = ["Snapshot", "State", "Confirmed", "Fresh until"];

const LEGEND = [
  ["confirmed", "confirmed"],
  ["changed", "changed"],
  ["held", "held back as suspicious"],
  ["failed", "failed"],
].map(
  ([result, words]) =>
    html`<span><svg width="7" height="26" aria-hidden="true">${bar(result ?? "")}</svg>${words}</span> `,
);

export function statusSection(view: View): Section {
  const collections = collectionRows(view);
  return {
    id: "status",
    title: "Status",
    html: html`${htmlTable(
      COLUMNS,
      SNAPSHOT_NAMES.map((name) => stateRow(name, view.facts[name])),
    )}
    ${recentCollections(view, collections)}`,
    markdown: markdown`${markdownTable(
      COLUMNS,
      SNAPSHOT_NAMES.map((name) => stateCells(name, view.facts[name])),
    )}
${collections.length > 0 && markdown`\n### Recent collections\n\n${markdownTable(["When", ...SNAPSHOT_NAMES], collections)}`}`,
  };
}

function stateRow(name: SnapshotName, fact: PageFact<unknown>): Html {
  const state =
    fact.state === "fresh"
      ? html`${freshnessAttributes(fact.freshUntil)} data-when-stale="stale"`
      : html`data-state="${fact.state}"`;
  return html`<tr>
    <th scope="row">${SNAPSHOT_TITLES[name]}</th>
    <td><span class="state" ${state}>${fact.state}</span></td>
    <td>${fact.state === "missing" ? NONE : time(fact.confirmedAt)}</td>
    <td>${fact.state === "missing" ? NONE : time(fact.freshUntil)}</td>
  </tr>`;
}

function stateCells(name: SnapshotName, fact: PageFact<unknown>): string[] {
  if (fact.state === "missing") return [SNAPSHOT_TITLES[name], fact.state, NONE, NONE];
  return [SNAPSHOT_TITLES[name], fact.state, dateTime(fact.confirmedAt), dateTime(fact.freshUntil)];
}

/** Newest first: the time, then the result of each snapshot. */
function collectionRows({ collections }: View): string[][] {
  const rows = new Map<string, Map<SnapshotName, string>>();
  for (const name of SNAPSHOT_NAMES) {
    for (const { at, result } of collections[name] ?? []) rows.set(at, (rows.get(at) ?? new Map()).set(name, result));
  }
  return [...rows]
    .toSorted(([a], [b]) => Date.parse(b) - Date.parse(a))
    .slice(0, MAX_COLLECTIONS)
    .map(([at, results]) => [dateTime(at), ...SNAPSHOT_NAMES.map((name) => results.get(name) ?? NONE)]);
}

function recentCollections({ collections }: View, rows: readonly (readonly string[])[]): Html | undefined {
  const lines = SNAPSHOT_NAMES.flatMap((name) => {
    const results = (collections[name] ?? []).slice(-MAX_COLLECTIONS).map(({ result }) => result);
    if (results.length < 2) return [];
    const label = `Last ${count(results.length, "collection")} of ${SNAPSHOT_TITLES[name]}: ${summary(results)}`;
    return [chartRow(SNAPSHOT_TITLES[name], resultChart(label, results, MAX_COLLECTIONS), results.at(-1))];
  });
  if (lines.length === 0) return undefined;
  return html`<h3>Recent collections</h3>
    <dl class="lines">${lines}</dl>
    <p class="legend">${LEGEND}</p>
    <details>
      <summary>As a table</summary>
      ${htmlTable(["When", ...SNAPSHOT_NAMES.map((name) => SNAPSHOT_TITLES[name])], rows.map(tableRow))}
    </details>`;
}

/** `38 confirmed, 2 changed`. */
function summary(results: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const result of results) counts.set(result, (counts.get(result) ?? 0) + 1);
  return [...counts].map(([result, count]) => `${count} ${result}`).join(", ");
}
