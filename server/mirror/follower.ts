// A memory copy of something in a store: read at the start, after each hint of a change, and at the store's pace in any
// case, because hints are unreliable. Only one read runs at a time; a refresh during it causes one more.
import { setTimeout as sleep } from "node:timers/promises";
import type { Facts } from "../../snapshots/facts.ts";
import { Unreachable } from "../../snapshots/store.ts";

/** How long a start waits for a store that does not answer. */
const START_MS = 2_000;

/** Reads caused by hints are so far apart: a client that may write hints must not make a server read as fast as it can. */
const MIN_GAP_MS = 20;

export function startLimit(): Promise<void> {
  return sleep(START_MS, undefined, { ref: false });
}

/** Delay after a hint for followers that let the facts go first: all but the mirror. */
const HINT_DELAY_MS = 100;

export abstract class Follower {
  protected readonly facts: Facts;
  readonly #hintDelayMs: number;
  readonly #listeners: (() => void)[] = [];
  #hint: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #isOutdated = false;
  #readAt = -Infinity;
  #stop = () => {};

  /** `hintDelayMs`: from a hint until the read. */
  constructor(facts: Facts, hintDelayMs = HINT_DELAY_MS) {
    this.facts = facts;
    this.#hintDelayMs = hintDelayMs;
  }

  /** Takes over new data from the store, and calls `changed` if listeners are concerned. @throws Unreachable, and the copy
   * stays as it is. */
  protected abstract read(): Promise<void>;

  /** Called after each read: with the reason if the store did not answer. */
  protected onRead?(unreachable: Unreachable | undefined): void;

  /** Reads the store, then follows it until `stop`. */
  async start(): Promise<void> {
    await Promise.race([this.refresh(), startLimit()]);
    const { store } = this.facts;
    const unwatch = store.watch(() => this.#onHint());
    const timer = setInterval(() => void this.refresh(), store.pace).unref();
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

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  protected changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #onHint(): void {
    const wait = Math.max(this.#hintDelayMs, this.#readAt + MIN_GAP_MS - performance.now());
    if (wait <= 0) return void this.refresh();
    this.#hint ??= setTimeout(() => {
      this.#hint = undefined;
      void this.refresh();
    }, wait).unref();
  }

  async #readUntilCurrent(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      this.#readAt = performance.now();
      await this.readOnce();
    }
  }

  /** One read of its own, for platforms on which no request may wait for the read of another. Resolves when what the store
   * had at some moment of the call has been taken over. */
  async readOnce(): Promise<void> {
    try {
      await this.read();
      this.onRead?.(undefined);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.onRead?.(error);
    }
  }
}
