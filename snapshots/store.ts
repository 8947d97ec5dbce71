// Where snapshots live, as bytes under a key, and how the two programs read and publish them. A store knows nothing
// of snapshots; this file knows nothing of files. Reading never throws: missing and damaged are ordinary days.
import { decodeSnapshot, encodeSnapshot, MAX_AHEAD, type Snapshot, type SnapshotName } from "./snapshot.ts";
import { openFileStore } from "./stores/file.ts";

/** Names one state of one key; equal versions mean equal bytes. */
export type Version = string;
export interface Stored {
  bytes: Uint8Array;
  version: Version;
}

/** Every value is replaced whole or not at all; a reader sees the old bytes or the new ones, never a mixture. */
export interface Store {
  /** The bytes under a key, `unchanged` if they still have version `ifNot`, undefined if there are none.
   * @throws StoreError when the key cannot be read. */
  get(key: string, ifNot?: Version): Promise<Stored | "unchanged" | undefined>;
  /** Replaces the bytes under a key; when it returns, they outlast a power cut. `ifVersion`: only if that is what is
   * there, null: only if nothing is. @throws Conflict, StoreError; then the old bytes stand. */
  put(key: string, bytes: Uint8Array, options?: { ifVersion?: Version | null }): Promise<Version>;
  /** Makes this process the one collector of the store, until the claim is released or the process dies.
   * Undefined: another one is at it. */
  claim(): Promise<Claim | undefined>;
  /** Calls `hint` when something may have changed; it may miss changes. Returns how to stop. */
  watch(hint: () => void): () => void;
}

export interface Claim {
  release(): Promise<void>;
}

/** The store could not do what was asked; the message names the operation and the system's error code. `version`
 * is of what could not be read, where it is known. */
export class StoreError extends Error {
  override name = "StoreError";
  version: Version | undefined;
}

/** Somebody else published first. */
export class Conflict extends StoreError {
  override name = "Conflict";
}

/** Opens a store by its location: a directory's path or a `file:` URL. @throws Error on any other scheme. */
export function openStore(location: string): Store {
  if (/^file:/i.test(location)) return openFileStore(new URL(location));
  if (/^[a-z][a-z0-9+.-]+:/i.test(location)) {
    throw new Error(`a snapshot store must be a directory's path or a file: URL (got "${location.split(":")[0]}:…")`);
  }
  return openFileStore(location);
}

export type Read = Found | Missing;
/** `version` is of the current key, readable or not, for the next `get` or `put`; `damage` says what is wrong there. */
export type Found = { state: "found"; snapshot: Snapshot; version: Version | undefined; damage?: string };
export type Missing = { state: "missing"; version: Version | undefined; damage?: string };
export type Unchanged = { state: "unchanged" };

/** Reads a snapshot, or the copy before it when that one is damaged or gone. `now`: milliseconds since the epoch. */
export async function readSnapshot(store: Store, name: SnapshotName, now: number): Promise<Read>;
/** The same, or `unchanged` when the current key still has the version `ifNot`. */
export async function readSnapshot(
  store: Store,
  name: SnapshotName,
  now: number,
  ifNot: Version | undefined,
): Promise<Read | Unchanged>;
export async function readSnapshot(
  store: Store,
  name: SnapshotName,
  now: number,
  ifNot?: Version,
): Promise<Read | Unchanged> {
  const current = await readKey(store, name, currentKey(name), now, ifNot);
  if (current.state !== "missing") return current;
  const previous = await readKey(store, name, previousKey(name), now);
  if (previous.state !== "found") return current;
  return { ...previous, version: current.version, damage: current.damage ?? "the file is missing" };
}

/** Publishes a snapshot whole. The last good one is kept as `.prev` first, so a damaged file never becomes it. */
export async function publish(
  store: Store,
  snapshot: Snapshot,
  last: { snapshot: Snapshot | undefined; version: Version | undefined },
): Promise<void> {
  if (last.snapshot) await store.put(previousKey(snapshot.name), encodeSnapshot(last.snapshot));
  await store.put(currentKey(snapshot.name), encodeSnapshot(snapshot), { ifVersion: last.version ?? null });
}

export function currentKey(name: SnapshotName): string {
  return `${name}.json`;
}

export function previousKey(name: SnapshotName): string {
  return `${name}.json.prev`;
}

async function readKey(
  store: Store,
  name: SnapshotName,
  key: string,
  now: number,
  ifNot?: Version,
): Promise<Read | Unchanged> {
  let version: Version | undefined;
  try {
    const stored = await store.get(key, ifNot);
    if (stored === "unchanged") return { state: "unchanged" };
    if (stored === undefined) return { state: "missing", version };
    version = stored.version;
    const snapshot = decodeSnapshot(stored.bytes, name);
    if (Date.parse(snapshot.confirmedAt) > now + MAX_AHEAD) throw new Error("confirmed in the future");
    return { state: "found", snapshot, version };
  } catch (error) {
    if (error instanceof StoreError) version = error.version;
    return { state: "missing", version, damage: error instanceof Error ? error.message : "unreadable" };
  }
}
