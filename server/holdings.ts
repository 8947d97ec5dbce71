// What the collector holds back, for /status: that, since when and why, in our own words, and never what. It follows the
// store beside the mirror, which knows facts only.
import { heldReasons, readHeld } from "../snapshots/held.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../snapshots/snapshot.ts";
import type { Store, Version } from "../snapshots/store.ts";
import { Follower, LATER } from "./follower.ts";

export interface Holding {
  /** ISO 8601, UTC. */
  since: string;
  sightings: number;
  reasons: string[];
}

/** How often the store is asked, milliseconds. */
const POLL = 1_000;

export class Holdings {
  readonly #store: Store;
  readonly #follower: Follower;
  readonly #versions = new Map<SnapshotName, Version>();
  readonly #held = new Map<SnapshotName, Holding>();

  constructor(store: Store) {
    this.#store = store;
    const readAll = async () => {
      await Promise.all(SNAPSHOT_NAMES.map((name) => this.#read(name)));
    };
    this.#follower = new Follower(store, POLL, readAll, LATER);
  }

  /** Reads the store, then keeps following it until `stop`. */
  start(): Promise<void> {
    return this.#follower.start();
  }

  stop(): void {
    this.#follower.stop();
  }

  look(name: SnapshotName): Holding | undefined {
    return this.#held.get(name);
  }

  refresh(): Promise<void> {
    return this.#follower.refresh();
  }

  async #read(name: SnapshotName): Promise<void> {
    const known = this.#versions.get(name);
    const read = known === undefined ? await readHeld(this.#store, name) : await readHeld(this.#store, name, known);
    if (read === "unchanged") return;
    const { held, version } = read;
    if (version !== undefined) this.#versions.set(name, version);
    if (held) {
      this.#held.set(name, { since: held.since, sightings: held.sightings, reasons: heldReasons(held) });
    } else this.#held.delete(name);
  }
}
