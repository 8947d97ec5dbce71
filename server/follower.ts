// Follows a store: reads it once, then whenever the store hints at a change, and every so often in any case, because a hint
// is no promise. One reading at a time; who asks during one gets another after it.
import type { Store } from "../snapshots/store.ts";

/** For those who let the facts go first: how long they wait after a hint, milliseconds. */
export const LATER = 100;

export class Follower {
  readonly #store: Store;
  readonly #pace: number;
  readonly #read: () => Promise<void>;
  readonly #pause: number;
  #hint: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #askedAgain = false;
  #stop = () => {};

  /** `pace`: how often the store is asked, milliseconds. `read`: never rejects. `pause`: from a hint until it is called,
   * milliseconds. */
  constructor(store: Store, pace: number, read: () => Promise<void>, pause = 0) {
    this.#store = store;
    this.#pace = pace;
    this.#read = read;
    this.#pause = pause;
  }

  async start(): Promise<void> {
    await this.refresh();
    const unwatch = this.#store.watch(() => this.#onHint());
    const timer = setInterval(() => void this.refresh(), this.#pace).unref();
    this.#stop = () => {
      clearInterval(timer);
      clearTimeout(this.#hint);
      unwatch();
    };
  }

  #onHint(): void {
    if (this.#pause === 0) return void this.refresh();
    this.#hint ??= setTimeout(() => {
      this.#hint = undefined;
      void this.refresh();
    }, this.#pause).unref();
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
