// The history on the page, as charts and as a table: prices by plan and versions by platform. For visitors. Without it, the page has
// one section less. Unavailable snapshots have none, because readers would take the last value for the current one.
// after: history, page, words
import type { Facts } from "../../../snapshots/facts.ts";
import { ATOM_FEED_PATH, JSON_FEED_PATH } from "../history/feeds.ts";
import { capitalized, day, joinTitles, money, PLATFORM_NAMES } from "../words/words.ts";
import { changesOf, type Change, type RecentChanges } from "../history/recent-changes.ts";
import { stepChart, timeline, type StepPoint, type TimelinePoint, type TimeSpan } from "../page/charts.ts";
import {
  chartRow,
  html,
  htmlTable,
  markdown,
  markdownTable,
  planName,
  tableRow,
  trusted,
  type Html,
  type Section,
} from "../page/markup.ts";
import type { View } from "../page/view.ts";

/** `points`: oldest first. */
interface Series<P extends TimelinePoint = TimelinePoint> {
  title: string;
  points: P[];
}

const MAX_CHARTS = 8;
const MAX_POINTS = 20;
const MAX_ROWS = 40;
const COLUMNS = ["Date", "Fact", "New value"];

export function historySection(facts: Facts) {
  return sectionFor(changesOf(facts));
}

/** Undefined without a history. */
export function sectionFor(recent: Pick<RecentChanges, "areOffered" | "latest">) {
  return (view: View) => (recent.areOffered ? sectionOf(view, recent.latest() ?? []) : undefined);
}

/** `changes`: newest first. */
function sectionOf(view: View, changes: readonly Change[]): Section {
  const [prices, releases] = [priceSeries(view, changes), releaseSeries(view, changes)];
  const remarks = remarksOf(view, [...prices, ...releases]);
  const [priceSteps, releaseSteps] = [prices.filter(hasChanged), releases.filter(hasChanged)];
  const rows = rowsOf([
    ...priceSteps.map(({ title, points }) => ({ title: `${title}, monthly`, points })),
    ...releaseSteps,
  ]);
  const [atom, json] = [view.base + ATOM_FEED_PATH, view.base + JSON_FEED_PATH];
  return {
    id: "history",
    title: "History",
    html: html`${remarks.map((remark) => html`<p>${remark}</p>`)}
      ${charts("Monthly prices", priceSteps, { view, row: priceRow })}
      ${charts("Releases", releaseSteps, { view, row: releaseRow })}
      ${
        rows.length > 0 &&
        html`<details>
          <summary>As a table</summary>
          ${htmlTable(COLUMNS, rows.map(tableRow))}
        </details>`
      }
      <p>Changes as an <a href="${atom}">Atom feed</a> or a <a href="${json}">JSON Feed</a>.</p>`,
    markdown: markdown`${remarks.map((remark) => markdown`${remark}\n\n`)}${rows.length > 0 && markdown`${markdownTable(COLUMNS, rows)}\n\n`}Feeds of changes: ${trusted<"markdown">(`<${atom}>, <${json}>`)}`,
  };
}

/** Monthly prices of the current plans. Prices from before the last change of currency are left out. */
function priceSeries({ facts: { plans } }: View, changes: readonly Change[]): Series<StepPoint>[] {
  if (plans.state !== "fresh") return [];
  const { currency } = plans.payload;
  const lists = changes
    .flatMap(({ changedAt, published }) =>
      published && "prices" in published ? [{ at: Date.parse(changedAt), ...published }] : [],
    )
    .toReversed();
  const inCurrency = lists.slice(lists.findLastIndex((list) => list.currency !== currency) + 1);
  return plans.payload.plans.flatMap(({ id }) => {
    const points: StepPoint[] = [];
    for (const { at, prices } of inCurrency) {
      const value = prices.get(id);
      if (value !== undefined && value !== points.at(-1)?.value) {
        points.push({ at, value, label: money(value, currency) });
      }
    }
    return points.length === 0 ? [] : [{ title: planName(id, plans.names).title, points }];
  });
}

function releaseSeries({ releases }: View, changes: readonly Change[]): Series[] {
  return releases.flatMap(({ platform, name, fact }) => {
    const points = fact.state === "fresh" ? versionsOf(changes.filter((change) => change.name === name)) : [];
    return points.length === 0 ? [] : [{ title: PLATFORM_NAMES[platform], points }];
  });
}

function versionsOf(changes: readonly Change[]): TimelinePoint[] {
  const points: TimelinePoint[] = [];
  for (const { changedAt, published } of changes.toReversed()) {
    const version = published && "version" in published ? (published.version ?? "no release") : undefined;
    if (version !== undefined && version !== points.at(-1)?.label)
      points.push({ at: Date.parse(changedAt), label: version });
  }
  return points;
}

/** The unavailable facts, and the time without changes. */
function remarksOf({ unavailable }: View, series: readonly Series[]): string[] {
  const missing =
    unavailable.length > 0 ? [`Currently unavailable, including the history: ${joinTitles(unavailable)}.`] : [];
  if (series.some(hasChanged)) return missing;
  const since = Math.min(...series.flatMap(({ points }) => points.map(({ at }) => at)));
  return [...missing, ...(series.length > 0 ? [`Watched since ${dayOf(since)}; no change yet.`] : [])];
}

function hasChanged({ points }: Series): boolean {
  return points.length > 1;
}

function charts<P extends TimelinePoint>(
  title: string,
  series: readonly Series<P>[],
  { view, row }: { view: View; row: (series: Series<P>, span: TimeSpan) => Html },
): Html | false {
  if (series.length === 0) return false;
  const span = timeSpan(view, series);
  const [first, last] = [dayOf(span.from), dayOf(span.to)];
  return html`<h3>${title}</h3>
    <dl class="lines">${series.slice(0, MAX_CHARTS).map((one) => row(one, span))}</dl>
    <p class="axis"><span>${first}</span>${last !== first && html`<span>${last}</span>`}</p>`;
}

/** It reaches from the first of the points to the last confirmation. */
function timeSpan({ facts }: View, series: readonly Series[]): TimeSpan {
  const points = series.flatMap(({ points }) => points);
  const confirmed = Object.values(facts).map((fact) => (fact.state === "fresh" ? Date.parse(fact.confirmedAt) : 0));
  return { from: Math.min(...points.map(({ at }) => at)), to: Math.max(...confirmed) };
}

function priceRow({ title, points }: Series<StepPoint>, span: TimeSpan): Html {
  const name = `Monthly price of ${title}: ${points.map(({ at, label }) => `${label} from ${dayOf(at)}`).join(", ")}`;
  return chartRow(capitalized(title), stepChart(name, points.slice(-MAX_POINTS), span), points.at(-1)?.label);
}

function releaseRow({ title, points }: Series, span: TimeSpan): Html {
  const name = `Releases for ${title}: ${points.map(({ at, label }) => `${label} on ${dayOf(at)}`).join(", ")}`;
  return chartRow(title, timeline(name, points.slice(-MAX_POINTS), span), points.at(-1)?.label);
}

function rowsOf(series: readonly Series[]): string[][] {
  return series
    .flatMap(({ title, points }) => points.map(({ at, label }) => ({ at, title, label })))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_ROWS)
    .map(({ at, title, label }) => [dayOf(at), title, label]);
}

function dayOf(at: number): string {
  return day(new Date(at).toISOString());
}
