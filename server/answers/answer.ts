// An HTTP answer as a value: every response of the server, errors included, is one of these before it is sent. Clients
// learn nothing of an error of our own; the operator gets a line with its stack.

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Body;
}

/** Bytes, or text with a character for each byte, which costs half as much to join and to write. */
export type Chunk = Uint8Array | string;

/** A long body may be a list, whose long chunks all clients share: a client that does not read holds no copy. */
export type Body = Chunk | readonly Chunk[];

/** Longer bodies are not copied behind their heads: each slow reader would hold a copy of its own. */
export const MAX_COPIED_BYTES = 32 * 1024;

/** The headers of a request, by their names in lower case. All lines of a header are joined; null if there is none. */
export type RequestHeaders = Pick<Headers, "get">;

/** Every answer may be read from any origin, and is never sniffed as another type. */
const COMMON = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Link, Retry-After",
  "x-content-type-options": "nosniff",
};
const NO_STORE = { "cache-control": "no-store" };
/** Within stale-while-revalidate, a browser or a CDN hands out its copy before it asks for a new answer. Whoever asks again
 * after a day must not get the price of yesterday; outages are bridged by stale-if-error. */
export const MAX_REVALIDATION_SECONDS = 30;

const A_WEEK_DURING_ERRORS = `stale-while-revalidate=${MAX_REVALIDATION_SECONDS}, stale-if-error=604800`;
/** Such an answer changes only with the program or its settings. */
const DOCUMENT = { "cache-control": `public, max-age=3600, ${A_WEEK_DURING_ERRORS}` };
/** Feeds change with the facts and are true at any age. */
export const FEED = { "cache-control": `public, max-age=60, ${A_WEEK_DURING_ERRORS}` };

/** Pages of other origins may load it, even isolated ones without `crossorigin`. */
export const ANYWHERE = { "cross-origin-resource-policy": "cross-origin" };

/** An answer of any type, with `content-length`, which HEAD needs. */
export function answer(status: number, body: Uint8Array | string, headers: Record<string, string>): Answer {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return { status, headers: { ...COMMON, "content-length": String(bytes.byteLength), ...headers }, body: bytes };
}

/** A JSON answer; uncacheable unless its headers allow it. */
export function json(status: number, body: Uint8Array | string, headers: Record<string, string> = NO_STORE): Answer {
  return answer(status, body, { "content-type": "application/json", ...headers });
}

/** A document: it stays the same until the next restart, unless its headers say otherwise. */
export function document(
  body: Uint8Array | string,
  type = "application/json",
  headers: Record<string, string> = {},
): Answer {
  return answer(200, body, { "content-type": type, ...DOCUMENT, ...headers });
}

/** An error in the specified shape. Never cached: a cache must not extend a bad minute to an hour (RFC 9111, 5.2.2.5).
 * `message` is our own text; nothing of the request is echoed. */
export function error(
  status: number,
  message: string,
  { allowed, headers }: { allowed?: readonly string[]; headers?: Record<string, string> } = {},
): Answer {
  return json(status, JSON.stringify({ error: message, allowed }), { ...NO_STORE, ...headers });
}

/** The body of a request. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Path and query of a request, in characters. */
export const MAX_TARGET_LENGTH = 2_048;
export const LONG_TARGET = error(414, `The request target is longer than ${MAX_TARGET_LENGTH} characters.`);

/** 202, 204 and 302: without body and type, 204 also without length (RFC 9110, 8.6). */
export function empty(status: number, headers: Record<string, string> = {}): Answer {
  const length: Record<string, string> = status === 204 ? {} : { "content-length": "0" };
  return { status, headers: { ...COMMON, ...NO_STORE, ...length, ...headers }, body: new Uint8Array() };
}

/** The UTF-8 bytes of a text, as text with a character for each byte. */
export function byteText(text: string): string {
  return Buffer.from(text).toString("latin1");
}

export function chunksOf(body: Body): readonly Chunk[] {
  return typeof body === "string" || body instanceof Uint8Array ? [body] : body;
}

export function bytesOf(body: Body): Buffer {
  if (typeof body === "string") return Buffer.from(body, "latin1");
  // node:http would convert any other byte array to a Buffer for each response.
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.concat(body.map(bytesOf));
}

export function byteLength(body: Body): number {
  return chunksOf(body).reduce((sum, chunk) => sum + chunk.length, 0);
}

/** Called with an error of our own. */
export type ReportBug = (bug: unknown) => void;

export function bugReporter(warn: (message: string) => void): ReportBug {
  return (bug) => warn(`internal error: ${bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)}`);
}
