// Parses the head of a request only if it is plain: complete, and made only of harmless lines that every parser reads
// the same way. Any other head is rejected, so this parser cannot disagree with node:http, above all about where a
// message ends (request smuggling).
import { memo } from "../../answers/memo.ts";
import { isHost } from "../request-check.ts";

/** GET of any target, or POST to /mcp with a Content-Length. */
export interface PlainHead {
  method: "GET" | "POST";
  /** In origin form, as sent. */
  target: string;
  /** Those that can affect the answer, by name in lower case; each was sent once. */
  headers: Readonly<Record<string, string>>;
  /** Of the head itself, in bytes. */
  size: number;
  /** Of the body, in bytes; 0 for GET. */
  length: number;
}

const REQUEST_LINE = /^(?:GET (?<target>\/[\x21-\x7e]*)|POST \/mcp) HTTP\/1\.1$/;
const HEADER_LINE = /^(?<name>[A-Za-z][A-Za-z\d-]*): (?<value>[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;
const LENGTH = /^[1-9]\d{0,3}$/;

/** Lines of headers that affect neither the framing of the message nor the connection nor any answer. */
const IGNORED_LINES = new RegExp(
  `\\r\\n(?:(?:${[
    "(?:akamai|cf|cloudfront|fastly|sec|x)-[a-z\\d-]+",
    "accept-language",
    "b3",
    "baggage",
    "cache-control",
    "cdn-loop",
    "cookie",
    "dnt",
    "forwarded",
    "from",
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
  ].join("|")}): [\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?|connection: keep-alive)(?=\\r\\n)`,
  "gi",
);

/** Headers that affect the answer only. */
const HARMLESS = new Set(["accept", "accept-encoding", "host", "if-modified-since", "if-none-match", "origin"]);
const HARMLESS_WITH_BODY = new Set([...HARMLESS, "content-length", "content-type"]);

/** `text`: the head including its final empty line, a character for each byte. Undefined if the head is not plain. */
export function parsePlainHead(text: string): PlainHead | undefined {
  const head = parseLines(text.replace(IGNORED_LINES, ""));
  return (
    head && { method: head.method, target: head.target, headers: head.headers, length: head.length, size: text.length }
  );
}

/** A memo, because CDNs and tracers give each request an id: its head is new, but not the lines that matter. */
const parseLines = memo(parse, { maxEntries: 500, maxLength: 512 });

function parse(text: string): Omit<PlainHead, "size"> | undefined {
  if (!text.endsWith("\r\n\r\n")) return undefined;
  const [first = "", ...lines] = text.slice(0, -4).split("\r\n");
  const request = REQUEST_LINE.exec(first)?.groups;
  if (!request) return undefined;
  const { target } = request;
  const isGet = target !== undefined;
  const headers = parseHeaders(lines, isGet ? HARMLESS : HARMLESS_WITH_BODY);
  if (!headers || !isHost(headers.host ?? "")) return undefined;
  if (isGet) return { method: "GET", target, headers, length: 0 };
  const length = headers["content-length"] ?? "";
  return LENGTH.test(length) ? { method: "POST", target: "/mcp", headers, length: Number(length) } : undefined;
}

/** Undefined if a header is not known to be harmless, or sent twice. */
function parseHeaders(lines: readonly string[], harmless: ReadonlySet<string>): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const { name = "", value = "" } = HEADER_LINE.exec(line)?.groups ?? {};
    const key = name.toLowerCase();
    if (!(harmless.has(key) || key.startsWith("mcp-")) || Object.hasOwn(headers, key)) return undefined;
    headers[key] = value;
  }
  return headers;
}
