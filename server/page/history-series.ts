// The history as series for charts and tables: prices by plan and versions by platform, oldest first. Unavailable
// snapshots have none, because readers would take the last value for the current one.
import type { Change } from "../mirror/recent-changes.ts";
import type { TimelinePoint, StepPoint, TimeSpan } from "./charts.ts";
import type { View } from "./view.ts";
import { money, PLATFORM_NAMES } from "../format.ts";

export interface Series<P extends TimelinePoint = TimelinePoint> {
  title: string;
  points: P[];
}

/** Monthly prices of the current plans. Prices from before the last change of currency are left out. */
export function priceSeries({ facts: { plans }, changes }: View): Series<StepPoint>[] {
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
    return points.length === 0 ? [] : [{ title: id, points }];
  });
}

export function releaseSeries({ releases, changes }: View): Series[] {
  return releases.flatMap(({ platform, name, fact }) => {
    const points = fact.state === "fresh" ? versionsOf(changes.filter((change) => change.name === name)) : [];
    return points.length === 0 ? [] : [{ title: PLATFORM_NAMES[platform], points }];
  });
}

/** From the first of the points to the last confirmation. */
export function timeSpan({ facts }: View, series: readonly Series[]): TimeSpan {
  const points = series.flatMap(({ points }) => points);
  const confirmed = Object.values(facts).map((fact) => (fact.state === "fresh" ? Date.parse(fact.confirmedAt) : 0));
  return { from: Math.min(...points.map(({ at }) => at)), to: Math.max(...confirmed) };
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
