// Reports each change of a snapshot's condition once: past half of its lifetime, stale, fresh again. Most of these
// changes come with time alone, so a timer looks for them each second, never a request.
import { isAging, SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Lookup, Mirror } from "./mirror.ts";

/** `aging`: fresh, but half of its lifetime is spent. */
export type Condition = Lookup["state"] | "aging";

/** `timeLeft`: for how long the snapshot may still be served, in ms. */
export interface ConditionChange {
  name: SnapshotName;
  condition: Condition;
  timeLeft: number;
}

const CHECK_MS = 1_000;

export class FreshnessMonitor {
  readonly #mirror: Mirror;
  readonly #report: (change: ConditionChange) => void;
  readonly #conditions = new Map<SnapshotName, Condition>();
  #stop = () => {};

  constructor(mirror: Mirror, report: (change: ConditionChange) => void) {
    this.#mirror = mirror;
    this.#report = report;
  }

  /** Reports changes from now on. The present conditions are not reported. */
  start(): void {
    for (const name of SNAPSHOT_NAMES) this.#conditions.set(name, conditionOf(this.#mirror, name));
    const timer = setInterval(() => this.check(), CHECK_MS).unref();
    this.#mirror.onChange(() => this.check());
    this.#stop = () => clearInterval(timer);
  }

  stop(): void {
    this.#stop();
  }

  /** Reports the changes since the last check. */
  check(): void {
    for (const name of SNAPSHOT_NAMES) {
      const condition = conditionOf(this.#mirror, name);
      const before = this.#conditions.get(name);
      if (condition === before) continue;
      this.#conditions.set(name, condition);
      // A first collection is not a recovery, and its outcome is reported anyway.
      if (before !== "missing") this.#report({ name, condition, timeLeft: this.#mirror.timeLeft(name) });
    }
  }
}

function conditionOf(mirror: Mirror, name: SnapshotName): Condition {
  const lookup = mirror.get(name);
  return lookup.state === "fresh" && isAging(lookup.snapshot, lookup.timeLeft) ? "aging" : lookup.state;
}
