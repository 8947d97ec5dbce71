// One change of a snapshot in the history. Bytes become an entry only here, and only if key, payload and checksum are
// all correct; readers skip anything else.
import * as z from "zod";
import { difference } from "./difference.ts";
import { parseDocument } from "./read-document.ts";
import { clip, firstLines, isPlainText } from "./rules.ts";
import { PAYLOADS, payloadText, sha256, SNAPSHOT_NAMES, type Payload, type Snapshot } from "./snapshot.ts";

/** Larger payloads are omitted from their entries. In UTF-16 units of the JSON. */
const MAX_PAYLOAD_LENGTH = 512 * 1024;
const MAX_ENTRY_BYTES = 2 * 1024 * 1024;
const MAX_LINES = 20;
/** In UTF-16 units. */
const MAX_LINE_LENGTH = 300;

const EntryFile = z.strictObject({
  format: z.literal(1),
  name: z.enum(SNAPSHOT_NAMES),
  revision: z.int().min(1),
  changedAt: z.iso.datetime(),
  changes: z.array(z.string().max(MAX_LINE_LENGTH).refine(isPlainText)).max(MAX_LINES + 1),
  sha256: z.string().length(64),
  payload: z.unknown().optional(),
});

/** `changedAt`: ISO 8601, UTC. `changes`: the differences from the previous entry in words, stored so that they remain
 * when that entry is removed. `sha256`: of the payload's JSON. `payload`: undefined if it was too large for the
 * history. */
export interface HistoryEntry extends Omit<z.infer<typeof EntryFile>, "format" | "payload"> {
  payload: Payload | undefined;
}

/** The key of an entry, and its parts. */
export type HistoryKey = Pick<HistoryEntry, "name" | "revision" | "changedAt"> & { key: string };

/** In the store. */
export const HISTORY_FOLDER = "history";

const KEY = new RegExp(
  `^${HISTORY_FOLDER}/(?<name>${SNAPSHOT_NAMES.join("|")})-(?<date>\\d{4}-\\d\\d-\\d\\d)t(?<time>\\d\\d-\\d\\d-\\d\\d)-(?<rest>\\d{3})z-r(?<revision>[1-9]\\d{0,14})\\.json$`,
);

/** The entry of a snapshot. `before`: the payload published before it, if any. */
export function entryOf(
  { name, revision, changedAt, sha256, payload }: Snapshot,
  before: Payload | undefined,
): HistoryEntry {
  const isSmall = payloadText(payload).length <= MAX_PAYLOAD_LENGTH;
  const changes = bounded(difference(before, payload));
  return { name, revision, changedAt, changes, sha256, payload: isSmall ? payload : undefined };
}

/** Keys of one name sort by time. */
export function historyKeyOf({ name, revision, changedAt }: Omit<HistoryKey, "key">): HistoryKey {
  const time = new Date(changedAt).toISOString();
  const key = `${HISTORY_FOLDER}/${name}-${time.toLowerCase().replace(/[:.]/g, "-")}-r${revision}.json`;
  return { key, name, revision, changedAt: time };
}

/** Undefined for any other key. */
export function parseHistoryKey(key: string): HistoryKey | undefined {
  const { name, date, time = "", rest, revision } = KEY.exec(key)?.groups ?? {};
  const known = SNAPSHOT_NAMES.find((candidate) => candidate === name);
  const changedAt = `${date}T${time.replaceAll("-", ":")}.${rest}Z`;
  if (known === undefined || Number.isNaN(Date.parse(changedAt))) return undefined;
  const parsed = historyKeyOf({ name: known, revision: Number(revision), changedAt });
  return parsed.key === key ? parsed : undefined;
}

export function encodeEntry(entry: HistoryEntry): Uint8Array {
  return Buffer.from(`${JSON.stringify({ format: 1, ...entry })}\n`);
}

/** Undefined for bytes that are not the complete entry of this key. */
export function decodeEntry(bytes: Uint8Array, { key }: HistoryKey): HistoryEntry | undefined {
  if (bytes.byteLength > MAX_ENTRY_BYTES) return undefined;
  const entry = parseDocument(bytes, EntryFile);
  if (!entry || historyKeyOf(entry).key !== key) return undefined;
  const { format: _format, payload, ...rest } = entry;
  if (payload === undefined) return { ...rest, payload };
  const checked = PAYLOADS[rest.name].safeParse(payload);
  if (!checked.success || sha256(payloadText(checked.data)) !== rest.sha256) return undefined;
  return { ...rest, payload: checked.data };
}

function bounded(lines: readonly string[]): string[] {
  return firstLines(lines, MAX_LINES).map((line) =>
    line.length > MAX_LINE_LENGTH ? clip(line, MAX_LINE_LENGTH - 2) : line,
  );
}
