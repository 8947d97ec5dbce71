// Whether the store still has reports of a collector: it may have stopped, or may write to another engine since a fail-over or a move.
import { SNAPSHOT_NAMES } from "../../../snapshots/snapshot.ts";
import type { CollectorReport } from "../../mirror/collector-report.ts";

/** No interval counts as shorter: after a few runs by hand, the next slot is not late. */
const MIN_INTERVAL_MS = 5 * 60_000;

/** When the last collection ended, if that is more than two of the usual intervals before `now`; ISO 8601, UTC. */
export function silentSince(collector: CollectorReport, now: number): string | undefined {
  const interval = Math.min(...SNAPSHOT_NAMES.map((name) => collector.interval(name) ?? Infinity));
  const ends = SNAPSHOT_NAMES.flatMap((name) => collector.collections()[name] ?? []).map(({ at }) => Date.parse(at));
  const last = Math.max(...ends);
  return now - last > 2 * Math.max(interval, MIN_INTERVAL_MS) ? new Date(last).toISOString() : undefined;
}
