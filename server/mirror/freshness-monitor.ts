// Keeps watch over the snapshots' ages, and tells once of each change: past half of the lifetime, stale, fresh again. Time
// makes most of these changes, so it looks each second; no request ever does.
import { isAging, SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Mirror } from "./mirror.ts";

/** `aging`: fresh, but half of its lifetime is spent. */
export type Condition = "fresh" | "aging" | "stale" | "missing";

/** `left`: milliseconds for which it may still be believed. */
export type Told = (change: { name: SnapshotName; condition: Condition; left: number }) => void;

/** Milliseconds. */
const PACE = 1_000;

export class Vigil {
  readonly #mirror: Mirror;
  readonly #tell: Told;
  readonly #conditions = new Map<SnapshotName, Condition>();
  #stop = () => {};

  constructor(mirror: Mirror, tell: Told) {
    this.#mirror = mirror;
    this.#tell = tell;
  }

  /** From here on. How things are now is nothing new: whoever starts the server says it. */
  start(): void {
    for (const name of SNAPSHOT_NAMES) this.#conditions.set(name, conditionOf(this.#mirror, name));
    const timer = setInterval(() => this.look(), PACE).unref();
    this.#mirror.onChange(() => this.look());
    this.#stop = () => clearInterval(timer);
  }

  stop(): void {
    this.#stop();
  }

  /** Tells what has changed since the last look. */
  look(): void {
    for (const name of SNAPSHOT_NAMES) {
      const condition = conditionOf(this.#mirror, name);
      const before = this.#conditions.get(name);
      if (condition === before) continue;
      this.#conditions.set(name, condition);
      // A first collection is no recovery: its outcome is told as such.
      if (before !== "missing") this.#tell({ name, condition, left: this.#mirror.left(name) });
    }
  }
}

/** How a snapshot is now. */
function conditionOf(mirror: Mirror, name: SnapshotName): Condition {
  const look = mirror.look(name);
  return look.state === "fresh" && isAging(look.snapshot, look.left) ? "aging" : look.state;
}
