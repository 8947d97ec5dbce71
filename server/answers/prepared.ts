// An answer prepared before any request: its bytes in every encoding, its etags, and flat header lists that node:http
// writes unchanged. A request only chooses among the variants. The same bytes have the same etags after a restart and
// on every replica. Compression runs on other threads, because requests need this one.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Answer, TextAnswer } from "./answer.ts";

/** In our order of preference among those that a client accepts equally. */
export const ENCODINGS = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof ENCODINGS)[number];
export type Compression = Exclude<Encoding, "identity">;

export interface Prepared {
  /** In quotes, for each encoding, even without a variant in it. */
  etags: Readonly<Record<Encoding, string>>;
  /** In ms since the epoch; undefined for documents. */
  lastModified: number | undefined;
  /** The 200 in each encoding. */
  variants: Partial<Record<Encoding, PreparedResponse>> & { identity: PreparedResponse };
  /** The 304 with the etag of each encoding. */
  notModified: Readonly<Record<Encoding, PreparedResponse>>;
}

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

/** Prepared answers by key. Each is served in plain bytes immediately and, on a server, in smaller encodings a moment
 * later; the same answer again changes nothing. */
export class PreparedAnswers<K> {
  readonly #answers = new Map<K, Prepared>();
  readonly #onCompressed: (() => void) | undefined;

  /** `onCompressed`: called after each compression; without it, the answers stay plain. */
  constructor(onCompressed: (() => void) | undefined) {
    this.#onCompressed = onCompressed;
  }

  keys(): Iterable<K> {
    return this.#answers.keys();
  }

  get(key: K): Prepared | undefined {
    return this.#answers.get(key);
  }

  /** Prepares an answer under the key, unless it is already there. `sha256`: of its body, in hexadecimal, if known. */
  set(key: K, answer: Answer, sha256?: string): Prepared {
    const plain = prepare(answer, sha256);
    const known = this.#answers.get(key);
    if (known?.etags.identity === plain.etags.identity && known.lastModified === plain.lastModified) return known;
    this.#answers.set(key, plain);
    // If compression fails, the plain bytes are still served.
    if (this.#onCompressed) this.#compress(key, plain, answer).catch(() => {});
    return plain;
  }

  clear(): void {
    this.#answers.clear();
  }

  async #compress(key: K, plain: Prepared, answer: Answer): Promise<void> {
    const prepared = await compressed(plain, answer);
    if (this.#answers.get(key) !== plain) return;
    this.#answers.set(key, prepared);
    this.#onCompressed?.();
  }
}

export interface EncodedText {
  text: TextAnswer["text"];
  encoding: Encoding;
}

/** A shorter text fits into one packet with its headers as it is. */
export const MIN_COMPRESSED_TEXT = 1_024;
/** Longer texts are made of facts, which are compressed once for all clients. */
const MAX_COMPRESSED_TEXT = 32 * 1024;

/** A text that is sent once, in the encoding that the client likes best if that is worth it. `encodings`: accepted
 * ones, best first. */
export async function compressText(text: TextAnswer["text"], encodings: readonly Encoding[]): Promise<EncodedText> {
  const [encoding = "identity"] = encodings;
  const isWorthIt =
    typeof text === "string" && text.length >= MIN_COMPRESSED_TEXT && text.length <= MAX_COMPRESSED_TEXT;
  if (encoding === "identity" || !isWorthIt) return { text, encoding: "identity" };
  return { text: (await compress(Buffer.from(text, "latin1"), encoding)).toString("latin1"), encoding };
}

/** Compresses bytes. `isOpen`: ends between two bytes, but not the stream, so that more can follow. */
export function compress(bytes: Uint8Array, encoding: Compression, { isOpen = false } = {}): Promise<Buffer> {
  if (encoding === "gzip") {
    return promisify(gzip)(bytes, { level: 9, ...(isOpen && { finishFlush: constants.Z_SYNC_FLUSH }) });
  }
  const params = brotliFor(bytes.byteLength);
  return promisify(brotliCompress)(bytes, {
    params,
    ...(isOpen && { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  });
}

/** Quality 11 would take thirty times as long for 6 % fewer bytes. Without a size hint, Brotli allocates memory for 4
 * MiB at a time, for each of a dozen documents. */
function brotliFor(size: number): Record<number, number> {
  const { BROTLI_DEFAULT_WINDOW: most, BROTLI_MIN_WINDOW_BITS: least } = constants;
  const window = Math.min(Math.max(Math.ceil(Math.log2(size)), least), most);
  return {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
    [constants.BROTLI_PARAM_LGWIN]: window,
  };
}

/** Shorter bodies gain nothing from compression. */
const MIN_COMPRESSED_BYTES = 256;

/** Clients that wait for the new answer get it before compression takes a core. */
const COMPRESSION_DELAY_MS = 10;

/** The same answer with every encoding that makes it smaller. */
async function compressed(prepared: Prepared, answer: Answer): Promise<Prepared> {
  const { body } = answer;
  if (body.byteLength < MIN_COMPRESSED_BYTES) return prepared;
  await sleep(COMPRESSION_DELAY_MS, undefined, { ref: false });
  const variants = { ...prepared.variants };
  // In sequence, because requests need a core, too.
  for (const encoding of ["br", "gzip"] as const) {
    const bytes = await compress(body, encoding);
    if (bytes.byteLength < body.byteLength) variants[encoding] = variant(answer, prepared.etags, encoding, bytes);
  }
  return { ...prepared, variants };
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

/** The headers of a 200 that its 304 does not repeat (RFC 9110, 15.4.5). */
const OMITTED_FROM_304 = new Set(["content-type", "content-length", "content-encoding"]);

function notModified(answer: Answer, etag: string): PreparedResponse {
  const headers = headersWith(answer, etag, {}).filter(([name]) => !OMITTED_FROM_304.has(name));
  return { status: 304, headers: headers.flat(), body: new Uint8Array() };
}

/** In h3's order, so that the listener and h3 send the same bytes. */
function headersWith(answer: Answer, etag: string, more: Answer["headers"]): [name: string, value: string][] {
  const vary = answer.headers.vary === undefined ? "Accept-Encoding" : `${answer.headers.vary}, Accept-Encoding`;
  const headers = Object.entries({ ...answer.headers, ...more, etag, vary });
  return headers.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function replaced(response: PreparedResponse, cacheControl: string): PreparedResponse {
  const at = response.headers.indexOf("cache-control") + 1;
  return { ...response, headers: response.headers.map((text, index) => (index === at ? cacheControl : text)) };
}
