// Hints that files of a directory may have changed, from one watcher for all listeners. While the directory is missing
// or cannot be watched there are no hints, so listeners poll as well.
import { statSync, watch, type FSWatcher, type Stats } from "node:fs";
import { stat } from "node:fs/promises";

/** How often the path is checked for still being the watched directory. */
const CHECK_MS = 1_000;

export class DirectoryWatch {
  readonly #directory: string;
  readonly #isOfInterest: (name: string) => boolean;
  readonly #listeners = new Set<() => void>();
  readonly #hinted = new Set<string>();
  #watcher: FSWatcher | undefined;
  /** Of the watched directory: the path may lead to another one by now. */
  #identity: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `isOfInterest`: whether a file of this name is worth a hint. */
  constructor(directory: string, isOfInterest: (name: string) => boolean) {
    this.#directory = directory;
    this.#isOfInterest = isOfInterest;
  }

  /** Calls `hint` when something may have changed, and keeps no process alive. Returns a function that stops it. */
  listen(hint: () => void): () => void {
    // Two callers may pass the same function, and only one of them may stop.
    const listener = () => hint();
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Whether there is a hint for this file; the call uses it up. */
  takeHint(name: string): boolean {
    return this.#hinted.delete(name);
  }

  #start(): void {
    this.#open();
    this.#checkLater();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#close();
  }

  #open(): void {
    try {
      this.#identity = identityOf(statSync(this.#directory));
      this.#watcher = watch(this.#directory, { persistent: false }, (_event, name) => this.#onEvent(name));
      this.#watcher.on("error", () => this.#close());
    } catch {
      // The directory does not exist yet, or the system is out of watchers.
    }
  }

  #close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#identity = undefined;
  }

  /** One check at a time, even on a slow disk. */
  #checkLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), CHECK_MS).unref();
  }

  /** A watcher reports neither the removal of its directory nor a change of a symbolic link to it. */
  async #check(): Promise<void> {
    const identity = await stat(this.#directory).then(identityOf, () => undefined);
    if (this.#listeners.size === 0) return;
    if (!this.#watcher || identity !== this.#identity) {
      this.#close();
      this.#open();
    }
    this.#checkLater();
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
