// Health for machines that look after the server. /healthz: the process answers. /readyz: every snapshot is servable.
// /status: each snapshot's state and times, that something is held back and why, and what the last collection came to; no
// upstream address, no value that is not published, no reason of a failure.
import { isAging, SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import { json, type Answer } from "./answer.ts";
import type { CollectorReport } from "../mirror/collector-report.ts";
import type { Mirror } from "../mirror/mirror.ts";

/** Where the answers come from. */
export interface Vitals {
  mirror: Mirror;
  collector: CollectorReport;
}

export function healthz(): Answer {
  return json(200, JSON.stringify({ status: "ok" }));
}

/** 200 when all are fresh, otherwise 503 with those that are not. */
export function readyz(mirror: Mirror): Answer {
  const unavailable = SNAPSHOT_NAMES.filter((name) => mirror.timeLeft(name) <= 0);
  if (unavailable.length === 0) return json(200, JSON.stringify({ status: "ready" }));
  return json(503, JSON.stringify({ error: "Some snapshots are stale or missing.", unavailable }));
}

export function status(vitals: Vitals): Answer {
  return json(200, JSON.stringify({ snapshots: SNAPSHOT_NAMES.map((name) => statusOf(name, vitals)) }));
}

/** A field without a value is left out of the JSON. */
function statusOf(name: SnapshotName, { mirror, collector }: Vitals) {
  const look = mirror.get(name);
  const { result, finishedAt } = collector.lastOutcome(name) ?? {};
  const told = { held: collector.held(name), lastOutcome: result && { result, finishedAt } };
  if (look.state === "missing") return { name, state: look.state, ...told };
  const { revision, changedAt, confirmedAt, freshUntil } = look.snapshot;
  const aging = look.state === "fresh" && isAging(look.snapshot, look.timeLeft) ? true : undefined;
  return { name, state: look.state, aging, revision, changedAt, confirmedAt, freshUntil, ...told };
}
