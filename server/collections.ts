// The server's memory copy of what the last collections came to, for the page: times and results, never a reason. It
// follows the store beside the mirror, which knows facts only.
import { readCollections, type Collections } from "../snapshots/report.ts";
import type { Store, Version } from "../snapshots/store.ts";
import { Follower } from "./follower.ts";

/** How often the store is asked, milliseconds. */
const POLL = 2_000;

export class LastCollections {
  readonly #store: Store;
  readonly #follower: Follower;
  readonly #listeners: (() => void)[] = [];
  #version: Version | undefined;
  #collections: Collections = {};

  constructor(store: Store) {
    this.#store = store;
    this.#follower = new Follower(store, POLL, () => this.#read());
  }

  /** Reads the store, then keeps following it until `stop`. */
  start(): Promise<void> {
    return this.#follower.start();
  }

  stop(): void {
    this.#follower.stop();
  }

  latest(): Collections {
    return this.#collections;
  }

  /** Calls `listener` after each collection. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  refresh(): Promise<void> {
    return this.#follower.refresh();
  }

  async #read(): Promise<void> {
    const read = await readCollections(this.#store, this.#version);
    if (read === "unchanged" || (read.version === undefined && this.#version === undefined)) return;
    this.#version = read.version;
    this.#collections = read.collections;
    for (const listener of this.#listeners) listener();
  }
}
