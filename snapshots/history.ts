// The history: each change of a snapshot as a small file of its own, limited by count and age. It is a convenience that
// no served fact depends on: damaged entries are skipped.
import type { Payload, Snapshot, SnapshotName } from "./snapshot.ts";
import {
  decodeEntry,
  encodeEntry,
  entryOf,
  HISTORY_FOLDER,
  historyKeyOf,
  parseHistoryKey,
  type HistoryEntry,
  type HistoryKey,
} from "./history-entry.ts";
import { StoreError, Unreachable, type Reader, type Store } from "./store.ts";

/** How much history each snapshot has. */
export interface Retention {
  /** Number of entries; 0 keeps none. */
  keep: number;
  /** In ms; the newest entry may be older. */
  age: number;
}

/** The keys of the entries, newest first, of one snapshot or of all. Reads no entry. @throws StoreError */
export async function listHistory(store: Reader, name?: SnapshotName): Promise<HistoryKey[]> {
  const keys = (await store.list(HISTORY_FOLDER)).map(parseHistoryKey).filter((key) => key !== undefined);
  return keys.filter((key) => name === undefined || key.name === name).toSorted(newestFirst);
}

/** Undefined for an entry that is damaged or gone. @throws Unreachable */
export async function readEntry(store: Reader, key: HistoryKey): Promise<HistoryEntry | undefined> {
  try {
    const stored = await store.get(key.key);
    return stored === undefined || stored === "unchanged" ? undefined : decodeEntry(stored.bytes, key);
  } catch (error) {
    if (error instanceof StoreError && !(error instanceof Unreachable)) return undefined;
    throw error;
  }
}

/** The readable entries, newest first, each read only when the caller asks for it. @throws StoreError when they cannot
 * be listed. */
export async function* readHistory(store: Reader, name?: SnapshotName): AsyncGenerator<HistoryEntry> {
  for (const key of await listHistory(store, name)) {
    const entry = await readEntry(store, key);
    if (entry) yield entry;
  }
}

/** Adds a published snapshot, unless it is already there. Only for the run that holds the claim. @throws StoreError */
export async function appendHistory(store: Store, snapshot: Snapshot): Promise<void> {
  const key = historyKeyOf(snapshot);
  if (await readEntry(store, key)) return;
  const older = (await listHistory(store, snapshot.name)).filter((other) => newestFirst(key, other) < 0);
  await store.put(key.key, encodeEntry(entryOf(snapshot, await newestPayload(store, older))));
}

/** Removes the entries beyond the retention, except the newest (unless `keep` is 0): the next change is compared with
 * it. `now`: in ms since the epoch. Only for the run that holds the claim. @throws StoreError */
export async function pruneHistory(
  store: Store,
  name: SnapshotName,
  { keep, age, now }: Retention & { now: number },
): Promise<void> {
  const isTooOld = ({ changedAt }: HistoryKey, index: number) => index > 0 && Date.parse(changedAt) < now - age;
  const keys = await listHistory(store, name);
  for (const [index, key] of keys.entries()) {
    if (index >= keep || isTooOld(key, index)) await store.remove(key.key);
  }
}

async function newestPayload(store: Store, keys: readonly HistoryKey[]): Promise<Payload | undefined> {
  for (const key of keys) {
    const payload = (await readEntry(store, key))?.payload;
    if (payload !== undefined) return payload;
  }
  return undefined;
}

function newestFirst(a: HistoryKey, b: HistoryKey): number {
  return Date.parse(b.changedAt) - Date.parse(a.changedAt) || b.revision - a.revision || (a.key < b.key ? -1 : 1);
}
