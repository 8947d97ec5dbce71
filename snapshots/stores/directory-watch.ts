// Hints that files of a directory may have changed: one watcher, however many listen. Hints only: while the directory is
// not there or cannot be watched there are none, and polling finds the change.
import { statSync, watch, type FSWatcher, type Stats } from "node:fs";
import { stat } from "node:fs/promises";

/** How often it is looked whether the directory is still the one that is watched, milliseconds. */
const AGAIN = 1_000;

export class DirectoryWatch {
  readonly #directory: string;
  readonly #isOfInterest: (name: string) => boolean;
  readonly #listeners = new Set<() => void>();
  readonly #hinted = new Set<string>();
  #watcher: FSWatcher | undefined;
  /** Which directory is watched: the path may lead to another one by now. */
  #identity: string | undefined;
  #again: NodeJS.Timeout | undefined;

  /** `isOfInterest`: whether a file of that name is worth a hint. */
  constructor(directory: string, isOfInterest: (name: string) => boolean) {
    this.#directory = directory;
    this.#isOfInterest = isOfInterest;
  }

  /** Calls `hint` when something may have changed. Returns how to stop. Keeps no process alive. */
  listen(hint: () => void): () => void {
    // Two may pass the same function, and only one of them stop.
    const listener = () => hint();
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Whether there is a hint of this file; whoever asks first takes it. */
  takeHint(name: string): boolean {
    return this.#hinted.delete(name);
  }

  #start(): void {
    this.#open();
    this.#lookLater();
  }

  #stop(): void {
    clearTimeout(this.#again);
    this.#close();
  }

  #open(): void {
    try {
      this.#identity = identityOf(statSync(this.#directory));
      this.#watcher = watch(this.#directory, { persistent: false }, (_event, name) => this.#onEvent(name));
      this.#watcher.on("error", () => this.#close());
    } catch {
      // Not there yet, or the system has no watcher left.
    }
  }

  #close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#identity = undefined;
  }

  /** One look at a time, however long the disk takes. */
  #lookLater(): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => void this.#look(), AGAIN).unref();
  }

  /** A watcher says nothing when its directory is removed, or when a symbolic link to it is turned elsewhere. */
  async #look(): Promise<void> {
    const identity = await stat(this.#directory).then(identityOf, () => undefined);
    if (this.#listeners.size === 0) return;
    if (!this.#watcher || identity !== this.#identity) {
      this.#close();
      this.#open();
    }
    this.#lookLater();
  }

  #onEvent(name: string | null): void {
    if (name !== null) {
      if (!this.#isOfInterest(name)) return;
      this.#hinted.add(name);
    }
    for (const listener of this.#listeners) listener();
  }
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}-${ino}`;
}
