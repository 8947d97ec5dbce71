// Snapshots that are valid now, by the system clock.
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { allSnapshots } from "../../support/serving/server.ts";

const DAY_MS = 24 * 60 * 60_000;

/** One snapshot of each name, fresh for `life` ms. */
export function currentSnapshots(life = DAY_MS): Snapshot[] {
  const [confirmedAt, freshUntil] = [0, life].map((time) => new Date(Date.now() + time).toISOString()) as [
    string,
    string,
  ];
  return allSnapshots().map((snapshot) => ({ ...snapshot, changedAt: confirmedAt, confirmedAt, freshUntil }));
}
