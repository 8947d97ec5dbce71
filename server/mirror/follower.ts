// A memory copy of something in a store: read at the start, after each hint of a change, and at an interval in any
// case, because hints are unreliable. Only one read runs at a time; a refresh during it causes one more.
import type { Store } from "../../snapshots/store.ts";

/** Delay after a hint for followers that let the facts go first. */
export const HINT_DELAY_MS = 100;

export abstract class Follower {
  protected readonly store: Store;
  readonly #pollMs: number;
  readonly #hintDelayMs: number;
  readonly #listeners: (() => void)[] = [];
  #hint: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #isOutdated = false;
  #stop = () => {};

  /** `pollMs`: how often the store is read without hints. `hintDelayMs`: from a hint until the read. */
  constructor(store: Store, pollMs: number, hintDelayMs = 0) {
    this.store = store;
    this.#pollMs = pollMs;
    this.#hintDelayMs = hintDelayMs;
  }

  /** Takes over new data from the store, and calls `changed` if listeners are concerned. Never rejects. */
  protected abstract read(): Promise<void>;

  /** Reads the store, then follows it until `stop`. */
  async start(): Promise<void> {
    await this.refresh();
    const unwatch = this.store.watch(() => this.#onHint());
    const timer = setInterval(() => void this.refresh(), this.#pollMs).unref();
    this.#stop = () => {
      clearInterval(timer);
      clearTimeout(this.#hint);
      unwatch();
    };
  }

  stop(): void {
    this.#stop();
  }

  /** Reads now; resolves when the present state of the store has been taken over. */
  refresh(): Promise<void> {
    this.#isOutdated = true;
    this.#reading ??= this.#readUntilCurrent().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Calls `listener` after each change of the copy. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  protected changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #onHint(): void {
    if (this.#hintDelayMs === 0) return void this.refresh();
    this.#hint ??= setTimeout(() => {
      this.#hint = undefined;
      void this.refresh();
    }, this.#hintDelayMs).unref();
  }

  async #readUntilCurrent(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      await this.read();
    }
  }
}
