// The timeline of a store: lists its history, reads it and proves it. Entries are linked by what each records of the one before it; with
// `trust`, the past that may be shown is only what a trusted key has signed. Damaged entries are skipped.
import { readPrevious, readSnapshot, type Facts } from "../../facts.ts";
import { SNAPSHOT_NAMES, type Payload, type Snapshot, type SnapshotName } from "../../snapshot.ts";
import { getReadable, StoreError } from "../../store.ts";
import {
  decodeEntry,
  described,
  entryKeyOf,
  HISTORY_FOLDER,
  historyPlaceOf,
  isSamePlace,
  newestFirst,
  parseHistoryPlace,
  replacedBy,
  type Described,
  type HistoryEntry,
  type HistoryPlace,
  type LastConfirmation,
} from "./entry.ts";

/** More than the longest history of every snapshot, twice. */
const MAX_LISTED = 10_000;

/** The places of the entries, newest first, of one snapshot or of all. Reads no entry. @throws StoreError */
export async function listHistory(facts: Facts, name?: SnapshotName): Promise<HistoryPlace[]> {
  const listed = await facts.store.list(HISTORY_FOLDER);
  if (listed.length > MAX_LISTED) {
    throw new StoreError(`over ${MAX_LISTED} values in ${HISTORY_FOLDER}/: remove those of other programs`);
  }
  const places = listed.map(parseHistoryPlace).filter((place) => place !== undefined);
  // A crash may have left the entry that was taken back.
  const hidden = new Set(places.filter(({ isTakenBack }) => isTakenBack).map(entryKeyOf));
  return places
    .filter((one) => (name === undefined || one.name === name) && !hidden.has(one.key))
    .toSorted(newestFirst);
}

/** Undefined for an entry that is damaged, gone, or of another product. @throws Unreachable */
export async function readEntry(facts: Facts, place: HistoryPlace): Promise<HistoryEntry | undefined> {
  const stored = await getReadable(facts.store, place.key);
  return typeof stored === "object" ? decodeEntry(stored.bytes, place, facts.product) : undefined;
}

/** The same with a `before` that is believed: with `trust`, one that a trusted key has signed. @throws Unreachable */
export async function readBelieved(facts: Facts, place: HistoryPlace): Promise<HistoryEntry | undefined> {
  const entry = await readEntry(facts, place);
  const { trust } = facts;
  const { sha256 } = entry?.before ?? {};
  if (!trust || !entry?.before || !sha256) return entry;
  const isProven = trust.isProven({ ...entry.before, name: entry.name, sha256 });
  return isProven ? entry : { ...entry, before: undefined };
}

/** The readable entries, newest first. `onDamaged`: for each other one. @throws StoreError when they cannot be listed. */
export async function readHistory(facts: Facts, name?: SnapshotName, onDamaged?: () => void): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for (const place of await listHistory(facts, name)) {
    const entry = await readBelieved(facts, place);
    if (entry) entries.push(entry);
    else onDamaged?.();
  }
  return entries;
}

/** The payload of the first of the places that has one. @throws Unreachable */
export async function newestPayload(facts: Facts, places: readonly HistoryPlace[]): Promise<Payload | undefined> {
  for (const place of places) {
    const payload = (await readEntry(facts, place))?.payload;
    if (payload !== undefined) return payload;
  }
  return undefined;
}

/** The last confirmation of the revision before this one, from the previous copy, which a publication keeps. @throws Unreachable */
export async function lastBefore(facts: Facts, snapshot: Snapshot): Promise<LastConfirmation | undefined> {
  return replacedBy(snapshot, await readPrevious(facts, snapshot.name));
}

/** The readable entries, newest first, as they may be shown. @throws StoreError when they cannot be listed. */
export async function readShown(facts: Facts, name?: SnapshotName, onDamaged?: () => void): Promise<HistoryEntry[]> {
  const entries = await readHistory(facts, name, onDamaged);
  return facts.trust ? provenEntries(facts, entries, ({ payload }) => payload) : entries;
}

/** The places of the entries of one snapshot whose payloads may be shown, newest first. @throws StoreError if they cannot be listed */
export async function listShown(facts: Facts, name: SnapshotName): Promise<HistoryPlace[]> {
  if (!facts.trust) return listHistory(facts, name);
  const links = await linksOf(facts, name, await readHistory(facts, name));
  return links.filter(({ isGenuine }) => isGenuine).map(({ entry }) => historyPlaceOf(entry));
}

/** What the chain needs of an entry. */
export type Chained = Pick<HistoryEntry, "name" | "revision" | "changedAt" | "isTakenBack" | "before" | "sha256">;

/** An entry in its chain. `last`: the last confirmation of its revision; undefined if it is not known. `isGenuine`: whether it has
 * the payload that was published. */
export interface Link<Entry> {
  entry: Entry;
  last: LastConfirmation | undefined;
  isGenuine: boolean;
}

/** The entries of one snapshot that led to the present one, newest first, as they are given. It omits those with the date of a clock
 * that was ahead: after the present one, or between a revision and the one that it replaced. `isTrusting`: omits those, too, that no
 * believed `before` names. */
export function chainOf<Entry extends Chained>(
  entries: readonly Entry[],
  present: LastConfirmation | undefined,
  isTrusting: boolean,
): Link<Entry>[] {
  const links: Link<Entry>[] = [];
  let last = present;
  let newer = present ? Date.parse(present.changedAt) + 1 : Infinity;
  for (const entry of entries) {
    const changed = Date.parse(entry.changedAt);
    const isNext = last !== undefined && isSamePlace(entry, last);
    if (changed >= newer || (!isNext && last && changed > Date.parse(last.changedAt))) continue;
    if (isTrusting && !entry.isTakenBack && !(isNext && last?.sha256)) continue;
    const isGenuine = entry.sha256 !== undefined && (!isNext || entry.sha256 === last?.sha256);
    links.push({ entry, last: isNext ? last : undefined, isGenuine });
    [last, newer] = [entry.before, changed];
  }
  return links;
}

/** The entries whose payload and the one before it are both signed by a trusted key, with the changes between the two computed anew:
 * those in an entry are not signed. `entries`: newest first, each with a `before` that is believed. @throws Unreachable */
export async function provenEntries<Entry extends Chained>(
  facts: Facts,
  entries: readonly Entry[],
  payloadOf: (entry: Entry) => Payload | undefined,
): Promise<(Entry & Described)[]> {
  const shown = SNAPSHOT_NAMES.map(async (name) => {
    const links = (await linksOf(facts, name, entries)).filter(({ entry }) => !entry.isTakenBack);
    const payloads = links.map(({ entry, isGenuine }) => (isGenuine ? payloadOf(entry) : undefined));
    return links.flatMap(({ entry }, at) => {
      const [payload, before] = [payloads[at], payloads[at + 1]];
      return payload && before ? [{ ...entry, ...described(before, payload) }] : [];
    });
  });
  return (await Promise.all(shown)).flat().toSorted((a, b) => Date.parse(b.changedAt) - Date.parse(a.changedAt));
}

/** The entries of one snapshot that a trusted key has signed. @throws Unreachable */
async function linksOf<Entry extends Chained>(
  facts: Facts,
  name: SnapshotName,
  entries: readonly Entry[],
): Promise<Link<Entry>[]> {
  const read = await readSnapshot(facts, name);
  const present = read.state === "found" ? read.snapshot : undefined;
  const kept = entries.filter((entry) => entry.name === name);
  // The collector writes the entry of the present revision only after it has published it.
  const isKept = present && kept.some((entry) => isSamePlace(entry, present));
  const start = present && !isKept ? await lastBefore(facts, present) : present;
  return chainOf(kept, start, true);
}
