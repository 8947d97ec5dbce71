// The history: each change of a snapshot as a small file of its own, limited by count and age. It is a convenience that
// no served fact depends on. Bytes become an entry only here, and only if key, payload and checksum are all correct; damaged
// entries are skipped. How long a revision was confirmed is known only when the next one replaces it: that one's entry records it.
// after: differences
import * as z from "zod";
import { Difference, difference, lineOf, MAX_TEXT } from "../differences/difference.ts";
import { clip, isPlainText } from "../../rules.ts";
import { previousKey, readPrevious, type Facts } from "../../facts.ts";
import {
  Envelope,
  FACTS,
  type Payload,
  Product,
  type Snapshot,
  SNAPSHOT_NAMES,
  type SnapshotName,
} from "../../snapshot.ts";
import { getReadable, parseDocument, parseJson, StoreError, type Store } from "../../store.ts";

/** Larger payloads are omitted from their entries. In UTF-16 units of the JSON. */
const MAX_PAYLOAD_LENGTH = 512 * 1024;
const MAX_ENTRY_BYTES = 2 * 1024 * 1024;
const MAX_DIFFERENCES = 20;

const LastConfirmation = Envelope.pick({
  revision: true,
  changedAt: true,
  confirmedAt: true,
  freshUntil: true,
  sha256: true,
  gaps: true,
  proof: true,
}).partial({ sha256: true });
/** The envelope of the last snapshot of a revision. `sha256`: absent if the revision was taken back. */
export type LastConfirmation = z.infer<typeof LastConfirmation>;

const EntryFile = z.object({
  format: z.literal(1),
  product: Product.optional(),
  name: z.enum(SNAPSHOT_NAMES),
  revision: z.int().min(1),
  changedAt: z.iso.datetime(),
  changes: z.array(z.string().max(MAX_TEXT).refine(isPlainText)).max(MAX_DIFFERENCES + 1),
  differences: z.array(z.unknown()).catch([]),
  sha256: z.string().length(64).optional(),
  before: LastConfirmation.optional().catch(undefined),
  payload: z.unknown().optional(),
});

/** One change of a snapshot. `changedAt`: ISO 8601, UTC. `differences`: from the previous entry, stored so that they remain when
 * that entry is removed. `changes`: a line for each of them, stored so that a version that does not know a difference can show it.
 * `sha256`: of the payload's JSON. `payload`: undefined if it was too large for the history. `before`: the last confirmation of the
 * revision that this one replaced; earlier versions did not store it. An entry that was taken back has no payload, changes or
 * checksum, and the next one, whose `before` it is, has no proof of it. Fields of a newer version stay in an entry. */
export interface HistoryEntry extends Omit<z.infer<typeof EntryFile>, "format" | "differences" | "payload"> {
  isTakenBack?: true | undefined;
  differences: readonly Difference[];
  payload: Payload | undefined;
}

/** The place of an entry in the history. A `revision` alone names none, because an emptied store counts from 1 again. */
export type HistoryPlace = Pick<HistoryEntry, "name" | "revision" | "changedAt" | "isTakenBack"> & { key: string };

/** How much history each snapshot has. */
interface Retention {
  /** The number of entries; 0 keeps none. */
  keep: number;
  /** Milliseconds; the newest entry may be older. */
  age: number;
}

/** More than the longest history of every snapshot, twice. */
const MAX_LISTED = 10_000;

const HISTORY_FOLDER = "history";

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

/** The readable entries, newest first, each read only when the caller asks for it. @throws StoreError when they cannot
 * be listed. */
export async function* readHistory(facts: Facts, name?: SnapshotName): AsyncGenerator<HistoryEntry> {
  for (const place of await listHistory(facts, name)) {
    const entry = await readEntry(facts, place);
    if (entry) yield entry;
  }
}

/** Adds a published snapshot, unless it is already there or was taken back. Only for the run that holds the claim.
 * @throws StoreError */
export async function appendHistory(facts: Facts<Store>, snapshot: Snapshot): Promise<void> {
  const place = historyPlaceOf(snapshot);
  if (await readEntry(facts, place)) return;
  const places = await listHistory(facts, snapshot.name);
  if (places.some((other) => other.isTakenBack && isSamePlace(other, place))) return;
  const older = places.filter((other) => newestFirst(place, other) < 0);
  const entry = entryOf(snapshot, await newestPayload(facts, older));
  await putEntry(facts, place, { ...entry, before: await lastBefore(facts, snapshot) });
}

/** The last confirmation of the revision before this one, from the previous copy, which a publication keeps. */
export async function lastBefore(
  facts: Facts,
  { name, revision, changedAt }: Snapshot,
): Promise<LastConfirmation | undefined> {
  const previous = await readPrevious(facts, name);
  const isBefore = previous?.revision === revision - 1 && Date.parse(previous.changedAt) < Date.parse(changedAt);
  return isBefore ? LastConfirmation.parse(previous) : undefined;
}

/** Takes a change back: its place stays and says so; its payload, its proof and what the next change says of it are removed. Can be
 * repeated after a crash. Only for the run that holds the claim, and not for the published revision. @throws StoreError */
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

async function putEntry(
  { store }: Facts<Store>,
  { key }: HistoryPlace,
  entry: Omit<HistoryEntry, "payload">,
): Promise<void> {
  await store.put(key, Buffer.from(`${JSON.stringify({ format: 1, ...entry })}\n`));
}

/** Removes the entries beyond the retention, except the newest (unless `keep` is 0): the next change is compared with
 * it. Only for the run that holds the claim. @throws StoreError */
export async function pruneHistory(facts: Facts<Store>, name: SnapshotName, { keep, age }: Retention): Promise<void> {
  const isTooOld = ({ changedAt }: HistoryPlace, index: number) =>
    index > 0 && Date.parse(changedAt) < facts.clock.wall() - age;
  const places = await listHistory(facts, name);
  for (const [index, place] of places.entries()) {
    if (index < keep && !isTooOld(place, index)) continue;
    if (place.isTakenBack) await facts.store.remove(entryKeyOf(place));
    await facts.store.remove(place.key);
  }
}

async function newestPayload(facts: Facts, places: readonly HistoryPlace[]): Promise<Payload | undefined> {
  for (const place of places) {
    const payload = (await readEntry(facts, place))?.payload;
    if (payload !== undefined) return payload;
  }
  return undefined;
}

function newestFirst(a: HistoryPlace, b: HistoryPlace): number {
  return Date.parse(b.changedAt) - Date.parse(a.changedAt) || b.revision - a.revision || (a.key < b.key ? -1 : 1);
}

const KEY = new RegExp(
  `^${HISTORY_FOLDER}/(?<name>${SNAPSHOT_NAMES.join("|")})-(?<date>\\d{4}-\\d\\d-\\d\\d)t(?<time>\\d\\d-\\d\\d-\\d\\d)-(?<rest>\\d{3})z-r(?<revision>[1-9]\\d{0,14})(?<takenBack>\\.takenback)?\\.json$`,
);

/** The entry of a snapshot. `before`: the payload published before it, if any. */
export function entryOf(
  { product, name, revision, changedAt, sha256, payload, text }: Snapshot,
  before: Payload | undefined,
): HistoryEntry {
  const kept = text.length <= MAX_PAYLOAD_LENGTH ? payload : undefined;
  return { product, name, revision, changedAt, ...described(before, payload), sha256, payload: kept };
}

export type Described = Pick<HistoryEntry, "changes" | "differences">;

export function described(before: Payload | undefined, payload: Payload): Described {
  const differences = bounded(difference(before, payload));
  return { changes: differences.map((one) => clipped(lineOf(one))), differences };
}

/** Keys of one name sort by time. */
export function historyPlaceOf({ name, revision, changedAt, isTakenBack }: Omit<HistoryPlace, "key">): HistoryPlace {
  const time = new Date(changedAt).toISOString();
  const kind = isTakenBack ? ".takenback" : "";
  const key = `${HISTORY_FOLDER}/${name}-${time.toLowerCase().replace(/[:.]/g, "-")}-r${revision}${kind}.json`;
  return { key, name, revision, changedAt: time, ...(isTakenBack && { isTakenBack }) };
}

/** The key of the entry before it was taken back. */
function entryKeyOf({ name, revision, changedAt }: HistoryPlace): string {
  return historyPlaceOf({ name, revision, changedAt }).key;
}

export function isSamePlace(a: Pick<HistoryPlace, "revision" | "changedAt">, b: typeof a): boolean {
  return a.revision === b.revision && Date.parse(a.changedAt) === Date.parse(b.changedAt);
}

export function parseHistoryPlace(key: string): HistoryPlace | undefined {
  const { name, date, time = "", rest, revision, takenBack } = KEY.exec(key)?.groups ?? {};
  const known = SNAPSHOT_NAMES.find((candidate) => candidate === name);
  const changedAt = `${date}T${time.replaceAll("-", ":")}.${rest}Z`;
  if (known === undefined || Number.isNaN(Date.parse(changedAt))) return undefined;
  const isTakenBack = takenBack === undefined ? undefined : true;
  const parsed = historyPlaceOf({ name: known, revision: Number(revision), changedAt, isTakenBack });
  return parsed.key === key ? parsed : undefined;
}

/** Undefined for bytes that are not the complete entry of this key, and for those of another product than `ours`, if known. */
function decodeEntry(bytes: Uint8Array, place: HistoryPlace, ours: string | undefined): HistoryEntry | undefined {
  if (bytes.byteLength > MAX_ENTRY_BYTES) return undefined;
  const entry = parseDocument(bytes, EntryFile);
  if (!entry || entry.name !== place.name || !isSamePlace(entry, place)) return undefined;
  const { format: _format, payload, ...known } = entry;
  const rest = { ...known, isTakenBack: place.isTakenBack };
  if (ours !== undefined && rest.product !== undefined && rest.product !== ours) return undefined;
  const differences = rest.changes.map(
    (line, index): Difference => Difference.safeParse(rest.differences[index]).data ?? { kind: "words", after: line },
  );
  if (payload === undefined) return { ...rest, differences, payload };
  const { data: fact } = FACTS[rest.name].safeParse(payload);
  return fact && fact.sha256 === rest.sha256 ? { ...rest, differences, payload: fact.payload } : undefined;
}

function bounded(differences: readonly Difference[]): Difference[] {
  const short = (value: Difference["after"]) => (typeof value === "string" ? clip(value, MAX_TEXT, "") : value);
  const first = differences.slice(0, MAX_DIFFERENCES).map((one) => {
    return { ...one, before: short(one.before), after: short(one.after) };
  });
  const left = differences.length - first.length;
  return left === 0 ? first : [...first, { kind: "more", after: left }];
}

function clipped(line: string): string {
  return line.length > MAX_TEXT ? clip(line, MAX_TEXT - 2) : line;
}
