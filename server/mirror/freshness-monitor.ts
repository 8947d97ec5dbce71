// Reports each change of a snapshot's condition once: past half of its lifetime, stale, fresh again. Most of these
// changes come with time alone, so a timer looks for them each second, never a request.
import { conditionOf, type Condition } from "../../snapshots/fact-state.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Mirror } from "./mirror.ts";

/** `timeLeft`: for how long the snapshot may still be served, in ms. */
export interface ConditionChange {
  name: SnapshotName;
  condition: Condition;
  timeLeft: number;
}

const CHECK_MS = 1_000;

/** Reports changes until `stop`; the present conditions are not reported. `check` reports those since the last check. */
export function monitorFreshness(
  mirror: Mirror,
  report: (change: ConditionChange) => void,
): { check(): void; stop(): void } {
  const present = (name: SnapshotName) => {
    const lookup = mirror.get(name);
    return conditionOf(lookup.state === "missing" ? undefined : lookup.snapshot, mirror.timeLeft(name));
  };
  const conditions = new Map(SNAPSHOT_NAMES.map((name) => [name, present(name)]));
  function check(): void {
    for (const [name, before] of conditions) {
      const condition = present(name);
      if (condition === before) continue;
      conditions.set(name, condition);
      // A first collection is not a recovery, and its outcome is reported anyway.
      if (before !== "missing") report({ name, condition, timeLeft: mirror.timeLeft(name) });
    }
  }
  const timer = setInterval(check, CHECK_MS).unref();
  mirror.onChange(check);
  return { check, stop: () => clearInterval(timer) };
}
