// The history: each change of a snapshot, kept beside it as one small file, bounded by count and age. A convenience, never
// a truth that anything else stands on: what is damaged is skipped, and what is missing is missed.
import type { Payload, Snapshot, SnapshotName } from "./snapshot.ts";
import {
  decodeEntry,
  encodeEntry,
  entryOf,
  FOLDER,
  historyKeyOf,
  parseHistoryKey,
  type HistoryEntry,
  type HistoryKey,
} from "./history-entry.ts";
import { StoreError, type Store } from "./store.ts";

/** How much is kept of each snapshot: so many changes, none older than `age`, milliseconds. */
export interface Retention {
  /** 0 keeps none. */
  keep: number;
  age: number;
}

/** Where the entries are, of one snapshot or of all, newest first. Reads no entry. @throws StoreError */
export async function listHistory(store: Store, name?: SnapshotName): Promise<HistoryKey[]> {
  const places = (await store.list(FOLDER)).map(parseHistoryKey).filter((place) => place !== undefined);
  return places.filter((place) => name === undefined || place.name === name).toSorted(newestFirst);
}

/** One entry; undefined when it is damaged or gone. */
export async function readEntry(store: Store, place: HistoryKey): Promise<HistoryEntry | undefined> {
  try {
    const stored = await store.get(place.key);
    return stored === undefined || stored === "unchanged" ? undefined : decodeEntry(stored.bytes, place);
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

/** The entries, newest first, without the damaged ones; read one by one, so that whoever has enough stops.
 * @throws StoreError when they cannot be listed. */
export async function* readHistory(store: Store, name?: SnapshotName): AsyncGenerator<HistoryEntry> {
  for (const place of await listHistory(store, name)) {
    const entry = await readEntry(store, place);
    if (entry) yield entry;
  }
}

/** Keeps a published snapshot, if it is not kept already and whole. Only for the run that holds the claim. @throws StoreError */
export async function appendHistory(store: Store, snapshot: Snapshot): Promise<void> {
  const place = historyKeyOf(snapshot);
  if (await readEntry(store, place)) return;
  const older = (await listHistory(store, snapshot.name)).filter((other) => newestFirst(place, other) < 0);
  await store.put(place.key, encodeEntry(entryOf(snapshot, await newestPayload(store, older))));
}

/** Removes what is too much or too old; while any are kept, never the newest, with which the next change is compared.
 * `now`: milliseconds since the epoch. Only for the run that holds the claim. @throws StoreError */
export async function pruneHistory(
  store: Store,
  name: SnapshotName,
  { keep, age, now }: Retention & { now: number },
): Promise<void> {
  const isOver = ({ changedAt }: HistoryKey, index: number) => index > 0 && Date.parse(changedAt) < now - age;
  const places = await listHistory(store, name);
  for (const [index, place] of places.entries()) {
    if (index >= keep || isOver(place, index)) await store.remove(place.key);
  }
}

async function newestPayload(store: Store, places: readonly HistoryKey[]): Promise<Payload | undefined> {
  for (const place of places) {
    const payload = (await readEntry(store, place))?.payload;
    if (payload !== undefined) return payload;
  }
  return undefined;
}

function newestFirst(a: HistoryKey, b: HistoryKey): number {
  return Date.parse(b.changedAt) - Date.parse(a.changedAt) || b.revision - a.revision || (a.key < b.key ? -1 : 1);
}
