// The history of prices and releases, as charts and as a table.
import { FEED_PATH } from "../../documents/atom-feed.ts";
import { stepChart, timeline } from "../charts.ts";
import { html, markdown, markdownTable, trusted, type Html } from "../markup.ts";
import { priceSeries, releaseSeries, timeSpan, type PriceSeries, type ReleaseSeries } from "../history-series.ts";
import { chartRow, htmlTable, tableRow, type Section } from "../components.ts";
import type { View } from "../view.ts";
import { capitalized, day, joinTitles, PLATFORM_NAMES } from "../format.ts";

const MAX_PRICE_CHARTS = 8;
/** Of each chart. */
const MAX_POINTS = 20;
const MAX_ROWS = 40;
const COLUMNS = ["Date", "Fact", "New value"];

export function historySection(view: View): Section {
  const prices = priceSeries(view);
  const releases = releaseSeries(view);
  const rows = rowsOf(prices, releases);
  const remark =
    view.unavailable.length > 0
      ? `Currently unavailable, including the history: ${joinTitles(view.unavailable)}.`
      : rows.length === 0 && "No changes recorded yet.";
  const feed = view.base + FEED_PATH;
  return {
    id: "history",
    title: "History",
    html: html`${remark !== false && html`<p class="unavailable">${remark}</p>`}
      ${prices.length > 0 && priceCharts(prices, view)} ${releases.length > 0 && timelines(releases, view)}
      ${
        rows.length > 0 &&
        html`<details>
          <summary>As a table</summary>
          ${htmlTable(COLUMNS, rows.map(tableRow))}
        </details>`
      }
      <p>Changes as an <a href="${feed}">Atom feed</a>.</p>`,
    markdown: markdown`${remark !== false && markdown`${remark}\n\n`}${rows.length > 0 && markdown`${markdownTable(COLUMNS, rows)}\n\n`}Feed of changes: ${trusted<"markdown">(`<${feed}>`)}`,
  };
}

function priceCharts(prices: readonly PriceSeries[], view: View): Html {
  const span = timeSpan(view, prices);
  const rows = prices.slice(0, MAX_PRICE_CHARTS).map(({ plan, points }) => {
    const name = `Monthly price of ${plan}: ${points.map(({ at, label }) => `${label} from ${dayOf(at)}`).join(", ")}`;
    return chartRow(capitalized(plan), stepChart(name, points.slice(-MAX_POINTS), span), points.at(-1)?.label);
  });
  return html`<h3>Monthly prices</h3>
    <dl class="lines">${rows}</dl>
    ${axis(span.from, span.to)}`;
}

function timelines(releases: readonly ReleaseSeries[], view: View): Html {
  const span = timeSpan(view, releases);
  const rows = releases.map(({ platform, points }) => {
    const title = PLATFORM_NAMES[platform];
    const name = `Releases for ${title}: ${points.map(({ at, label }) => `${label} on ${dayOf(at)}`).join(", ")}`;
    return chartRow(title, timeline(name, points.slice(-MAX_POINTS), span), points.at(-1)?.label);
  });
  return html`<h3>Releases</h3>
    <dl class="lines">${rows}</dl>
    ${axis(span.from, span.to)}`;
}

function axis(from: number, to: number): Html {
  const [first, last] = [dayOf(from), dayOf(to)];
  return html`<p class="axis"><span>${first}</span>${last !== first && html`<span>${last}</span>`}</p>`;
}

/** Newest first: date, fact and new value. */
function rowsOf(prices: readonly PriceSeries[], releases: readonly ReleaseSeries[]): string[][] {
  const rows = [
    ...prices.flatMap(({ plan, points }) =>
      points.map(({ at, label }) => ({ at, fact: `${plan}, monthly`, value: label })),
    ),
    ...releases.flatMap(({ platform, points }) =>
      points.map(({ at, label }) => ({ at, fact: PLATFORM_NAMES[platform], value: label })),
    ),
  ].toSorted((a, b) => b.at - a.at);
  return rows.slice(0, MAX_ROWS).map(({ at, fact, value }) => [dayOf(at), fact, value]);
}

function dayOf(at: number): string {
  return day(new Date(at).toISOString());
}
