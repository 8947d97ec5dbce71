// The memory copy of what the collections came to, for the page, /status and /metrics. It follows the store, so it tells
// the same whether the collector runs in this process or in another.
import { readReportIfNot, type Collections, type Reported } from "../../snapshots/report.ts";
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import type { Store, Version } from "../../snapshots/store.ts";
import { Follower, LATER } from "./follower.ts";

/** How often the store is asked, milliseconds. */
const POLL = 1_000;

export class LastRun extends Follower {
  #version: Version | undefined;
  #outcomes: readonly Reported[] = [];
  #collections: Collections = {};

  constructor(store: Store) {
    super(store, POLL, LATER);
  }

  /** The last outcome for a snapshot; undefined before the first collection, or when nothing of it can be read. */
  look(name: SnapshotName): Reported | undefined {
    return this.#outcomes.find((outcome) => outcome.name === name);
  }

  /** The latest results of every snapshot. */
  collections(): Collections {
    return this.#collections;
  }

  protected override async read(): Promise<void> {
    const read = await readReportIfNot(this.store, this.#version);
    if (read === "unchanged") return;
    this.#version = read.version;
    // Numbers that counted up must not vanish with a bad read: what cannot be read leaves what was known.
    if (!read.report) return;
    this.#outcomes = read.report.outcomes;
    this.#collections = read.report.collections;
    this.changed();
  }
}
