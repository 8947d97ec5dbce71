// Whole answers, just as node:http writes them on a connection that is kept: for the express lane, which writes them itself.
// Those of the table as bytes, in one piece, or in two, head and body, when copying the body would cost more than a second
// piece; those that are given once as text.
import { STATUS_CODES } from "node:http";
import type { TextAnswer } from "./answer.ts";
import type { Choice } from "./prepared.ts";

/** Longer bodies are not copied behind their heads: slow readers would hold a copy for each second, bytes. */
const MAX_COPIED = 32 * 1024;

/** What was made of a choice, with the second whose date it carries. */
const made = new WeakMap<Choice, { second: number; pieces: readonly Uint8Array[] }>();

/** A choice of the table, which is given again and again: made once a second. `keepAlive`: milliseconds. */
export function wholeChoice(choice: Choice, keepAlive: number): readonly Uint8Array[] {
  const second = Math.floor(Date.now() / 1000);
  const known = made.get(choice);
  if (known?.second === second) return known.pieces;
  const { status, headers, body } = choice;
  let lines = "";
  for (let index = 0; index < headers.length; index += 2) lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  const pieces = whole(headOf(status, lines, keepAlive), body);
  made.set(choice, { second, pieces });
  return pieces;
}

/** An answer that is given once, as text with a character for each byte. `keepAlive`: milliseconds. */
export function wholeText({ status, headers, text }: TextAnswer, keepAlive: number): string {
  let lines = "";
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return headOf(status, lines, keepAlive) + text;
}

function whole(head: string, body: Uint8Array): readonly Uint8Array[] {
  if (body.byteLength > MAX_COPIED) return [Buffer.from(head, "latin1"), body];
  const bytes = Buffer.allocUnsafe(head.length + body.byteLength);
  bytes.write(head, "latin1");
  bytes.set(body, head.length);
  return [bytes];
}

/** The date of the second that was asked for last. */
let date = { second: 0, text: "" };

function headOf(status: number, lines: string, keepAlive: number): string {
  const second = Math.floor(Date.now() / 1000);
  if (date.second !== second) date = { second, text: new Date(second * 1000).toUTCString() };
  const connection = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAlive / 1000)}`;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Date: ${date.text}\r\n${connection}\r\n\r\n`;
}
