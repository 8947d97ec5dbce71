// An answer prepared before any request: its bytes in every encoding, its etags, and flat header lists that node:http
// writes unchanged. A request only chooses among the variants. The same bytes have the same etags after a restart and
// on every replica.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "./answer.ts";
import { compress, ENCODINGS, type Encoding } from "./compress.ts";

/** A response ready to be written. */
export interface PreparedResponse {
  status: number;
  /** A flat list: name, value, name, value. */
  headers: readonly string[];
  /** Empty for 304. */
  body: Uint8Array;
  /** A short body as text with a character for each byte: node:http writes it together with the head. */
  text?: string | undefined;
}

/** Longer bodies are not copied behind their heads: each slow reader would hold a copy of its own. */
export const MAX_COPIED_BYTES = 32 * 1024;

/** A response without variants. */
export function fixedResponse({ status, headers, body }: Answer): PreparedResponse {
  return { status, headers: Object.entries(headers).flat(), body };
}

export interface Prepared {
  /** Of each encoding, whether there is a variant in it or not; in quotes. */
  etags: Readonly<Record<Encoding, string>>;
  /** In ms since the epoch; undefined for documents. */
  lastModified: number | undefined;
  /** The 200 in each encoding. */
  variants: Partial<Record<Encoding, PreparedResponse>> & { identity: PreparedResponse };
  /** The 304 with the etag of each encoding. */
  notModified: Readonly<Record<Encoding, PreparedResponse>>;
}

const EMPTY = new Uint8Array();

/** Shorter bodies gain nothing from compression. */
const MIN_COMPRESSED_BYTES = 256;

/** Clients that wait for the new answer get it before compression takes a core. */
const COMPRESSION_DELAY_MS = 10;

/** The headers of a 200 that its 304 does not repeat (RFC 9110, 15.4.5). */
const OMITTED_FROM_304 = new Set(["content-type", "content-length", "content-encoding"]);

/** The answer in plain bytes, which takes no time. `sha256`: of its body, in hexadecimal, if known. */
export function prepare(answer: Answer, sha256 = createHash("sha256").update(answer.body).digest("hex")): Prepared {
  const tag = Buffer.from(sha256, "hex").toString("base64url").slice(0, 22);
  const etags = { identity: `"${tag}"`, br: `"${tag}-br"`, gzip: `"${tag}-gzip"` };
  const changed = answer.headers["last-modified"];
  return {
    etags,
    lastModified: changed === undefined ? undefined : Date.parse(changed),
    variants: { identity: variant(answer, etags, "identity", answer.body) },
    notModified: {
      br: notModified(answer, etags.br),
      gzip: notModified(answer, etags.gzip),
      identity: notModified(answer, etags.identity),
    },
  };
}

/** The same answer with every encoding that makes it smaller. */
export async function compressed(prepared: Prepared, answer: Answer): Promise<Prepared> {
  const { body } = answer;
  if (body.byteLength < MIN_COMPRESSED_BYTES) return prepared;
  await sleep(COMPRESSION_DELAY_MS, undefined, { ref: false });
  // In sequence, because requests need a core, too.
  const br = await compress(body, "br");
  const zipped = await compress(body, "gzip");
  const { etags } = prepared;
  const variants = { ...prepared.variants };
  if (br.byteLength < body.byteLength) variants.br = variant(answer, etags, "br", br);
  if (zipped.byteLength < body.byteLength) variants.gzip = variant(answer, etags, "gzip", zipped);
  return { ...prepared, variants };
}

/** The same answer with another Cache-Control; bytes and etags stay. */
export function withCacheControl(prepared: Prepared, value: string): Prepared {
  const variants = { ...prepared.variants };
  const notModified = { ...prepared.notModified };
  for (const encoding of ENCODINGS) {
    const variant = variants[encoding];
    if (variant) variants[encoding] = replaced(variant, value);
    notModified[encoding] = replaced(notModified[encoding], value);
  }
  return { ...prepared, variants, notModified };
}

const CACHE_CONTROL = "cache-control";

function replaced(response: PreparedResponse, cacheControl: string): PreparedResponse {
  const at = response.headers.indexOf(CACHE_CONTROL) + 1;
  return { ...response, headers: response.headers.map((text, index) => (index === at ? cacheControl : text)) };
}

function variant(answer: Answer, etags: Prepared["etags"], encoding: Encoding, body: Uint8Array): PreparedResponse {
  const headers = headersWith(answer, etags[encoding], {
    "content-length": String(body.byteLength),
    ...(encoding !== "identity" && { "content-encoding": encoding }),
  });
  // node:http would convert any other byte array to a Buffer for each response.
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = bytes.byteLength > MAX_COPIED_BYTES ? undefined : bytes.toString("latin1");
  return { status: 200, headers: headers.flat(), body: bytes, text };
}

function notModified(answer: Answer, etag: string): PreparedResponse {
  const headers = headersWith(answer, etag, {}).filter(([name]) => !OMITTED_FROM_304.has(name));
  return { status: 304, headers: headers.flat(), body: EMPTY };
}

/** In h3's order, so that the listener and h3 send the same bytes. */
function headersWith(answer: Answer, etag: string, more: Answer["headers"]): [name: string, value: string][] {
  const vary = answer.headers.vary === undefined ? "Accept-Encoding" : `${answer.headers.vary}, Accept-Encoding`;
  const headers = Object.entries({ ...answer.headers, ...more, etag, vary });
  return headers.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
