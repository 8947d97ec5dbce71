// How the two programs exchange snapshots over a store. Reading never throws: missing and damaged are ordinary days.
import { decodeSnapshot, encodeSnapshot, MAX_AHEAD, type Snapshot, type SnapshotName } from "./snapshot.ts";
import { StoreError, type Store, type Version } from "./store.ts";

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
