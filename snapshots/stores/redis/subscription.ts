// The hints of a Redis store: a subscription to its channel on a connection of its own. A hint may be lost, so readers also ask at
// the store's pace. After an outage the subscription is back first, and its first hint makes all readers ask at once.
import { setTimeout as sleep } from "node:timers/promises";
import { Unreachable } from "../../store.ts";
import type { RedisConnection } from "./connection.ts";

/** How often the engine is asked for a sign: a connection that was cut looks like one without messages. */
const PING_MS = 5_000;
const REPLY_MS = 1_500;
/** From the end of a connection to the next. Replicas that lost theirs together vary it. */
const RETRY_MS = 500;
const RETRY_SPREAD_MS = 250;

export class RedisSubscription {
  readonly #channel: string;
  readonly #open: (onMessage: () => void) => RedisConnection;
  readonly #listeners = new Set<() => void>();
  #over = new AbortController();

  constructor(channel: string, open: (onMessage: () => void) => RedisConnection) {
    this.#channel = channel;
    this.#open = open;
  }

  /** Calls `hint` when something may have changed. Returns a function that stops it. */
  listen(hint: () => void): () => void {
    const listener = () => hint();
    if (this.#listeners.size === 0) {
      this.#over = new AbortController();
      void this.#follow(this.#over.signal);
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#over.abort();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#over.abort();
  }

  async #follow(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.#followOnce(over).catch(() => {});
      await pause(RETRY_MS + RETRY_SPREAD_MS * Math.random(), over).catch(() => {});
    }
  }

  /** Rejects when the connection has ended, or when it is over. */
  async #followOnce(over: AbortSignal): Promise<never> {
    const hint = () => {
      for (const listener of this.#listeners) listener();
    };
    const connection = this.#open(hint);
    const end = () => connection.end(new Unreachable("the subscription is over"));
    over.addEventListener("abort", end);
    try {
      await connection.ready;
      await connection.call(["SUBSCRIBE", this.#channel], REPLY_MS);
      // What has changed since the last connection has caused no message.
      hint();
      while (true) {
        await Promise.race([connection.ended, pause(PING_MS, over)]);
        await connection.call(["PING"], REPLY_MS);
      }
    } finally {
      over.removeEventListener("abort", end);
      end();
    }
  }
}

/** Rejects when it is over. */
function pause(milliseconds: number, over: AbortSignal): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false, signal: over });
}
