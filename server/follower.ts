// Follows a store: reads it once, then whenever the store hints at a change, and every so often in any case, because a hint
// is no promise. One reading at a time; who asks during one gets another after it.
import type { Store } from "../snapshots/store.ts";

export class Follower {
  readonly #store: Store;
  readonly #pace: number;
  readonly #read: () => Promise<void>;
  #reading: Promise<void> | undefined;
  #askedAgain = false;
  #stop = () => {};

  /** `pace`: how often the store is asked, milliseconds. `read`: never rejects. */
  constructor(store: Store, pace: number, read: () => Promise<void>) {
    this.#store = store;
    this.#pace = pace;
    this.#read = read;
  }

  async start(): Promise<void> {
    await this.refresh();
    const unwatch = this.#store.watch(() => void this.refresh());
    const timer = setInterval(() => void this.refresh(), this.#pace).unref();
    this.#stop = () => {
      clearInterval(timer);
      unwatch();
    };
  }

  stop(): void {
    this.#stop();
  }

  /** Reads now; resolves when what is in the store at this moment has been read. */
  refresh(): Promise<void> {
    this.#askedAgain = true;
    this.#reading ??= this.#readUntilQuiet().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readUntilQuiet(): Promise<void> {
    while (this.#askedAgain) {
      this.#askedAgain = false;
      await this.#read();
    }
  }
}
