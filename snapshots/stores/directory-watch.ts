// Hints that files of a directory may have changed: one watcher, however many listen. Hints only: while the directory is
// not there or cannot be watched there are none, and polling finds the change.
import { watch, type FSWatcher } from "node:fs";

/** How often a directory that cannot be watched is tried again, milliseconds. */
const AGAIN = 1_000;

export class DirectoryWatch {
  readonly #directory: string;
  readonly #isOfInterest: (name: string) => boolean;
  readonly #listeners = new Set<() => void>();
  readonly #hinted = new Set<string>();
  #watcher: FSWatcher | undefined;
  #again: NodeJS.Timeout | undefined;

  /** `isOfInterest`: by a file's name. The watcher lives while anyone listens, and keeps no process alive. */
  constructor(directory: string, isOfInterest: (name: string) => boolean) {
    this.#directory = directory;
    this.#isOfInterest = isOfInterest;
  }

  /** Calls `hint` when something may have changed. Returns how to stop. */
  listen(hint: () => void): () => void {
    const listener = () => hint();
    this.#listeners.add(listener);
    this.#again ??= setInterval(() => this.#open(), AGAIN).unref();
    this.#open();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Whether there was a hint of this file since that was last asked. */
  wasHinted(name: string): boolean {
    return this.#hinted.delete(name);
  }

  #open(): void {
    try {
      this.#watcher ??= watch(this.#directory, { persistent: false }, (_event, name) => this.#onEvent(name)).on(
        "error",
        () => this.#close(),
      );
    } catch {
      // Not there yet, or the system has no watcher left.
    }
  }

  #onEvent(name: string | null): void {
    if (name !== null) {
      if (!this.#isOfInterest(name)) return;
      this.#hinted.add(name);
    }
    for (const listener of this.#listeners) listener();
  }

  #close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #stop(): void {
    clearInterval(this.#again);
    this.#again = undefined;
    this.#close();
  }
}
