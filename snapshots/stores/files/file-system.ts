// The functions of the file system that the file store uses.
import { constants } from "node:fs";
import * as fsPromises from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { errorCode, insteadOf } from "../../system-calls.ts";

/** A part of `node:fs/promises`; tests pass one that fails at a chosen step. */
export type FileSystem = Pick<
  typeof fsPromises,
  "open" | "rename" | "unlink" | "lstat" | "mkdir" | "readdir" | "link" | "utimes"
>;

/** A rename is repeated for so long on Windows, after such pauses. */
const RENAME_MS = 2_000;
const PAUSE_MS = 10;

export const SYSTEM: FileSystem = process.platform === "win32" ? withPatientRename(fsPromises) : fsPromises;

/** Windows refuses a rename over a file for as long as another process has it open, such as a server that reads it. */
export function withPatientRename(fs: FileSystem): FileSystem {
  const rename: FileSystem["rename"] = async (from, to) => {
    const latest = performance.now() + RENAME_MS;
    for (;;) {
      try {
        return await fs.rename(from, to);
      } catch (error) {
        const isOpen = ["EPERM", "EACCES", "EBUSY"].includes(errorCode(error) ?? "");
        if (!isOpen || performance.now() > latest) throw error;
        await wait(PAUSE_MS);
      }
    }
  };
  return { ...fs, rename };
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Flags for reading where anything may lie: follows no symbolic link, and does not block on a pipe or a device. */
export const OPEN_SAFELY = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/** Another process may make the same directory. A file in its place is an error at the next level, or when the directory is used.
 * Some systems refuse a directory that they have with other codes, such as EISDIR for the root. */
const ignoreExisting = insteadOf(["EEXIST", "EISDIR"], undefined);

/** Makes a directory and those above it, and tries each level at most twice. Node's own recursive mkdir repeats itself
 * for ever, in a thread that nothing can stop, where a parent exists but takes no directories, such as under /proc.
 * @throws the system's error. */
export async function makeDirectory(fs: Pick<FileSystem, "mkdir">, path: string): Promise<void> {
  try {
    await fs.mkdir(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") return ignoreExisting(error);
    const parent = dirname(path);
    if (parent !== path) await makeDirectory(fs, parent);
    await fs.mkdir(path).catch(ignoreExisting);
  }
}
