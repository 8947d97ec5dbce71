// Serializes whole answers for the express lane, exactly as node:http writes them on a kept connection. Prepared
// answers become bytes: one chunk, or head and body apart where copying the body would cost more than a second chunk.
// Answers that are used once become text.
import { STATUS_CODES } from "node:http";
import type { Chunk, TextAnswer } from "../../answers/answer.ts";
import { MAX_COPIED_BYTES, type PreparedResponse } from "../../answers/prepared.ts";

/** The serialized form of each prepared answer, with the date in it. */
const serialized = new WeakMap<PreparedResponse, { date: string; chunks: readonly Uint8Array[] }>();

/** Serializes a prepared answer at most once a second. */
export function serializePrepared(prepared: PreparedResponse, keepAliveMs: number): readonly Uint8Array[] {
  const date = dateNow();
  const known = serialized.get(prepared);
  if (known?.date === date) return known.chunks;
  const { status, headers, body } = prepared;
  let lines = "";
  for (let index = 0; index < headers.length; index += 2) lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  const chunks = join(headOf(status, lines, keepAliveMs), body);
  serialized.set(prepared, { date, chunks });
  return chunks;
}

/** Serializes an answer that is used once. */
export function serializeText({ status, headers, text }: TextAnswer, keepAliveMs: number): readonly Chunk[] {
  let lines = "";
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  const head = headOf(status, lines, keepAliveMs);
  return typeof text === "string" ? [head + text] : [head, ...text];
}

function join(head: string, body: Uint8Array): readonly Uint8Array[] {
  if (body.byteLength > MAX_COPIED_BYTES) return [Buffer.from(head, "latin1"), body];
  const bytes = Buffer.allocUnsafe(head.length + body.byteLength);
  bytes.write(head, "latin1");
  bytes.set(body, head.length);
  return [bytes];
}

function headOf(status: number, lines: string, keepAliveMs: number): string {
  const connection = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}`;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Date: ${dateNow()}\r\n${connection}\r\n\r\n`;
}

/** Cached for the current second, as node:http does: the clock costs too much to read for each answer. */
let date: string | undefined;

function dateNow(): string {
  if (date === undefined) {
    const now = new Date();
    date = now.toUTCString();
    setTimeout(() => (date = undefined), 1000 - now.getMilliseconds()).unref();
  }
  return date;
}
