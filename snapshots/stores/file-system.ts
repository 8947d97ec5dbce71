// The functions of the file system that the file store uses.
import type * as fsPromises from "node:fs/promises";

/** A part of `node:fs/promises`; tests pass one that fails at a chosen step. */
export type FileSystem = Pick<
  typeof fsPromises,
  "open" | "rename" | "unlink" | "lstat" | "mkdir" | "readdir" | "link" | "readFile" | "utimes"
>;
