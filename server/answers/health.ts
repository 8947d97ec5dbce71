// Health checks. /healthz: the process answers. /readyz: every snapshot can be served. /status: for each snapshot its
// state and times, the last collection's result, and whether and why a candidate is held back; but no upstream address,
// no unpublished value and no reason for a failure.
import { isAging, SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Reported } from "../../snapshots/records.ts";
import { json, type Answer } from "./answer.ts";
import type { CollectorReport, Holding } from "../mirror/collector-report.ts";
import type { Lookup, Mirror } from "../mirror/mirror.ts";

/** The sources of the answers. */
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

/** The fields that do not apply are undefined, and JSON omits them. Times are ISO 8601, UTC. */
export interface SnapshotState {
  name: SnapshotName;
  state: Lookup["state"];
  aging?: true | undefined;
  revision?: number;
  changedAt?: string;
  confirmedAt?: string;
  freshUntil?: string;
  held: Holding | undefined;
  /** The cross-checks that disagree. What they have is not published. */
  disagreements: { since: string }[] | undefined;
  lastOutcome: Pick<Reported, "result" | "finishedAt"> | undefined;
}

export function snapshotStates(vitals: Vitals): SnapshotState[] {
  return SNAPSHOT_NAMES.map((name) => stateOf(name, vitals));
}

function stateOf(name: SnapshotName, { mirror, collector }: Vitals): SnapshotState {
  const lookup = mirror.get(name);
  const outcome = collector.lastOutcome(name);
  const lastOutcome = outcome && { result: outcome.result, finishedAt: outcome.finishedAt };
  const collected = { held: collector.held(name), disagreements: disagreementsOf(name, collector), lastOutcome };
  if (lookup.state === "missing") return { name, state: lookup.state, ...collected };
  const { revision, changedAt, confirmedAt, freshUntil } = lookup.snapshot;
  const aging = lookup.state === "fresh" && isAging(lookup.snapshot, lookup.timeLeft) ? true : undefined;
  return { name, state: lookup.state, aging, revision, changedAt, confirmedAt, freshUntil, ...collected };
}

function disagreementsOf(name: SnapshotName, collector: CollectorReport): SnapshotState["disagreements"] {
  const disagreements = collector
    .crossChecks(name)
    .flatMap(({ disagreement }) => (disagreement ? [{ since: disagreement.since }] : []));
  return disagreements.length > 0 ? disagreements : undefined;
}
