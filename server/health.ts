// Health for machines that look after the server. /healthz: the process answers. /readyz: every snapshot is servable.
// /status: each snapshot's state and times, and that something is held back and why; no upstream address, no value that is
// not published, no reason of a failure.
import { SNAPSHOT_NAMES, type SnapshotName } from "../snapshots/snapshot.ts";
import { json, type Answer } from "./answer.ts";
import type { Holding } from "./holdings.ts";
import type { Mirror } from "./mirror.ts";

export interface Status {
  name: SnapshotName;
  state: "fresh" | "stale" | "missing";
  revision?: number;
  changedAt?: string;
  confirmedAt?: string;
  freshUntil?: string;
  /** What the source says now is held back as a likely accident. */
  held?: Holding;
}

export function healthz(): Answer {
  return json(200, JSON.stringify({ status: "ok" }));
}

/** 200 when all are fresh, otherwise 503 with those that are not. */
export function readyz(mirror: Mirror): Answer {
  const unavailable = statuses(mirror).filter(({ state }) => state !== "fresh");
  if (unavailable.length === 0) return json(200, JSON.stringify({ status: "ready" }));
  return json(
    503,
    JSON.stringify({ error: "Some snapshots are stale or missing.", unavailable: unavailable.map(({ name }) => name) }),
  );
}

export function status(mirror: Mirror, held: (name: SnapshotName) => Holding | undefined): Answer {
  const snapshots = statuses(mirror).map((row) => ({ ...row, held: held(row.name) }));
  return json(200, JSON.stringify({ snapshots }));
}

function statuses(mirror: Mirror): Status[] {
  return SNAPSHOT_NAMES.map((name) => {
    const look = mirror.look(name);
    if (look.state === "missing") return { name, state: look.state };
    const { revision, changedAt, confirmedAt, freshUntil } = look.snapshot;
    return { name, state: look.state, revision, changedAt, confirmedAt, freshUntil };
  });
}
