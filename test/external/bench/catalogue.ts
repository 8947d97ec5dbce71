// Snapshot stores with plans for the bench, by the system clock.
import * as fsPromises from "node:fs/promises";
import { publish, readSnapshot } from "../../../snapshots/snapshot.ts";
import { openFileStore } from "../../../snapshots/stores/files/file-store.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

/** The number of plans in a body of 1.5 KB. */
export const USUAL_PLANS = 12;

/** Publishes snapshots into a directory, as a collector does. */
export class Catalogue {
  readonly #plans: number;
  readonly #store;
  #revision = 0;

  /** `onPlans`: called after new plans have been renamed into place. */
  constructor(directory: string, plans: number, onPlans = () => {}) {
    this.#plans = plans;
    const rename: typeof fsPromises.rename = async (from, to) => {
      await fsPromises.rename(from, to);
      if (String(to).endsWith("plans.json")) onPlans();
    };
    this.#store = openFileStore(directory, { ...fsPromises, rename });
  }

  /** Publishes all snapshots that Vitrine needs to be ready. */
  async fill(): Promise<void> {
    for (const platform of ["macos", "windows"] as const) {
      const release = releaseSnapshot(platform, { confirmedAt: Date.now() });
      await publish(this.#store, release, { version: undefined });
    }
    await this.publishNext();
  }

  /** Publishes plans that differ from the last ones. */
  async publishNext(): Promise<void> {
    this.#revision++;
    const next = plansSnapshot({ plans: this.#plans, revision: this.#revision, confirmedAt: Date.now() });
    const last = await readSnapshot(this.#store, "plans", Infinity);
    await publish(this.#store, next, last);
  }
}
