// Publishes facts into a store as a collector does: revisions begin again in a store that has come back empty.
import { publish, readSnapshot, type Snapshot } from "../../../snapshots/snapshot.ts";
import type { Store } from "../../../snapshots/store.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";
import { systemClock } from "../bench/connection.ts";

const DAY_MS = 24 * 60 * 60_000;

export class Publisher {
  readonly #store: Store;
  #count = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Publishes all snapshots that a server needs to be ready. */
  async fill(): Promise<void> {
    for (const platform of ["macos", "windows"] as const) await this.#publish(releaseSnapshot(platform), DAY_MS);
    await this.publishPlans();
  }

  /** Publishes plans that differ from all before, fresh for `life` ms. `startedAt`: by `systemClock`, before they were
   * written. `freshUntil`: in ms since the epoch. */
  publishPlans(life = DAY_MS): Promise<{ startedAt: number; freshUntil: number }> {
    return this.#publish(plansSnapshot({ plans: 12, revision: ++this.#count }), life);
  }

  async #publish(facts: Snapshot, life: number): Promise<{ startedAt: number; freshUntil: number }> {
    const last = await readSnapshot(this.#store, facts.name, Infinity);
    const found = last.state === "found" ? last.snapshot : undefined;
    const now = Date.now();
    const [confirmedAt, freshUntil] = [now, now + life].map((time) => new Date(time).toISOString()) as [string, string];
    const times = { changedAt: confirmedAt, confirmedAt, freshUntil };
    const snapshot = { ...facts, ...times, revision: (found?.revision ?? 0) + 1 };
    const startedAt = systemClock();
    await publish(this.#store, snapshot, last);
    return { startedAt, freshUntil: now + life };
  }
}
