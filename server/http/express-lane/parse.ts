// Reads the head of a request if, and only if, it is plain: alone, whole, and made of nothing but harmless lines that every
// parser reads alike. Whatever is odd in any way is not read at all, so there is nothing to disagree about with node:http,
// least of all where a message ends.
import { isHost } from "../request-check.ts";

/** Plain is GET of any target, and a message to /mcp whose length is told. */
export interface PlainHead {
  method: "GET" | "POST";
  /** In origin form, as it was sent. */
  target: string;
  /** By their names in lower case; each was given once. */
  headers: Readonly<Record<string, string>>;
  /** Bytes of the body that must follow; 0 for GET. */
  length: number;
}

const REQUEST_LINE = /^(?:GET (?<target>\/[\x21-\x7e]*)|POST \/mcp) HTTP\/1\.1$/;
const HEADER_LINE = /^(?<name>[A-Za-z-]+): (?<value>[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;
const LENGTH = /^[1-9]\d{0,3}$/;

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
const HARMLESS_WITH_BODY = new Set([...HARMLESS, "content-length", "content-type"]);
const HARMLESS_FAMILY = /^(?:mcp|sec|x)-/;

/** `text`: the head with the empty line at its end, a character for each byte. Undefined when it is not plain. */
export function readPlainHead(text: string): PlainHead | undefined {
  if (!text.endsWith("\r\n\r\n")) return undefined;
  const [first = "", ...lines] = text.slice(0, -4).split("\r\n");
  const request = REQUEST_LINE.exec(first)?.groups;
  if (!request) return undefined;
  const { target } = request;
  const isRead = target !== undefined;
  const headers = readHeaders(lines, isRead ? HARMLESS : HARMLESS_WITH_BODY);
  if (!headers || !isHost(headers.host ?? "")) return undefined;
  if (isRead) return { method: "GET", target, headers, length: 0 };
  const length = headers["content-length"] ?? "";
  return LENGTH.test(length) ? { method: "POST", target: "/mcp", headers, length: Number(length) } : undefined;
}

/** Undefined when one is not known to be harmless, or given twice. */
function readHeaders(lines: readonly string[], harmless: ReadonlySet<string>): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const { name = "", value = "" } = HEADER_LINE.exec(line)?.groups ?? {};
    const key = name.toLowerCase();
    const isHarmless =
      harmless.has(key) || HARMLESS_FAMILY.test(key) || (key === "connection" && value === "keep-alive");
    if (!isHarmless || Object.hasOwn(headers, key)) return undefined;
    headers[key] = value;
  }
  return headers;
}
