// An HTTP answer as a value. Everything the server says, errors included, is one of these before it is sent.
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** An answer whose body is text with a character for each byte. For bodies that are joined anew for each request: joining
 * and writing text costs half of what it costs with buffers. */
export type TextAnswer = Omit<Answer, "body"> & { text: string };

const EMPTY = new Uint8Array();

/** On every answer: anyone may read it from anywhere, and nobody may take it for something else. */
const COMMON = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Link, Retry-After",
  "x-content-type-options": "nosniff",
};
const NO_STORE = { "cache-control": "no-store" };
// An answer that changes only with the program or its settings, or that may be told late.
const DOCUMENT = { "cache-control": "public, max-age=3600, stale-while-revalidate=86400, stale-if-error=604800" };

/** An answer of any type; `content-length` is set, so that HEAD can tell it. */
export function answer(status: number, body: Uint8Array | string, headers: Record<string, string>): Answer {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return { status, headers: { ...COMMON, "content-length": String(bytes.byteLength), ...headers }, body: bytes };
}

/** A JSON answer that may be cached as its headers say; by default not at all. */
export function json(status: number, body: Uint8Array | string, headers: Record<string, string> = NO_STORE): Answer {
  return answer(status, body, { "content-type": "application/json", ...headers });
}

/** A document: the same until the next restart, or for a while. */
export function document(body: string, type = "application/json", headers: Record<string, string> = {}): Answer {
  return answer(200, body, { "content-type": type, ...DOCUMENT, ...headers });
}

/** The same answer with its body as text. */
export function asText({ status, headers, body }: Answer): TextAnswer {
  return { status, headers, text: Buffer.from(body).toString("latin1") };
}

/** The bytes of a text, as text with a character for each. */
export function byteText(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** 204 and 202: no body, no type; 204 has no length either (RFC 9110, 8.6). */
export function empty(status: number, headers: Record<string, string> = {}): Answer {
  const length: Record<string, string> = status === 204 ? {} : { "content-length": "0" };
  return { status, headers: { ...COMMON, ...NO_STORE, ...length, ...headers }, body: EMPTY };
}

/** An error in the specified shape. Never cached: a cache must not keep a bad minute for an hour (RFC 9111, 5.2.2.5).
 * `message` is our own text; nothing of the request is echoed. */
export function error(
  status: number,
  message: string,
  { allowed, headers }: { allowed?: readonly string[]; headers?: Record<string, string> } = {},
): Answer {
  return json(status, JSON.stringify({ error: message, allowed }), { ...NO_STORE, ...headers });
}
