// Health checks. /healthz: the process answers. /readyz: every snapshot can be served. /status: for each snapshot its
// state and times, the last collection's result, whether and why a candidate is held back, and why an older one in the store is
// refused; but no upstream address, no unpublished value and no reason for a failure.
import type { SnapshotStatus } from "../../snapshots/fact-state.ts";
import { isAging, SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
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

/** The fields that do not apply are undefined, and JSON omits them. */
export function snapshotStates(vitals: Vitals): SnapshotStatus[] {
  return SNAPSHOT_NAMES.map((name) => stateOf(name, vitals));
}

function stateOf(name: SnapshotName, { mirror, collector }: Vitals): SnapshotStatus {
  const lookup = mirror.get(name);
  const outcome = collector.lastOutcome(name);
  const lastOutcome = outcome && { result: outcome.result, finishedAt: outcome.finishedAt };
  const collected = { held: collector.held(name), disagreements: disagreementsOf(name, collector), lastOutcome };
  if (lookup.state === "missing") return { name, state: lookup.state, ...collected };
  const { revision, changedAt, confirmedAt, freshUntil } = lookup.snapshot;
  const aging = lookup.state === "fresh" && isAging(lookup.snapshot, lookup.timeLeft) ? true : undefined;
  const refused = mirror.refused(name);
  return { name, state: lookup.state, aging, revision, changedAt, confirmedAt, freshUntil, refused, ...collected };
}

function disagreementsOf(name: SnapshotName, collector: CollectorReport): SnapshotStatus["disagreements"] {
  const disagreements = collector
    .crossChecks(name)
    .flatMap(({ disagreement }) => (disagreement ? [{ since: disagreement.since, atOnce: disagreement.atOnce }] : []));
  return disagreements.length > 0 ? disagreements : undefined;
}
