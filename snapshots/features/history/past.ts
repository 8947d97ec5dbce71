// The past as it may be shown: the entries of the history, linked by what each records of the one before it. With `trust`, only what
// a trusted key has signed.
import {
  described,
  historyPlaceOf,
  isSamePlace,
  lastBefore,
  listHistory,
  readHistory,
  type Described,
  type HistoryEntry,
  type HistoryPlace,
  type LastConfirmation,
} from "./history.ts";
import { readSnapshot, type Facts, type Trust } from "../../facts.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshot.ts";

/** The readable entries, newest first, as they may be shown. @throws StoreError when they cannot be listed. */
export async function readShown(facts: Facts, name?: SnapshotName): Promise<HistoryEntry[]> {
  const entries = await readAll(facts, name);
  return facts.trust ? provenEntries(facts, entries) : entries;
}

/** The places of the entries of one snapshot whose payloads may be shown, newest first. @throws StoreError if they cannot be listed */
export async function listShown(facts: Facts, name: SnapshotName): Promise<HistoryPlace[]> {
  if (!facts.trust) return listHistory(facts, name);
  const links = await linksOf(facts, name, await readAll(facts, name));
  return links.filter(({ isGenuine }) => isGenuine).map(({ entry }) => historyPlaceOf(entry));
}

async function readAll(facts: Facts, name?: SnapshotName): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for await (const entry of readHistory(facts, name)) entries.push({ ...entry, before: beforeOf(entry, facts.trust) });
  return entries;
}

/** The last confirmation of the revision before, unless there is `trust` and no trusted key has signed it. */
export function beforeOf(
  { name, before }: Pick<HistoryEntry, "name" | "before">,
  trust: Trust | undefined,
): LastConfirmation | undefined {
  const { sha256 } = before ?? {};
  return !trust || !before || !sha256 || trust.isProven({ ...before, name, sha256 }) ? before : undefined;
}

type Chained = Pick<HistoryEntry, "revision" | "changedAt" | "isTakenBack" | "before" | "sha256">;

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
export async function provenEntries<Entry extends Chained & Pick<HistoryEntry, "name" | "payload">>(
  facts: Facts,
  entries: readonly Entry[],
): Promise<(Entry & Described)[]> {
  const shown = SNAPSHOT_NAMES.map(async (name) => {
    const links = (await linksOf(facts, name, entries)).filter(({ entry }) => !entry.isTakenBack);
    return links.flatMap(({ entry, isGenuine }, at) => {
      const before = links[at + 1];
      if (!isGenuine || !entry.payload || !before?.isGenuine || !before.entry.payload) return [];
      return [{ ...entry, ...described(before.entry.payload, entry.payload) }];
    });
  });
  return (await Promise.all(shown)).flat().toSorted((a, b) => Date.parse(b.changedAt) - Date.parse(a.changedAt));
}

/** The entries of one snapshot that a trusted key has signed. @throws Unreachable */
async function linksOf<Entry extends Chained & Pick<HistoryEntry, "name">>(
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
