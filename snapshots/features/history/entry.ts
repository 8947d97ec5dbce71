// An entry of the history: one change of a snapshot as a small file of its own, by name, time and revision. Bytes become an entry only
// here, and only if key, payload and checksum are all correct. How long a revision was confirmed is known only when the next one
// replaces it: that one's entry records it.
// after: differences
import * as z from "zod";
import { Difference, difference, lineOf, MAX_TEXT } from "../differences/difference.ts";
import { clip, isPlainText } from "../../rules.ts";
import { Envelope, FACTS, type Payload, type Snapshot, SNAPSHOT_NAMES } from "../../snapshot.ts";
import { parseDocument } from "../../store.ts";

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

const EntryFile = Envelope.pick({ product: true, name: true, revision: true, changedAt: true }).extend({
  format: z.literal(1),
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

export const HISTORY_FOLDER = "history";

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
export function entryKeyOf({ name, revision, changedAt }: HistoryPlace): string {
  return historyPlaceOf({ name, revision, changedAt }).key;
}

export function isSamePlace(a: Pick<HistoryPlace, "revision" | "changedAt">, b: typeof a): boolean {
  return a.revision === b.revision && Date.parse(a.changedAt) === Date.parse(b.changedAt);
}

export function newestFirst(a: HistoryPlace, b: HistoryPlace): number {
  return Date.parse(b.changedAt) - Date.parse(a.changedAt) || b.revision - a.revision || (a.key < b.key ? -1 : 1);
}

/** The last confirmation of the revision before `snapshot`, if `previous` is that. */
export function replacedBy(snapshot: Snapshot, previous: Snapshot | undefined): LastConfirmation | undefined {
  const { revision, changedAt } = snapshot;
  const isBefore = previous?.revision === revision - 1 && Date.parse(previous.changedAt) < Date.parse(changedAt);
  return isBefore ? LastConfirmation.parse(previous) : undefined;
}

const KEY = /^\w+\/([a-z-]+)-(\d{4}-\d\d-\d\d)t(\d\d)-(\d\d)-(\d\d)-(\d{3})z-r([1-9]\d{0,14})(\.takenback)?\.json$/;

export function parseHistoryPlace(key: string): HistoryPlace | undefined {
  const [, word, day, hours, minutes, seconds, rest, revision, takenBack] = KEY.exec(key) ?? [];
  const name = SNAPSHOT_NAMES.find((known) => known === word);
  const changedAt = `${day}T${hours}:${minutes}:${seconds}.${rest}Z`;
  if (name === undefined || Number.isNaN(Date.parse(changedAt))) return undefined;
  const isTakenBack = takenBack === undefined ? undefined : true;
  const place = historyPlaceOf({ name, revision: Number(revision), changedAt, isTakenBack });
  return place.key === key ? place : undefined;
}

/** Undefined for bytes that are not the complete entry of this key, and for those of another product than `ours`, if known. */
export function decodeEntry(
  bytes: Uint8Array,
  place: HistoryPlace,
  ours: string | undefined,
): HistoryEntry | undefined {
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
