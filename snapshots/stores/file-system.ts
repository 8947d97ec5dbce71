// The functions of the file system that the file store uses.
import { constants } from "node:fs";
import type * as fsPromises from "node:fs/promises";

/** A part of `node:fs/promises`; tests pass one that fails at a chosen step. */
export type FileSystem = Pick<
  typeof fsPromises,
  "open" | "rename" | "unlink" | "lstat" | "mkdir" | "readdir" | "link" | "utimes"
>;

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Flags for reading where anything may lie: follows no symbolic link, and does not block on a pipe or a device. */
export const OPEN_SAFELY = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
