// Reads a request if, and only if, it is a plain GET: whole, alone, and made of nothing but harmless lines that every
// parser reads alike. Whatever is odd in any way is not read at all, so there is nothing to disagree about with
// node:http, least of all where a message ends.
import { isHost } from "./guard.ts";
import type { Wishes } from "./negotiate.ts";

export interface PlainGet extends Wishes {
  /** In origin form, as it was sent. */
  target: string;
}

const REQUEST_LINE = /^GET (?<target>\/[\x21-\x7e]*) HTTP\/1\.1$/;
const HEADER_LINE = /^(?<name>[A-Za-z-]+): (?<value>[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;

/** Headers that neither frame the message nor ask anything of the connection. */
const HARMLESS = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "cookie",
  "dnt",
  "forwarded",
  "host",
  "if-modified-since",
  "if-none-match",
  "origin",
  "pragma",
  "priority",
  "referer",
  "upgrade-insecure-requests",
  "user-agent",
  "via",
]);
const HARMLESS_FAMILY = /^(?:sec|x)-/;

/** `text`: what has arrived, a character for each byte. Undefined when it is anything but one plain GET. */
export function readPlainGet(text: string): PlainGet | undefined {
  if (!text.endsWith("\r\n\r\n")) return undefined;
  const [first = "", ...lines] = text.slice(0, -4).split("\r\n");
  const target = REQUEST_LINE.exec(first)?.groups?.target;
  const headers = target === undefined ? undefined : readHeaders(lines);
  if (target === undefined || !headers || !isHost(headers.get("host") ?? "")) return undefined;
  return {
    target,
    "accept-encoding": headers.get("accept-encoding"),
    "if-none-match": headers.get("if-none-match"),
    "if-modified-since": headers.get("if-modified-since"),
  };
}

/** By their names in lower case; undefined when one is not known to be harmless, or given twice. */
function readHeaders(lines: readonly string[]): Map<string, string> | undefined {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const { name = "", value = "" } = HEADER_LINE.exec(line)?.groups ?? {};
    const key = name.toLowerCase();
    const isHarmless =
      HARMLESS.has(key) || HARMLESS_FAMILY.test(key) || (key === "connection" && value === "keep-alive");
    if (!isHarmless || headers.has(key)) return undefined;
    headers.set(key, value);
  }
  return headers;
}
