// Health checks. /healthz: the process answers. /readyz: every snapshot can be served. /status: for each snapshot its
// state and times, the last collection's result, whether and why a candidate is held back, and why an older one in the store is
// refused; but no upstream address, no unpublished value and no reason for a failure.
import { describe, type SnapshotStatus } from "../../snapshots/fact-state.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import { json, type Answer } from "./answer.ts";
import type { CollectorReport } from "../mirror/collector-report.ts";
import type { Mirror } from "../mirror/mirror.ts";

export interface Vitals {
  mirror: Mirror;
  collector: CollectorReport;
}

export function healthz(): Answer {
  return json(200, JSON.stringify({ status: "ok" }));
}

/** 200 if all snapshots are fresh, otherwise 503 with the others. */
export function readyz(mirror: Mirror): Answer {
  const unavailable = SNAPSHOT_NAMES.filter((name) => mirror.timeLeft(name) <= 0);
  if (unavailable.length === 0) return json(200, JSON.stringify({ status: "ready" }));
  return json(503, JSON.stringify({ error: "Some snapshots are stale or missing.", unavailable }));
}

export function status(vitals: Vitals): Answer {
  return json(200, JSON.stringify({ snapshots: snapshotStates(vitals) }));
}

export function snapshotStates(vitals: Vitals): SnapshotStatus[] {
  return SNAPSHOT_NAMES.map((name) => stateOf(name, vitals));
}

function stateOf(name: SnapshotName, { mirror, collector }: Vitals): SnapshotStatus {
  const lookup = mirror.get(name);
  return describe(name, {
    snapshot: lookup.state === "missing" ? undefined : lookup.snapshot,
    timeLeft: mirror.timeLeft(name),
    refused: mirror.refused(name),
    held: collector.held(name),
    disagreements: collector
      .crossChecks(name)
      .flatMap(({ disagreement: one }) => (one ? [{ since: one.since, atOnce: one.atOnce }] : [])),
    last: collector.lastOutcome(name),
  });
}
