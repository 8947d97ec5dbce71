// Hints that files of a directory may have changed. While the directory is missing or cannot be watched there are no
// hints, so listeners poll as well.
import { statSync, watch, type FSWatcher, type Stats } from "node:fs";
import { stat } from "node:fs/promises";

/** How often the path is checked for still being the watched directory. */
const CHECK_MS = 1_000;

/** Calls `hint` when a file whose name is of interest may have changed, and keeps no process alive. Returns a function that
 * stops it. */
export function watchDirectory(
  directory: string,
  isOfInterest: (name: string) => boolean,
  hint: () => void,
): () => void {
  let watcher: FSWatcher | undefined;
  // It is the identity of the watched directory: the path may lead to another one by now.
  let identity: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  function open(): void {
    try {
      identity = identityOf(statSync(directory));
      watcher = watch(directory, { persistent: false }, (_event, name) => {
        if (name === null || isOfInterest(name)) hint();
      });
      watcher.on("error", close);
    } catch {
      // The directory does not exist yet, or the system is out of watchers.
    }
  }

  function close(): void {
    watcher?.close();
    watcher = undefined;
  }

  /** A watcher reports neither the removal of its directory nor a change of a symbolic link to it. */
  async function check(): Promise<void> {
    const present = await stat(directory).then(identityOf, () => undefined);
    if (isOver) return;
    if (!watcher || present !== identity) {
      close();
      open();
    }
    checkLater();
  }

  /** There is one check at a time, even on a slow disk. */
  function checkLater(): void {
    timer = setTimeout(() => void check(), CHECK_MS).unref();
  }

  open();
  checkLater();
  return () => {
    isOver = true;
    clearTimeout(timer);
    close();
  };
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}-${ino}`;
}
