// One change of a snapshot, as it is kept. Bytes become an entry only here, and only when the key, the checksum and the
// payload are all right; whatever else lies there is damage, for a reader to skip.
import * as z from "zod";
import { difference } from "./difference.ts";
import { parseDocument } from "./read-document.ts";
import { clip, isPlainText } from "./rules.ts";
import { PAYLOADS, payloadText, sha256, SNAPSHOT_NAMES, type Payload, type Snapshot } from "./snapshot.ts";

/** Largest payload that is kept, in UTF-16 units of its JSON; of a larger one only the lines are. */
const MAX_PAYLOAD = 512 * 1024;
/** Largest entry that is read, bytes. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Most lines of an entry, and their longest, in UTF-16 units. */
const MAX_LINES = 20;
const MAX_LINE = 300;

const Sealed = z.strictObject({
  format: z.literal(1),
  name: z.enum(SNAPSHOT_NAMES),
  revision: z.int().min(1),
  changedAt: z.iso.datetime(),
  changes: z.array(z.string().max(MAX_LINE).refine(isPlainText)).max(MAX_LINES + 1),
  sha256: z.string().length(64),
  payload: z.unknown().optional(),
});

/** `changedAt`: ISO 8601, UTC. `changes`: what differed from the change before, in a reader's words; kept as they were
 * told first, so that they stay the same when the change before is no longer there. `sha256` is of the payload's JSON.
 * `payload`: undefined when it was too large to be kept. */
export interface HistoryEntry extends Omit<z.infer<typeof Sealed>, "format" | "payload"> {
  payload: Payload | undefined;
}

/** Where an entry is, and all that its key says of it. */
export type HistoryKey = Pick<HistoryEntry, "name" | "revision" | "changedAt"> & { key: string };

/** The folder of the store. */
export const FOLDER = "history";

const KEY = new RegExp(
  `^${FOLDER}/(?<name>${SNAPSHOT_NAMES.join("|")})-(?<date>\\d{4}-\\d\\d-\\d\\d)t(?<time>\\d\\d-\\d\\d-\\d\\d)-(?<rest>\\d{3})z-r(?<revision>[1-9]\\d{0,14})\\.json$`,
);

/** The entry of a snapshot that follows what was published `before`; undefined: nothing was. */
export function entryOf(
  { name, revision, changedAt, sha256, payload }: Snapshot,
  before: Payload | undefined,
): HistoryEntry {
  const isKept = payloadText(payload).length <= MAX_PAYLOAD;
  const changes = bounded(difference(before, payload));
  return { name, revision, changedAt, changes, sha256, payload: isKept ? payload : undefined };
}

/** Keys of one name sort by time. */
export function historyKeyOf({ name, revision, changedAt }: Omit<HistoryKey, "key">): HistoryKey {
  const time = new Date(changedAt).toISOString();
  const key = `${FOLDER}/${name}-${time.toLowerCase().replace(/[:.]/g, "-")}-r${revision}.json`;
  return { key, name, revision, changedAt: time };
}

/** Undefined for a key that is of no entry. */
export function parseHistoryKey(key: string): HistoryKey | undefined {
  const { name, date, time = "", rest, revision } = KEY.exec(key)?.groups ?? {};
  const known = SNAPSHOT_NAMES.find((candidate) => candidate === name);
  const changedAt = `${date}T${time.replaceAll("-", ":")}.${rest}Z`;
  if (known === undefined || Number.isNaN(Date.parse(changedAt))) return undefined;
  const place = historyKeyOf({ name: known, revision: Number(revision), changedAt });
  return place.key === key ? place : undefined;
}

export function encodeEntry(entry: HistoryEntry): Uint8Array {
  return Buffer.from(`${JSON.stringify({ format: 1, ...entry })}\n`);
}

/** Undefined for bytes that are not the entry of the place, whole. */
export function decodeEntry(bytes: Uint8Array, { key }: HistoryKey): HistoryEntry | undefined {
  if (bytes.byteLength > MAX_BYTES) return undefined;
  const sealed = parseDocument(bytes, Sealed);
  if (!sealed || historyKeyOf(sealed).key !== key) return undefined;
  const { format: _format, payload, ...rest } = sealed;
  if (payload === undefined) return { ...rest, payload };
  const checked = PAYLOADS[rest.name].safeParse(payload);
  if (!checked.success || sha256(payloadText(checked.data)) !== rest.sha256) return undefined;
  return { ...rest, payload: checked.data };
}

function bounded(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_LINES).map((line) => (line.length > MAX_LINE ? clip(line, MAX_LINE - 2) : line));
  return lines.length > MAX_LINES ? [...shown, `and ${lines.length - MAX_LINES} more`] : shown;
}
