// What changed and when: prices in steps, releases on a line, and both as a table.
import { FEED } from "../../documents/atom-feed.ts";
import { stepChart, timeline } from "../charts.ts";
import { html, markdown, markdownTable, trusted, type Html } from "../markup.ts";
import { priceSteps, releasesOf, spanOf, type PriceSteps, type Releases } from "../history-series.ts";
import { line, type Section } from "../components.ts";
import type { View } from "../view.ts";
import { day, list, PLATFORM_NAMES, sentence, SNAPSHOT_TITLES } from "../format.ts";
import { SNAPSHOT_NAMES } from "../../../snapshots/snapshot.ts";

/** Most charts of prices, most points of a chart, and most rows of the table. */
const MOST_CHARTS = 8;
const MOST_POINTS = 20;
const MOST_ROWS = 40;

export function historySection(view: View): Section {
  const prices = priceSteps(view);
  const releases = releasesOf(view);
  const rows = rowsOf(prices, releases);
  const untold = SNAPSHOT_NAMES.filter((name) => view.told[name].state !== "fresh").map(
    (name) => SNAPSHOT_TITLES[name],
  );
  const remark =
    untold.length > 0
      ? `${list(untold)}: unavailable at the moment, and so is the history.`
      : rows.length === 0 && "No change has been kept yet.";
  const feed = view.base + FEED;
  return {
    id: "history",
    title: "History",
    html: html`${remark !== false && html`<p class="unavailable">${remark}</p>`}
      ${prices.length > 0 && priceCharts(prices, view)} ${releases.length > 0 && timelines(releases, view)}
      ${
        rows.length > 0 &&
        html`<details>
          <summary>The same as a table</summary>
          ${table(rows)}
        </details>`
      }
      <p>New changes, for feed readers: <a href="${feed}">the feed</a>.</p>`,
    markdown: markdown`${remark !== false && markdown`${remark}\n\n`}${rows.length > 0 && markdown`${markdownTable(["Date", "What", "From then on"], rows)}\n\n`}Feed of changes: ${trusted<"markdown">(`<${feed}>`)}`,
  };
}

function priceCharts(prices: readonly PriceSteps[], view: View): Html {
  const span = spanOf(
    view,
    prices.flatMap(({ points }) => points),
  );
  const rows = prices.slice(0, MOST_CHARTS).map(({ plan, points }) => {
    const name = `Price of ${plan} by the month: ${points.map(({ at, label }) => `${label} from ${dayOf(at)}`).join(", ")}`;
    return line(sentence(plan), stepChart(name, points.slice(-MOST_POINTS), span), points.at(-1)?.label);
  });
  return html`<h3>Prices by the month</h3>
    <dl class="lines">${rows}</dl>
    ${axis(span.from, span.to)}`;
}

function timelines(releases: readonly Releases[], view: View): Html {
  const span = spanOf(
    view,
    releases.flatMap(({ points }) => points),
  );
  const rows = releases.map(({ platform, points }) => {
    const title = PLATFORM_NAMES[platform];
    const name = `Releases for ${title}: ${points.map(({ at, label }) => `${label} on ${dayOf(at)}`).join(", ")}`;
    return line(title, timeline(name, points.slice(-MOST_POINTS), span), points.at(-1)?.label);
  });
  return html`<h3>Releases</h3>
    <dl class="lines">${rows}</dl>
    ${axis(span.from, span.to)}`;
}

function axis(from: number, to: number): Html {
  const [first, last] = [dayOf(from), dayOf(to)];
  return html`<p class="axis"><span>${first}</span>${last !== first && html`<span>${last}</span>`}</p>`;
}

/** Newest first: date, what, and what it was from then on. */
function rowsOf(prices: readonly PriceSteps[], releases: readonly Releases[]): [string, string, string][] {
  const rows = [
    ...prices.flatMap(({ plan, points }) =>
      points.map(({ at, label }) => ({ at, what: `${plan}, by the month`, value: label })),
    ),
    ...releases.flatMap(({ platform, points }) =>
      points.map(({ at, label }) => ({ at, what: PLATFORM_NAMES[platform], value: label })),
    ),
  ].toSorted((a, b) => b.at - a.at);
  return rows.slice(0, MOST_ROWS).map(({ at, what, value }) => [dayOf(at), what, value]);
}

function table(rows: readonly (readonly string[])[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Date</th>
        <th scope="col">What</th>
        <th scope="col">From then on</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([date, what, value]) =>
          html`<tr>
            <td>${date}</td>
            <td>${what}</td>
            <td>${value}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}

function dayOf(at: number): string {
  return day(new Date(at).toISOString());
}
