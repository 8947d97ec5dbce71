// The history: each change of a snapshot as a small file of its own, limited by count and age. It is a convenience that
// no served fact depends on. Bytes become an entry only here, and only if key, payload and checksum are all correct; damaged
// entries are skipped.
import * as z from "zod";
import { Difference, difference, differenceIn, lineOf, MAX_TEXT } from "./difference.ts";
import { clip, isPlainText } from "./rules.ts";
import { FACTS, Product, SNAPSHOT_NAMES, type Payload, type Snapshot, type SnapshotName } from "./snapshot.ts";
import { parseDocument, StoreError, Unreachable, type Reader, type Store } from "./store.ts";

/** Larger payloads are omitted from their entries. In UTF-16 units of the JSON. */
const MAX_PAYLOAD_LENGTH = 512 * 1024;
const MAX_ENTRY_BYTES = 2 * 1024 * 1024;
const MAX_DIFFERENCES = 20;

const EntryFile = z.object({
  format: z.literal(1),
  product: Product.optional(),
  name: z.enum(SNAPSHOT_NAMES),
  revision: z.int().min(1),
  changedAt: z.iso.datetime(),
  changes: z.array(z.string().max(MAX_TEXT).refine(isPlainText)).max(MAX_DIFFERENCES + 1),
  differences: z.array(z.unknown()).catch([]),
  sha256: z.string().length(64),
  payload: z.unknown().optional(),
});

/** One change of a snapshot. `changedAt`: ISO 8601, UTC. `differences`: from the previous entry, stored so that they remain when
 * that entry is removed. `changes`: a line for each of them, stored so that a version that does not know a difference can show it.
 * `sha256`: of the payload's JSON. `payload`: undefined if it was too large for the history. Whatever else a newer version stores
 * in an entry stays there: none is written twice. */
export interface HistoryEntry extends Omit<z.infer<typeof EntryFile>, "format" | "differences" | "payload"> {
  differences: readonly Difference[];
  payload: Payload | undefined;
}

export type HistoryKey = Pick<HistoryEntry, "name" | "revision" | "changedAt"> & { key: string };

/** How much history each snapshot has. */
export interface Retention {
  /** It is the number of entries; 0 keeps none. */
  keep: number;
  /** It is in ms; the newest entry may be older. */
  age: number;
}

/** More than the longest history of every snapshot, twice. */
const MAX_LISTED = 10_000;

export const HISTORY_FOLDER = "history";

/** The keys of the entries, newest first, of one snapshot or of all. Reads no entry. @throws StoreError */
export async function listHistory(store: Reader, name?: SnapshotName): Promise<HistoryKey[]> {
  const listed = await store.list(HISTORY_FOLDER);
  if (listed.length > MAX_LISTED) {
    throw new StoreError(`over ${MAX_LISTED} values in ${HISTORY_FOLDER}/: remove those of other programs`);
  }
  const keys = listed.map(parseHistoryKey).filter((key) => key !== undefined);
  return keys.filter((key) => name === undefined || key.name === name).toSorted(newestFirst);
}

/** Undefined for an entry that is damaged, gone, or of another product. @throws Unreachable */
export async function readEntry(store: Reader, key: HistoryKey): Promise<HistoryEntry | undefined> {
  try {
    const stored = await store.get(key.key);
    return stored === undefined || stored === "unchanged" ? undefined : decodeEntry(stored.bytes, key, store.product);
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
  const entry = entryOf(snapshot, await newestPayload(store, older));
  await store.put(key.key, Buffer.from(`${JSON.stringify({ format: 1, ...entry })}\n`));
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

const KEY = new RegExp(
  `^${HISTORY_FOLDER}/(?<name>${SNAPSHOT_NAMES.join("|")})-(?<date>\\d{4}-\\d\\d-\\d\\d)t(?<time>\\d\\d-\\d\\d-\\d\\d)-(?<rest>\\d{3})z-r(?<revision>[1-9]\\d{0,14})\\.json$`,
);

/** The entry of a snapshot. `before`: the payload published before it, if any. */
export function entryOf(
  { product, name, revision, changedAt, sha256, payload, text }: Snapshot,
  before: Payload | undefined,
): HistoryEntry {
  const isSmall = text.length <= MAX_PAYLOAD_LENGTH;
  const differences = bounded(difference(before, payload));
  const changes = differences.map((one) => clipped(lineOf(one)));
  return { product, name, revision, changedAt, changes, differences, sha256, payload: isSmall ? payload : undefined };
}

/** Keys of one name sort by time. */
export function historyKeyOf({ name, revision, changedAt }: Omit<HistoryKey, "key">): HistoryKey {
  const time = new Date(changedAt).toISOString();
  const key = `${HISTORY_FOLDER}/${name}-${time.toLowerCase().replace(/[:.]/g, "-")}-r${revision}.json`;
  return { key, name, revision, changedAt: time };
}

export function parseHistoryKey(key: string): HistoryKey | undefined {
  const { name, date, time = "", rest, revision } = KEY.exec(key)?.groups ?? {};
  const known = SNAPSHOT_NAMES.find((candidate) => candidate === name);
  const changedAt = `${date}T${time.replaceAll("-", ":")}.${rest}Z`;
  if (known === undefined || Number.isNaN(Date.parse(changedAt))) return undefined;
  const parsed = historyKeyOf({ name: known, revision: Number(revision), changedAt });
  return parsed.key === key ? parsed : undefined;
}

/** Undefined for bytes that are not the complete entry of this key, and for those of another product than `ours`, if known. */
function decodeEntry(bytes: Uint8Array, { key }: HistoryKey, ours: string | undefined): HistoryEntry | undefined {
  if (bytes.byteLength > MAX_ENTRY_BYTES) return undefined;
  const entry = parseDocument(bytes, EntryFile);
  if (!entry || historyKeyOf(entry).key !== key) return undefined;
  const { format: _format, payload, ...rest } = entry;
  if (ours !== undefined && rest.product !== undefined && rest.product !== ours) return undefined;
  const differences = rest.changes.map(
    (line, index) => Difference.safeParse(rest.differences[index]).data ?? differenceIn(line),
  );
  if (payload === undefined) return { ...rest, differences, payload };
  const { data: fact } = FACTS[rest.name].safeParse(payload);
  return fact?.sha256 === rest.sha256 ? { ...rest, differences, payload: fact.payload } : undefined;
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
