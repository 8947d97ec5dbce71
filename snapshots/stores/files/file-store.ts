// A store as files in one directory, with one level of folders. A write creates a temporary file, syncs and renames it,
// and syncs the directory before it succeeds. So neither kill -9, a full disk nor a power cut leaves a torn file. The
// directory may be a symbolic link of the operator's. A folder in it may not: pruning would remove files elsewhere.
import { randomUUID } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  checkedKey,
  Conflict,
  isKey,
  MAX_VALUE_BYTES,
  StoreError,
  type Store,
  type Stored,
  type Version,
} from "../../store.ts";
import { errorCode } from "../../system-calls.ts";
import { claimBy } from "../lease.ts";
import { claimDirectory, expire } from "./claim.ts";
import { watchDirectory } from "./directory-watch.ts";
import { makeDirectory, OPEN_SAFELY, SYSTEM, type FileSystem } from "./file-system.ts";

/** Asking costs little, and a mount may give no hints. */
const PACE_MS = 1_000;

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;

/** Opens the store in a directory, which the first `put` or `claim` creates. Calls have no time limit, because
 * operations on a local disk cannot be aborted. */
export function openFileStore(directory: string, fs = SYSTEM): Store {
  // Temporary files and previous copies cause no hints: reading at once would only delay the read that matters.
  const isOfInterest = (name: string) => isKey(name) && !name.endsWith(".prev");
  return {
    pace: PACE_MS,
    async get(key, ifNot) {
      await refuseLinkedFolder(fs, directory, dirname(checkedKey(key)));
      return read(fs, join(directory, key), ifNot);
    },
    put: async (key, bytes, { ifVersion } = {}) => replace(fs, directory, { key: checkedKey(key), bytes, ifVersion }),
    async list(folder) {
      await refuseLinkedFolder(fs, directory, folder);
      const names = await fs.readdir(join(directory, folder)).catch(ifMissing([], "the folder could not be read"));
      return names.map((name) => `${folder}/${name}`).filter(isKey);
    },
    async remove(key) {
      await refuseLinkedFolder(fs, directory, dirname(checkedKey(key)));
      await fs.unlink(join(directory, key)).catch(ifMissing(undefined, "could not be removed"));
    },
    claim: claimBy({
      take: () =>
        claimDirectory(fs, directory).catch((error: unknown) => {
          throw storeError("the directory could not be written", error);
        }),
      refresh: (path) => fs.utimes(path, new Date(), new Date()),
      release: (path) => expire(fs, path),
    }),
    watch: (hint) => watchDirectory(directory, isOfInterest, hint),
    close: () => Promise.resolve(),
  };
}

/** The file is opened at once: looking at its version first would take a step more for each new snapshot. `seen`: the version
 * that it had before, after a first failure. */
async function read(
  fs: FileSystem,
  path: string,
  ifNot: Version | undefined,
  seen?: Version,
): Promise<Stored | "unchanged" | undefined> {
  try {
    const file = await fs.open(path, OPEN_SAFELY);
    // The close is not awaited: the bytes are already read.
    return await readWhole(file, ifNot).finally(() => void file.close().catch(() => {}));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    const present = seen ?? (await currentVersion(fs, path));
    if (present !== undefined && present === ifNot) return "unchanged";
    // The second time, because an error carries the version from before opening.
    if (seen === undefined && present !== undefined) return read(fs, path, ifNot, present);
    // A process short of memory or descriptors has found no damage, so it must not publish over the file.
    const isOurFault = ["EMFILE", "ENFILE", "ENOMEM"].includes(errorCode(error) ?? "");
    throw Object.assign(storeError("could not be read", error), { version: isOurFault ? undefined : present });
  }
}

async function readWhole(file: FileHandle, ifNot: Version | undefined): Promise<Stored | "unchanged"> {
  const stats = await file.stat({ bigint: true });
  const version = versionOf(stats);
  if (version === undefined) throw new StoreError("not a regular file");
  if (version === ifNot) return "unchanged";
  if (stats.size > MAX_VALUE_BYTES) throw new StoreError(`over ${MAX_VALUE_BYTES} bytes`);
  // readFile would ask for the size again, and each step waits for a thread and delays a new snapshot.
  const bytes = Buffer.alloc(Number(stats.size));
  const { bytesRead } = await file.read(bytes);
  if (bytesRead === bytes.length) return { bytes, version };
  // A read may return less than asked for; readFile reads the rest.
  return { bytes: Buffer.concat([bytes.subarray(0, bytesRead), await file.readFile()]), version };
}

async function replace(
  fs: FileSystem,
  directory: string,
  { key, bytes, ifVersion }: { key: string; bytes: Uint8Array; ifVersion: Version | null | undefined },
): Promise<Version> {
  const path = join(directory, key);
  // Temporary files lie in the directory itself, where the next claim removes leftovers.
  const hidden = join(directory, `.${key.replace("/", ".")}`);
  const temporary = `${hidden}.${randomUUID()}.tmp`;
  try {
    await makeDirectory(fs, dirname(path));
    await refuseLinkedFolder(fs, directory, dirname(key));
    const version = await writeDurably(fs, temporary, bytes);
    if (ifVersion === undefined) await fs.rename(temporary, path);
    else await exchange(fs, { temporary, path, ifVersion, marker: `${hidden}.${ifVersion ?? "none"}.tmp` });
    await syncDirectory(fs, dirname(path));
    // A newly created folder is an entry of the directory.
    if (dirname(path) !== dirname(temporary)) await syncDirectory(fs, directory);
    return (await currentVersion(fs, path)) ?? version;
  } catch (error) {
    await fs.unlink(temporary).catch(() => {});
    throw storeError("could not be written", error);
  }
}

/** Renames only if the key still has a version. Between looking and renaming, others could do the same: so only the process
 * that has created the version's marker may replace that version. A marker of a dead process is a leftover like any other.
 * @throws Conflict */
async function exchange(
  fs: FileSystem,
  {
    temporary,
    path,
    ifVersion,
    marker,
  }: { temporary: string; path: string; ifVersion: Version | null; marker: string },
): Promise<void> {
  await fs.link(temporary, marker).catch((error: unknown) => {
    throw errorCode(error) === "EEXIST" ? new Conflict() : error;
  });
  try {
    if (ifVersion !== ((await currentVersion(fs, path)) ?? null)) throw new Conflict();
    await fs.rename(temporary, path);
  } finally {
    // If both fail, the next claim removes it. Until then nobody can replace this version, which is gone unless the
    // rename failed.
    await fs.unlink(marker).catch(() => fs.unlink(marker).catch(() => {}));
  }
}

/** @throws StoreError if a folder in the directory is a symbolic link. A missing folder is no problem. */
async function refuseLinkedFolder(fs: FileSystem, directory: string, folder: string): Promise<void> {
  if (folder === ".") return;
  const stats = await fs.lstat(join(directory, folder)).catch(ifMissing(undefined, "the folder could not be examined"));
  if (stats?.isSymbolicLink()) throw new StoreError(`${folder}/ is a symbolic link: use a real folder`);
}

async function writeDurably(fs: FileSystem, path: string, bytes: Uint8Array): Promise<Version> {
  const file = await fs.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
  try {
    await file.writeFile(bytes);
    await file.sync();
    return versionOf(await file.stat({ bigint: true })) ?? "";
  } finally {
    await file.close();
  }
}

async function syncDirectory(fs: FileSystem, directory: string): Promise<void> {
  try {
    const handle = await fs.open(directory, O_RDONLY);
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    // Some systems cannot sync a directory; the rename is still valid.
    if (!["EINVAL", "ENOTSUP", "EPERM", "EISDIR"].includes(errorCode(error) ?? "")) throw error;
  }
}

async function currentVersion(fs: FileSystem, path: string): Promise<Version | undefined> {
  const stats = await fs.lstat(path, { bigint: true }).catch(ifMissing(undefined, "could not be examined"));
  return stats && versionOf(stats);
}

/** Equal versions mean equal bytes: every write creates a new inode, and times are in nanoseconds. Undefined unless it
 * is a regular file; `put` may therefore replace it. */
function versionOf(stats: BigIntStats): Version | undefined {
  return stats.isFile() ? `${stats.ino}-${stats.size}-${stats.mtimeNs}` : undefined;
}

/** A handler of errors: the value where there is no such file. `what`: of any other error. @throws StoreError */
function ifMissing<T>(value: T, what: string): (error: unknown) => T {
  return (error) => {
    if (errorCode(error) === "ENOENT") return value;
    throw storeError(what, error);
  };
}

function storeError(what: string, cause: unknown): StoreError {
  return cause instanceof StoreError ? cause : StoreError.because(what, errorCode(cause), cause);
}
