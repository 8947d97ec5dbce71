// A grammar of complete HTTP requests, from valid to hostile. (After an incomplete one a server may rightly wait.) Every
// part that a client can choose contains the word "marker", so that a test notices it in an answer.
import fc from "fast-check";
import { randomBody, type RandomBody } from "./body.ts";
import { randomHeader } from "./header.ts";
import { randomTarget, knownTarget } from "./target.ts";
import { one, weighed, word } from "./parts.ts";

export interface RandomRequest {
  method: string;
  target: string;
  version: string;
  /** Complete lines, as are `headers`. */
  host: readonly string[];
  headers: string[];
  body: RandomBody | undefined;
}

/** The request as sent, one character per byte. */
export function bytesOf({ method, target, version, host, headers, body }: RandomRequest): string {
  const lines = [`${method} ${target}${version === "" ? "" : ` ${version}`}`, ...host];
  if (!body) return [...lines, ...headers, "", ""].join("\r\n");
  const type = body.type === "" ? [] : [`Content-Type: ${body.type}`];
  const framing = body.isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.text.length}`;
  return [...lines, framing, ...type, ...headers, "", framed(body)].join("\r\n");
}

function framed({ text, isChunked }: RandomBody): string {
  if (!isChunked) return text;
  const chunk = text === "" ? "" : `${text.length.toString(16)}\r\n${text}\r\n`;
  return `${chunk}0\r\n\r\n`;
}

const METHOD = weighed(
  [6, word("GET HEAD")],
  [2, word("POST OPTIONS")],
  [1, word("PUT DELETE PATCH TRACE CONNECT PROPFIND QUERY M-SEARCH PURGE")],
  [1, one("MARKER", "get", "Get", "GETmarker", "", " GET", "G\0T", "\xff", "PRI", "__proto__")],
);

const VERSION = weighed(
  [30, fc.constant("HTTP/1.1")],
  [1, one("HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.2", "HTTP/1.10", "http/1.1", "HTTP/marker", "MARKER/1.1", "")],
);

const ODD_HOST = one(
  "marker",
  "marker:81",
  "marker:99999",
  "marker/a",
  "a@marker",
  "",
  "[::1]",
  "[marker",
  "a b",
  "\xff",
);

const HOST = weighed<readonly string[]>(
  [30, fc.constant(["Host: localhost"])],
  [1, fc.constant([])],
  [1, fc.constant(["Host: marker", "Host: marker"])],
  [1, ODD_HOST.map((host) => [`Host: ${host}`])],
);

const ANYTHING = fc.record({
  method: METHOD,
  target: randomTarget,
  version: VERSION,
  host: HOST,
  headers: fc.array(randomHeader, { maxLength: 4 }),
  body: fc.option(randomBody, { nil: undefined, freq: 6 }),
});

const MESSAGE = fc.record({
  method: fc.constant("POST"),
  target: word("/mcp /mcp/ /mcp?marker /%6dcp"),
  version: fc.constant("HTTP/1.1"),
  host: fc.constant(["Host: localhost"]),
  headers: fc.array(randomHeader, { maxLength: 1 }),
  body: randomBody,
});

const READ = fc.record({
  method: fc.constant("GET"),
  target: knownTarget,
  version: fc.constant("HTTP/1.1"),
  host: fc.constant(["Host: localhost"]),
  headers: fc.array(randomHeader, { maxLength: 2 }),
  body: fc.constant(undefined),
});

export const randomRequest: fc.Arbitrary<RandomRequest> = weighed<RandomRequest>(
  [5, ANYTHING],
  [1, MESSAGE],
  [1, READ],
);
