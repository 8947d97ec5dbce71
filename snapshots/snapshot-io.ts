// How the two programs exchange snapshots over a store. Reading never throws: missing and damaged are ordinary days.
import {
  decodeSnapshot,
  encodeSnapshot,
  MAX_AHEAD,
  type Envelope,
  type Snapshot,
  type SnapshotName,
} from "./snapshot.ts";
import { StoreError, type Store, type Version } from "./store.ts";

export type Read<T = Snapshot> = Found<T> | Missing;
/** `version` is of the current key, readable or not, for the next `get` or `put`; `damage` says what is wrong there. */
export type Found<T = Snapshot> = { state: "found"; snapshot: T; version: Version | undefined; damage?: string };
export type Missing = { state: "missing"; version: Version | undefined; damage?: string };
export type Unchanged = { state: "unchanged" };

/** How bytes become a snapshot. Throws an Error that names the damage. */
export type Decode<T extends Envelope> = (bytes: Uint8Array, name: SnapshotName) => T;

/** Reads a snapshot, or the copy before it when that one is damaged or gone. `now`: milliseconds since the epoch. */
export async function readSnapshot(store: Store, name: SnapshotName, now: number): Promise<Read> {
  const read = await readNewer(store, name, { now, decode: decodeSnapshot });
  if (read.state === "unchanged") throw new Error("unchanged from no version at all");
  return read;
}

interface Reading<T extends Envelope> {
  now: number;
  decode: Decode<T>;
  ifNot?: Version | undefined;
  /** False: the copy before is left alone. */
  withPrevious?: boolean;
}

/** The same, or `unchanged` when the current key still has the version `ifNot`. */
export async function readNewer<T extends Envelope>(
  store: Store,
  name: SnapshotName,
  { now, decode, ifNot, withPrevious = true }: Reading<T>,
): Promise<Read<T> | Unchanged> {
  const readCurrent = () => readKey(store, currentKey(name), { name, now, decode, ifNot });
  let current = await readCurrent();
  if (current.state !== "missing" || !withPrevious) return current;
  const previous = await readKey(store, previousKey(name), { name, now, decode });
  if (previous.state !== "found") return current;
  // There is a copy before it only once it has been published: perhaps just now, in between.
  if (current.damage === undefined) current = await readCurrent();
  if (current.state !== "missing") return current;
  return { ...previous, version: current.version, damage: current.damage ?? "the file is missing" };
}

/** Publishes a snapshot whole, then keeps the last one as `.prev`: only after success, and only if it was good, so that
 * neither a lost race nor a damaged file ever becomes the copy to fall back on. @throws Conflict, StoreError */
export async function publish(
  store: Store,
  snapshot: Snapshot,
  last: { snapshot: Snapshot | undefined; version: Version | undefined },
): Promise<void> {
  await store.put(currentKey(snapshot.name), encodeSnapshot(snapshot), { ifVersion: last.version ?? null });
  if (!last.snapshot) return;
  // The new one is published whatever becomes of its copy; without room for it, the copy before it stands.
  await store.put(previousKey(snapshot.name), encodeSnapshot(last.snapshot)).catch(() => {});
}

export function currentKey(name: SnapshotName): string {
  return `${name}.json`;
}

export function previousKey(name: SnapshotName): string {
  return `${name}.json.prev`;
}

async function readKey<T extends Envelope>(
  store: Store,
  key: string,
  { name, now, decode, ifNot }: { name: SnapshotName; now: number; decode: Decode<T>; ifNot?: Version | undefined },
): Promise<Read<T> | Unchanged> {
  let version: Version | undefined;
  try {
    const stored = await store.get(key, ifNot);
    if (stored === "unchanged") return { state: "unchanged" };
    if (stored === undefined) return { state: "missing", version };
    version = stored.version;
    const snapshot = decode(stored.bytes, name);
    if (Date.parse(snapshot.confirmedAt) > now + MAX_AHEAD) throw new Error("confirmed in the future");
    return { state: "found", snapshot, version };
  } catch (error) {
    if (error instanceof StoreError) version = error.version;
    return { state: "missing", version, damage: error instanceof Error ? error.message : "unreadable" };
  }
}
