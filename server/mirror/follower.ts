// A memory copy of something in a store: read once, then whenever the store hints at a change, and every so often in any
// case, because a hint is no promise. One reading at a time; who asks during one gets another after it.
import type { Store } from "../../snapshots/store.ts";

/** For those who let the facts go first: how long they wait after a hint, milliseconds. */
export const LATER = 100;

export abstract class Follower {
  protected readonly store: Store;
  readonly #pace: number;
  readonly #pause: number;
  readonly #listeners: (() => void)[] = [];
  #hint: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #askedAgain = false;
  #stop = () => {};

  /** `pace`: how often the store is asked, milliseconds; watching only hastens it. `pause`: from a hint until it is read,
   * milliseconds. */
  constructor(store: Store, pace: number, pause = 0) {
    this.store = store;
    this.#pace = pace;
    this.#pause = pause;
  }

  /** Takes over what is new in the store, and calls `changed` when listeners are to know. Never rejects. */
  protected abstract read(): Promise<void>;

  /** Reads the store, then keeps following it until `stop`. */
  async start(): Promise<void> {
    await this.refresh();
    const unwatch = this.store.watch(() => this.#onHint());
    const timer = setInterval(() => void this.refresh(), this.#pace).unref();
    this.#stop = () => {
      clearInterval(timer);
      clearTimeout(this.#hint);
      unwatch();
    };
  }

  stop(): void {
    this.#stop();
  }

  /** Reads now; resolves when what is in the store at this moment has been taken over. */
  refresh(): Promise<void> {
    this.#askedAgain = true;
    this.#reading ??= this.#readUntilQuiet().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Calls `listener` after each change of what is held. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  protected changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #onHint(): void {
    if (this.#pause === 0) return void this.refresh();
    this.#hint ??= setTimeout(() => {
      this.#hint = undefined;
      void this.refresh();
    }, this.#pause).unref();
  }

  async #readUntilQuiet(): Promise<void> {
    while (this.#askedAgain) {
      this.#askedAgain = false;
      await this.read();
    }
  }
}
