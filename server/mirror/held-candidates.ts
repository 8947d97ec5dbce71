// What the collector holds back, for /status: that, since when and why, in our own words, and never what. It follows the
// store beside the mirror, which knows facts only.
import { heldReasons, readHeldIfNot } from "../../snapshots/held.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Store, Version } from "../../snapshots/store.ts";
import { Follower, LATER } from "./follower.ts";

export interface Holding {
  /** ISO 8601, UTC. */
  since: string;
  sightings: number;
  reasons: string[];
}

/** How often the store is asked, milliseconds. */
const POLL = 1_000;

export class Holdings extends Follower {
  readonly #versions = new Map<SnapshotName, Version>();
  readonly #held = new Map<SnapshotName, Holding>();

  constructor(store: Store) {
    super(store, POLL, LATER);
  }

  look(name: SnapshotName): Holding | undefined {
    return this.#held.get(name);
  }

  protected override async read(): Promise<void> {
    await Promise.all(SNAPSHOT_NAMES.map((name) => this.#read(name)));
  }

  async #read(name: SnapshotName): Promise<void> {
    const read = await readHeldIfNot(this.store, name, this.#versions.get(name));
    if (read === "unchanged") return;
    const { held, version } = read;
    if (version !== undefined) this.#versions.set(name, version);
    if (held) {
      this.#held.set(name, { since: held.since, sightings: held.sightings, reasons: heldReasons(held) });
    } else this.#held.delete(name);
  }
}
