// Whole answers, just as node:http writes them on a connection that is kept: for the express lane, which writes them itself.
// Those of the table as bytes, in one piece, or in two, head and body, when copying the body would cost more than a second
// piece; those that are given once as text.
import { STATUS_CODES } from "node:http";
import type { TextAnswer } from "../../answers/answer.ts";
import { MAX_COPIED, type Choice } from "../../answers/prepared.ts";

/** What was made of a choice, with the date that it carries. */
const made = new WeakMap<Choice, { date: string; pieces: readonly Uint8Array[] }>();

/** A choice of the table, which is given again and again: made once a second. `keepAlive`: milliseconds. */
export function wholeChoice(choice: Choice, keepAlive: number): readonly Uint8Array[] {
  const date = dateNow();
  const known = made.get(choice);
  if (known?.date === date) return known.pieces;
  const { status, headers, body } = choice;
  let lines = "";
  for (let index = 0; index < headers.length; index += 2) lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  const pieces = whole(headOf(status, lines, keepAlive), body);
  made.set(choice, { date, pieces });
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

function headOf(status: number, lines: string, keepAlive: number): string {
  const connection = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAlive / 1000)}`;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Date: ${dateNow()}\r\n${connection}\r\n\r\n`;
}

/** Until its second is over; as node:http does, because reading a clock for each answer is felt. */
let date: string | undefined;

function dateNow(): string {
  if (date === undefined) {
    const now = new Date();
    date = now.toUTCString();
    setTimeout(() => (date = undefined), 1000 - now.getMilliseconds()).unref();
  }
  return date;
}
