// What the page tells: everything in it comes from here, and a fact that may not be believed is not in it at all.
import type { LatestReleaseResponse, Platform, PlansResponse } from "../../snapshots/schema.ts";
import type { Collections } from "../../snapshots/report.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { ApiIndex } from "../api-index.ts";
import type { Change } from "../mirror/recent-changes.ts";
import type { ApiSettings } from "../settings.ts";
import type { Look } from "../mirror/mirror.ts";
import type { Operation } from "../documents/operations.ts";

/** What is told of a snapshot. Times are ISO 8601, UTC. */
export type Told<P> = Fresh<P> | Untold;
export type Fresh<P> = Times & { state: "fresh"; payload: P };
/** Stale or missing: without a payload. */
export type Untold = (Times & { state: "stale" }) | { state: "missing" };
interface Times {
  confirmedAt: string;
  changedAt: string;
  freshUntil: string;
}

/** What stays the same while the server runs. */
export interface Setting {
  api: ApiSettings;
  index: ApiIndex;
  /** The public base URL, without a slash at its end. */
  base: string;
  operations: readonly Operation[];
  /** A `data:` URI. */
  logo: string | undefined;
}

export interface View extends Setting {
  /** With the first plans and cycles only. */
  plans: Told<PlansResponse>;
  /** Of all plans, when they are fresh. */
  totals: Totals | undefined;
  releases: readonly { platform: Platform; name: SnapshotName; told: Told<LatestReleaseResponse> }[];
  /** All three, by name. */
  told: Readonly<Record<SnapshotName, Told<unknown>>>;
  /** Newest first. */
  changes: readonly Change[];
  collections: Collections;
}

/** Sums over all plans. Prices are by the month; without plans, infinite. */
interface Totals {
  plans: number;
  least: number;
  most: number;
}

/** Most plans and cycles that the page shows. */
const MAX_PLANS = 60;
const MAX_CYCLES = 24;

/** Where the page's facts are. */
export interface Seen {
  look: (name: SnapshotName) => Look;
  changes: readonly Change[];
  collections: Collections;
}

export function viewOf(setting: Setting, { look, changes, collections }: Seen): View {
  const allPlans = told<PlansResponse>(look("plans"));
  const plans = beginning(allPlans);
  const macos = told<LatestReleaseResponse>(look("release-macos"));
  const windows = told<LatestReleaseResponse>(look("release-windows"));
  return {
    ...setting,
    plans,
    totals: allPlans.state === "fresh" ? totalsOf(allPlans.payload) : undefined,
    releases: [
      { platform: "macos", name: "release-macos", told: macos },
      { platform: "windows", name: "release-windows", told: windows },
    ],
    told: { plans, "release-macos": macos, "release-windows": windows },
    changes,
    collections,
  };
}

/** The snapshots whose facts the page tells. */
export function toldNames({ told }: View): SnapshotName[] {
  return SNAPSHOT_NAMES.filter((name) => told[name].state === "fresh");
}

function told<P>(look: Look): Told<P> {
  if (look.state === "missing") return { state: "missing" };
  const { confirmedAt, changedAt, freshUntil } = look.snapshot;
  const times = { confirmedAt, changedAt, freshUntil };
  if (look.state === "stale") return { state: "stale", ...times };
  return { state: "fresh", ...times, payload: look.snapshot.payload as P };
}

function beginning(told: Told<PlansResponse>): Told<PlansResponse> {
  if (told.state !== "fresh") return told;
  const { currency, cycles, plans } = told.payload;
  return { ...told, payload: { currency, cycles: cycles.slice(0, MAX_CYCLES), plans: plans.slice(0, MAX_PLANS) } };
}

function totalsOf({ plans }: PlansResponse): Totals {
  const prices = plans.map(({ monthlyPrice }) => monthlyPrice);
  return { plans: plans.length, least: Math.min(...prices), most: Math.max(...prices) };
}
