// The history as charts and tables need it: price steps by plan and releases by platform, oldest first. Of snapshots that
// are unavailable nothing is told: the last of what they were would be read as what they are.
import type { Platform } from "../../snapshots/schema.ts";
import type { Change } from "../mirror/recent-changes.ts";
import type { Moment, Point, Span } from "./charts.ts";
import type { View } from "./view.ts";
import { money } from "./format.ts";

/** `points`: price by the month, in `currency`. */
export interface PriceSteps {
  plan: string;
  currency: string;
  points: Point[];
}

export interface Releases {
  platform: Platform;
  points: Moment[];
}

/** Of the plans that there are now. A price in another currency is no step of the same line: it begins anew. */
export function priceSteps({ plans, changes }: View): PriceSteps[] {
  if (plans.state !== "fresh") return [];
  const { currency } = plans.payload;
  const past = changes
    .flatMap(({ changedAt, published }) =>
      published && "prices" in published ? [{ at: Date.parse(changedAt), ...published }] : [],
    )
    .toReversed();
  const sinceCurrency = past.slice(past.findLastIndex((one) => one.currency !== currency) + 1);
  return plans.payload.plans.flatMap(({ id }) => {
    const points: Point[] = [];
    for (const { at, prices } of sinceCurrency) {
      const value = prices.get(id);
      if (value !== undefined && value !== points.at(-1)?.value) {
        points.push({ at, value, label: money(value, currency) });
      }
    }
    return points.length === 0 ? [] : [{ plan: id, currency, points }];
  });
}

export function releasesOf({ releases, changes }: View): Releases[] {
  return releases.flatMap(({ platform, name, told }) => {
    const points = told.state === "fresh" ? versionsOf(changes.filter((change) => change.name === name)) : [];
    return points.length === 0 ? [] : [{ platform, points }];
  });
}

/** From the first change that is told to the last confirmation. */
export function spanOf({ told }: View, points: readonly { at: number }[]): Span {
  const confirmed = Object.values(told).map((one) => (one.state === "fresh" ? Date.parse(one.confirmedAt) : 0));
  return { from: Math.min(...points.map(({ at }) => at)), to: Math.max(...confirmed) };
}

function versionsOf(changes: readonly Change[]): Releases["points"] {
  const points: Releases["points"] = [];
  for (const { changedAt, published } of changes.toReversed()) {
    const version = published && "version" in published ? (published.version ?? "no release") : undefined;
    if (version !== undefined && version !== points.at(-1)?.label)
      points.push({ at: Date.parse(changedAt), label: version });
  }
  return points;
}
