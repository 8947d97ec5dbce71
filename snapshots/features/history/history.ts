// The history: keeps each change of a snapshot, limited by count and age. It is a convenience that no served fact depends on. Everything
// here is only for the run that holds the claim.
import { previousKey, readPrevious, type Facts } from "../../facts.ts";
import type { Payload, Snapshot, SnapshotName } from "../../snapshot.ts";
import { parseJson, type Store } from "../../store.ts";
import {
  described,
  entryKeyOf,
  entryOf,
  historyPlaceOf,
  isSamePlace,
  newestFirst,
  type HistoryEntry,
  type HistoryPlace,
} from "./entry.ts";
import { lastBefore, listHistory, newestPayload, readEntry } from "./timeline.ts";

/** Adds a published snapshot, unless it is already there or was taken back. @throws StoreError */
export async function appendHistory(facts: Facts<Store>, snapshot: Snapshot): Promise<void> {
  const place = historyPlaceOf(snapshot);
  if (await readEntry(facts, place)) return;
  const places = await listHistory(facts, snapshot.name);
  if (places.some((other) => other.isTakenBack && isSamePlace(other, place))) return;
  const older = places.filter((other) => newestFirst(place, other) < 0);
  const entry = entryOf(snapshot, await newestPayload(facts, older));
  await putEntry(facts, place, { ...entry, before: await lastBefore(facts, snapshot) });
}

/** Takes a change back: its place stays and says so; its payload, its proof and what the next change says of it are removed. Can be
 * repeated after a crash. Not for the published revision. @throws StoreError */
export async function takeBack(facts: Facts<Store>, place: HistoryPlace): Promise<void> {
  const { name, revision, changedAt } = place;
  const places = await listHistory(facts, name);
  const at = places.findIndex((one) => isSamePlace(one, place));
  const older = await newestPayload(facts, places.slice(at + 1));
  // The newer ones come first: readers that see the place taken back read them again.
  for (const newer of places.slice(0, at).toReversed()) {
    await rewriteWithout(facts, newer, { place, older });
    if (!newer.isTakenBack) break;
  }
  const before = (await readEntry(facts, place))?.before;
  const empty = { product: facts.product, name, revision, changedAt, changes: [], differences: [], before };
  await putEntry(facts, historyPlaceOf({ name, revision, changedAt, isTakenBack: true }), empty);
  await facts.store.remove(entryKeyOf(place));
  const previous = await readPrevious(facts, name);
  if (previous && isSamePlace(previous, place)) await facts.store.remove(previousKey(name));
}

/** Rewrites the entry at `newer` as if the one at `place`, before it, had never been. `older`: the payload before `place`. */
async function rewriteWithout(
  facts: Facts<Store>,
  newer: HistoryPlace,
  { place, older }: { place: HistoryPlace; older: Payload | undefined },
): Promise<void> {
  const [entry, stored] = [await readEntry(facts, newer), await facts.store.get(newer.key)];
  if (!entry || typeof stored !== "object") return;
  const { payload, before } = entry;
  await putEntry(facts, newer, {
    ...Object(parseJson(stored.bytes)),
    ...(payload ? described(older, payload) : { changes: [], differences: [] }),
    before: before && isSamePlace(before, place) ? { ...before, sha256: undefined, proof: undefined } : before,
  });
}

function putEntry({ store }: Facts<Store>, { key }: HistoryPlace, entry: Omit<HistoryEntry, "payload">) {
  return store.put(key, Buffer.from(`${JSON.stringify({ format: 1, ...entry })}\n`));
}

/** Removes the entries after the first `keep`, and those older than `age`, in ms, except the newest: the next change is compared
 * with it. If `keep` is 0, all. @throws StoreError */
export async function pruneHistory(
  facts: Facts<Store>,
  name: SnapshotName,
  { keep, age }: Record<"keep" | "age", number>,
): Promise<void> {
  const isTooOld = ({ changedAt }: HistoryPlace, index: number) =>
    index > 0 && Date.parse(changedAt) < facts.clock.wall() - age;
  const places = await listHistory(facts, name);
  for (const [index, place] of places.entries()) {
    if (index < keep && !isTooOld(place, index)) continue;
    if (place.isTakenBack) await facts.store.remove(entryKeyOf(place));
    await facts.store.remove(place.key);
  }
}
