// An answer prepared before any request: one for every encoding, and one for every 304, each with its own etag.
// A request only chooses among them. The same bytes have the same etags after a restart and
// on every replica. Compression runs on other threads, because requests need this one.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { bytesOf, MAX_COPIED_BYTES, type Answer } from "./answer.ts";

/** The encodings in our order of preference among those that a client accepts equally. */
export const ENCODINGS = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface Prepared {
  /** Each encoding has one, in quotes, even without a variant in it. */
  etags: Readonly<Record<Encoding, string>>;
  /** Milliseconds since the epoch; documents have none. */
  lastModified: number | undefined;
  /** The 200 in each encoding; a short body is text. */
  variants: Partial<Record<Encoding, Answer>> & { identity: Answer };
  /** The 304 with the etag of each encoding. */
  notModified: Readonly<Record<Encoding, Answer>>;
}

/** The answer in plain bytes, which takes no time. `sha256`: of its body, in hexadecimal, if known. */
export function prepare(answer: Answer, sha256?: string): Prepared {
  const bytes = bytesOf(answer.body);
  const hash = sha256 ?? createHash("sha256").update(bytes).digest("hex");
  const tag = Buffer.from(hash, "hex").toString("base64url").slice(0, 22);
  const etags = { identity: `"${tag}"`, br: `"${tag}-br"`, gzip: `"${tag}-gzip"` };
  const changed = answer.headers["last-modified"];
  return {
    etags,
    lastModified: changed === undefined ? undefined : Date.parse(changed),
    variants: { identity: variant(answer, etags, "identity", bytes) },
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
    const hasSameLink = known?.variants.identity.headers.link === answer.headers.link;
    if (hasSameLink && known?.etags.identity === plain.etags.identity && known.lastModified === plain.lastModified)
      return known;
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

function compress(bytes: Uint8Array, encoding: Exclude<Encoding, "identity">): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(bytes, { level: 9 });
  return promisify(brotliCompress)(bytes, { params: brotliFor(bytes.byteLength) });
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
  const body = bytesOf(answer.body);
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

function variant(answer: Answer, etags: Prepared["etags"], encoding: Encoding, bytes: Buffer): Answer {
  const headers = headersWith(answer, etags[encoding], {
    "content-length": String(bytes.byteLength),
    ...(encoding !== "identity" && { "content-encoding": encoding }),
  });
  const body = bytes.byteLength > MAX_COPIED_BYTES ? bytes : bytes.toString("latin1");
  return { status: 200, headers: Object.fromEntries(headers), body };
}

/** The headers of a 200 that its 304 does not repeat (RFC 9110, 15.4.5). */
const OMITTED_FROM_304 = new Set(["content-type", "content-length", "content-encoding"]);

function notModified(answer: Answer, etag: string): Answer {
  const headers = headersWith(answer, etag, {}).filter(([name]) => !OMITTED_FROM_304.has(name));
  return { status: 304, headers: Object.fromEntries(headers), body: "" };
}

/** The order is h3's, so that the listener and h3 send the same bytes. */
function headersWith(answer: Answer, etag: string, more: Answer["headers"]): [name: string, value: string][] {
  const vary = answer.headers.vary === undefined ? "Accept-Encoding" : `${answer.headers.vary}, Accept-Encoding`;
  const headers = Object.entries({ ...answer.headers, ...more, etag, vary });
  return headers.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function replaced(answer: Answer, cacheControl: string): Answer {
  return { ...answer, headers: { ...answer.headers, "cache-control": cacheControl } };
}
