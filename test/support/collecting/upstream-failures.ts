// Every known way in which an upstream can fail. Wherever possible, each contains a complete `{"hasUpdate": false}`, which
// must not be believed, and SECRET_WORD, which must not be repeated.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { body, trickling, flooding, raw, reset, stalledAfter, status, type Behaviour } from "./upstream.ts";

/** Part of every body, header and reason phrase below. No message may contain it. */
export const SECRET_WORD = "xyzzy";

const LIE = JSON.stringify({ hasUpdate: false, note: SECRET_WORD });
const HEAD = `HTTP/1.1 200 ${SECRET_WORD}\r\nx-note: ${SECRET_WORD}\r\ncontent-type: application/json\r\n`;
const MEBIBYTE = Buffer.alloc(1024 * 1024, " ");

const failing = (code: number, headers = {}) => status(code, { "x-note": SECRET_WORD, ...headers }, LIE);
const encoded = (encoding: string, bytes: string | Uint8Array, headers = {}) =>
  body(bytes, { "content-encoding": encoding, "x-note": SECRET_WORD, ...headers });

/** 64 KiB that expand to 64 MiB. */
const gzipBomb = once(() => gzipSync(Buffer.concat([Buffer.from(LIE), ...Array<Buffer>(64).fill(MEBIBYTE)])));
const brotliBomb = once(() =>
  brotliCompressSync(Buffer.alloc(64 * MEBIBYTE.length, LIE), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
);

/** Statuses and bytes that a retry cannot fix: each fails at once. */
export const REFUSED_AT_ONCE = {
  "204 without being asked": status(204, { "x-note": SECRET_WORD }),
  "206, a part": failing(206, { "content-range": "bytes 0-9/100" }),
  "304 to a request without conditions": status(304, { etag: '"1"' }),
  "a redirect without an address": failing(302),
  "300, several choices": failing(300, { location: "/elsewhere" }),
  "400": failing(400),
  "401": failing(401, { "www-authenticate": SECRET_WORD }),
  "403": failing(403),
  "404": failing(404),
  "410": failing(410),
  "more than 10 MiB, announced": flooding(`${HEAD}content-length: ${11 * MEBIBYTE.length}\r\n\r\n${LIE}`, MEBIBYTE, 11),
  "more than 10 MiB, unannounced": flooding(`${HEAD}connection: close\r\n\r\n${LIE}`, MEBIBYTE, 11),
  "an endless body": flooding(`${HEAD}connection: close\r\n\r\n${LIE}`, MEBIBYTE),
  "an endless body in chunks": flooding(
    `${HEAD}transfer-encoding: chunked\r\n\r\n`,
    Buffer.concat([Buffer.from("100000\r\n"), MEBIBYTE, Buffer.from("\r\n")]),
  ),
  "a gzip bomb": (request, response) => encoded("gzip", gzipBomb())(request, response),
  "a gzip bomb on a connection that closes": (request, response) =>
    encoded("gzip", gzipBomb(), { connection: "close" })(request, response),
  "a brotli bomb": (request, response) => encoded("br", brotliBomb())(request, response),
  "an unknown compression": encoded("middle-out", LIE),
  "a compression that was not asked for": encoded("zstd", LIE),
  "two compressions at once": encoded("gzip, br", LIE),
  "a compression named like a member of every object": encoded("constructor", LIE),
  "undeclared UTF-16": body(Buffer.from(`\uFEFF${LIE}`, "utf16le")),
  "invalid UTF-8": body(Buffer.concat([Buffer.from(LIE), Buffer.from([0xff])])),
  "an unknown character set": body(LIE, { "content-type": `application/json; charset=${SECRET_WORD}` }),
} satisfies Record<string, Behaviour>;

/** Failures in passing, worth another try. */
export const TRANSIENT = {
  "429": failing(429),
  "500": failing(500),
  "502": failing(502),
  "503": failing(503),
  "504": failing(504),
  "a connection that closes without an answer": raw(""),
  "a connection that is reset": reset(),
  "a reset in the middle of the body": reset(`${HEAD}content-length: 1000\r\n\r\n${LIE}`),
  "a body shorter than announced": raw(`${HEAD}content-length: ${LIE.length + 1}\r\n\r\n${LIE}`),
  "a body whose last chunk never comes": raw(`${HEAD}transfer-encoding: chunked\r\n\r\n2d\r\n${LIE}\r\n`),
  "two lengths": raw(`${HEAD}content-length: ${LIE.length}\r\ncontent-length: 3\r\n\r\n${LIE}`),
  "garbage for an answer": raw(`${SECRET_WORD} ${LIE}\r\n\r\n`),
  "headers without an end": flooding(`${HEAD}x-more: `, Buffer.alloc(1024, "x")),
  "a switch of protocols": raw(`HTTP/1.1 101 ${SECRET_WORD}\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n${LIE}`),
  "invalid gzip": encoded("gzip", LIE),
  "truncated gzip": encoded("gzip", gzipSync(LIE).subarray(0, -4)),
  "invalid brotli": encoded("br", LIE),
} satisfies Record<string, Behaviour>;

/** Answers without an end: only a deadline stops them. */
export const NEVER_ENDING = {
  "no answer at all": () => {},
  "headers that stop": stalledAfter(HEAD),
  "headers that come a few letters at a time": trickling(HEAD, "x-note: y\r\n", 5),
  "a body that stops": stalledAfter(`${HEAD}content-length: 1000\r\n\r\n${LIE}`),
  "a body that drips": trickling(`${HEAD}connection: close\r\n\r\n${LIE}`, " "),
  "announcements of an answer that never comes": trickling(
    "",
    "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(50),
  ),
  "a request to wait for as long as the run": failing(503, { "retry-after": "10" }),
} satisfies Record<string, Behaviour>;

/** Complete answers that contain neither plans nor releases. */
export const NOT_THE_ANSWER = {
  "a log-in page": body(`<html><body>${SECRET_WORD}</body></html>`, { "content-type": "text/html" }),
  "an empty body": body(""),
  "broken JSON": body(LIE.slice(0, -1)),
  "JSON with something behind it": body(`${LIE}${LIE}`),
  "JSON cut by a length that is too small": raw(`${HEAD}content-length: 12\r\n\r\n${LIE}`),
  "UTF-16 without a mark": body(Buffer.from(LIE, "utf16le")),
  "an error object": body(JSON.stringify({ error: SECRET_WORD })),
  "a list": body(`[${LIE}]`),
  "a text": body(JSON.stringify(LIE)),
  null: body("null"),
  false: body("false"),
} satisfies Record<string, Behaviour>;

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
