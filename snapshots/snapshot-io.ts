// Reads and publishes snapshots in a store. Reading throws only Unreachable: missing and damaged snapshots are to be expected,
// but nothing is known about a store that does not answer.
import { decodeSnapshot, encodeSnapshot, MAX_AHEAD_MS, type Snapshot, type SnapshotName } from "./snapshot.ts";
import { StoreError, Unreachable, type Reader, type Store, type Version } from "./store.ts";

/** `version`: of the current key, readable or not, for the next read or `publish`. `damage`: of that key, if any. */
export type SnapshotRead = ({ state: "found"; snapshot: Snapshot } | { state: "missing" }) & {
  version: Version | undefined;
  damage?: string;
};

/** The damage of a snapshot that was there before. */
export const GONE = "no longer in the store";

interface ReadOptions {
  /** In ms since the epoch. */
  now: number;
  ifNot?: Version | undefined;
  /** False: ignores the previous copy. */
  withPrevious?: boolean;
}

/** Reads a snapshot, or its previous copy if it is damaged or gone. `now`: in ms since the epoch.
 * @throws Unreachable */
export async function readSnapshot(store: Reader, name: SnapshotName, now: number): Promise<SnapshotRead> {
  const read = await readNewer(store, name, { now });
  if (read.state === "unchanged") throw new Error("unchanged from no version at all");
  return read;
}

/** The same, or `unchanged` while the current key still has the version `ifNot`. @throws Unreachable */
export async function readNewer(
  store: Reader,
  name: SnapshotName,
  { now, ifNot, withPrevious = true }: ReadOptions,
): Promise<SnapshotRead | { state: "unchanged" }> {
  const readCurrent = () => readKey(store, currentKey(name), { name, now, ifNot });
  let current = await readCurrent();
  if (current.state !== "missing" || !withPrevious) return current;
  const previous = await readKey(store, previousKey(name), { name, now });
  if (previous.state !== "found") return current;
  // A previous copy exists only after a publication, which may have happened between the two reads.
  if (current.damage === undefined) current = await readCurrent();
  if (current.state !== "missing") return current;
  return { ...previous, version: current.version, damage: current.damage ?? GONE };
}

/** Publishes a snapshot, then keeps the last one as `.prev`. Only after success, and only if the last one was readable:
 * neither a lost race nor a damaged file ever becomes the copy to fall back on. @throws Conflict, StoreError */
export async function publish(
  store: Store,
  snapshot: Snapshot,
  last: { snapshot: Snapshot | undefined; version: Version | undefined },
): Promise<void> {
  await store.put(currentKey(snapshot.name), encodeSnapshot(snapshot), { ifVersion: last.version ?? null });
  if (!last.snapshot) return;
  // The publication succeeded even if its previous copy cannot be written; then the older copy stays.
  await store.put(previousKey(snapshot.name), encodeSnapshot(last.snapshot)).catch(() => {});
}

export function currentKey(name: SnapshotName): string {
  return `${name}.json`;
}

export function previousKey(name: SnapshotName): string {
  return `${name}.json.prev`;
}

async function readKey(
  store: Reader,
  key: string,
  { name, now, ifNot }: { name: SnapshotName; now: number; ifNot?: Version | undefined },
): Promise<SnapshotRead | { state: "unchanged" }> {
  let version: Version | undefined;
  try {
    const stored = await store.get(key, ifNot);
    if (stored === "unchanged") return { state: "unchanged" };
    if (stored === undefined) return { state: "missing", version };
    version = stored.version;
    const snapshot = decodeSnapshot(stored.bytes, name);
    if (Date.parse(snapshot.confirmedAt) > now + MAX_AHEAD_MS) throw new Error("confirmed in the future");
    return { state: "found", snapshot, version };
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    if (error instanceof StoreError) version = error.version;
    return { state: "missing", version, damage: error instanceof Error ? error.message : "unreadable" };
  }
}
