// What the file store asks of the file system.
import type * as fsPromises from "node:fs/promises";

/** What the store needs of `node:fs/promises`; tests pass one that fails at a chosen step. */
export type FileSystem = Pick<
  typeof fsPromises,
  "open" | "rename" | "unlink" | "lstat" | "mkdir" | "readdir" | "link" | "readFile" | "utimes"
>;
