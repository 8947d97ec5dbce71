// What the page tells: everything in it comes from here, and a fact that may not be believed is not in it at all.
import type { Totals } from "../../snapshots/excerpt.ts";
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

/** Where the page's facts are. */
export interface Seen {
  look: (name: SnapshotName) => Look;
  changes: readonly Change[];
  collections: Collections;
}

export function viewOf(setting: Setting, { look, changes, collections }: Seen): View {
  const seen = look("plans");
  const plans = told<PlansResponse>(seen);
  const macos = told<LatestReleaseResponse>(look("release-macos"));
  const windows = told<LatestReleaseResponse>(look("release-windows"));
  return {
    ...setting,
    plans,
    totals: seen.state === "fresh" ? seen.snapshot.excerpt.totals : undefined,
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
  return { state: "fresh", ...times, payload: look.snapshot.excerpt.payload as P };
}
