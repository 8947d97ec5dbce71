// Makes a directory and those above it. Node's own recursive mkdir repeats itself for ever, in a thread that nothing can stop,
// where a parent exists but takes no directories, such as under /proc.
import { dirname } from "node:path";
import { errorCode } from "../error-code.ts";
import type { FileSystem } from "./file-system.ts";

/** Tries each level at most twice. @throws the system's error. */
export async function makeDirectory(fs: Pick<FileSystem, "mkdir">, path: string): Promise<void> {
  if (await makeLevel(fs, path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(fs, parent);
  await fs.mkdir(path).catch(ignoreExisting);
}

/** False if the parent does not exist. A file in the way is an error at the next level, or when the directory is used. */
async function makeLevel(fs: Pick<FileSystem, "mkdir">, path: string): Promise<boolean> {
  try {
    await fs.mkdir(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    ignoreExisting(error);
  }
  return true;
}

/** Another process may make the same directory. @throws any other error. */
function ignoreExisting(error: unknown): void {
  // Some systems refuse a directory that they have with other codes, such as EISDIR for the root.
  if (!["EEXIST", "EISDIR"].includes(errorCode(error) ?? "")) throw error;
}
