// Parses the head of a request only if it is plain: complete, and made only of harmless lines that every parser reads
// the same way. Any other head is rejected, so this parser cannot disagree with node:http, above all about where a
// message ends (request smuggling).
import { isHost } from "../request-check.ts";

/** GET of any target, or POST to /mcp with a Content-Length. */
export interface PlainHead {
  method: "GET" | "POST";
  /** In origin form, as sent. */
  target: string;
  /** By name in lower case; each was sent once. */
  headers: Readonly<Record<string, string>>;
  /** Of the head itself, in bytes. */
  size: number;
  /** Of the body, in bytes; 0 for GET. */
  length: number;
}

const REQUEST_LINE = /^(?:GET (?<target>\/[\x21-\x7e]*)|POST \/mcp) HTTP\/1\.1$/;
const HEADER_LINE = /^(?<name>[A-Za-z][A-Za-z\d-]*): (?<value>[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;
const LENGTH = /^[1-9]\d{0,3}$/;

/** Headers that affect neither the framing of the message nor the connection. */
const HARMLESS = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "b3",
  "baggage",
  "cache-control",
  "cdn-loop",
  "cookie",
  "dnt",
  "forwarded",
  "from",
  "host",
  "if-modified-since",
  "if-none-match",
  "origin",
  "pragma",
  "priority",
  "referer",
  "save-data",
  "traceparent",
  "tracestate",
  "true-client-ip",
  "upgrade-insecure-requests",
  "user-agent",
  "via",
]);
const HARMLESS_WITH_BODY = new Set([...HARMLESS, "content-length", "content-type"]);
/** The last four: CDNs' own. */
const HARMLESS_FAMILY = /^(?:mcp|sec|x|akamai|cf|cloudfront|fastly)-/;

/** `text`: the head including its final empty line, a character for each byte. Undefined if the head is not plain. */
export function parsePlainHead(text: string): PlainHead | undefined {
  if (!text.endsWith("\r\n\r\n")) return undefined;
  const [first = "", ...lines] = text.slice(0, -4).split("\r\n");
  const request = REQUEST_LINE.exec(first)?.groups;
  if (!request) return undefined;
  const { target } = request;
  const isGet = target !== undefined;
  const headers = parseHeaders(lines, isGet ? HARMLESS : HARMLESS_WITH_BODY);
  if (!headers || !isHost(headers.host ?? "")) return undefined;
  if (isGet) return { method: "GET", target, headers, size: text.length, length: 0 };
  const length = headers["content-length"] ?? "";
  if (!LENGTH.test(length)) return undefined;
  return { method: "POST", target: "/mcp", headers, size: text.length, length: Number(length) };
}

/** Undefined if a header is not known to be harmless, or sent twice. */
function parseHeaders(lines: readonly string[], harmless: ReadonlySet<string>): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const { name = "", value = "" } = HEADER_LINE.exec(line)?.groups ?? {};
    const key = name.toLowerCase();
    const isHarmless =
      harmless.has(key) || HARMLESS_FAMILY.test(key) || (key === "connection" && value.toLowerCase() === "keep-alive");
    if (!isHarmless || Object.hasOwn(headers, key)) return undefined;
    headers[key] = value;
  }
  return headers;
}
