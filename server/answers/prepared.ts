// An answer made once, before anyone asks: its bytes in every encoding, its tags, and the flat header lists that
// node:http writes as they are. A request only chooses among them. Same bytes give the same tags, after a restart and on
// every replica.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Answer } from "./answer.ts";

/** In the order in which they are preferred when a client likes them equally well. */
export const ENCODINGS = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** An answer ready to be written. */
export interface Choice {
  status: number;
  /** A flat list: name, value, name, value. */
  headers: readonly string[];
  /** Empty for 304. */
  body: Uint8Array;
  /** A short body as text with a character for each byte: node:http writes it and the head in one piece. */
  text?: string | undefined;
}

/** Longer bodies are not copied behind their heads: slow readers would hold a copy for each request, bytes. */
export const MAX_COPIED = 32 * 1024;

/** An answer that is the same for everyone. */
export function choiceOf({ status, headers, body }: Answer): Choice {
  return { status, headers: Object.entries(headers).flat(), body };
}

/** The answer in one encoding: whole, and for a client that has it already. */
export interface Variant {
  ok: Choice;
  notModified: Choice;
}

export interface Prepared {
  /** The tag of each encoding, whether there is a variant in it or not, in quotes. */
  tags: Readonly<Record<Encoding, string>>;
  /** Milliseconds since the epoch; undefined for documents. */
  lastModified: number | undefined;
  variants: Partial<Record<Encoding, Variant>> & { identity: Variant };
}

const {
  BROTLI_DEFAULT_WINDOW,
  BROTLI_MIN_WINDOW_BITS,
  BROTLI_PARAM_LGWIN,
  BROTLI_PARAM_QUALITY,
  BROTLI_PARAM_SIZE_HINT,
} = constants;

const EMPTY = new Uint8Array();

/** Shorter bodies gain nothing from compression. */
const WORTH_COMPRESSING = 256;

/** Whoever waits for what is new does not wait for its compression, too, milliseconds. */
const COMPRESSION_PAUSE = 10;

/** What a 304 repeats of a 200 (RFC 9110, 15.4.5), with what every answer carries. */
const NOT_OF_304 = new Set(["content-type", "content-length", "content-encoding"]);

/** The answer in the one encoding that takes no time. `sha256`: of its body, in hexadecimal, if that is known. */
export function prepare(answer: Answer, sha256 = createHash("sha256").update(answer.body).digest("hex")): Prepared {
  const tag = Buffer.from(sha256, "hex").toString("base64url").slice(0, 22);
  const tags = { identity: `"${tag}"`, br: `"${tag}-br"`, gzip: `"${tag}-gzip"` };
  const changed = answer.headers["last-modified"];
  return {
    tags,
    lastModified: changed === undefined ? undefined : Date.parse(changed),
    variants: { identity: variant(answer, tags, "identity", answer.body) },
  };
}

/** The same answer in every encoding that makes it smaller; compressed on other threads, after `COMPRESSION_PAUSE`. */
export async function compressed(prepared: Prepared, answer: Answer): Promise<Prepared> {
  const { body } = answer;
  if (body.byteLength < WORTH_COMPRESSING) return prepared;
  await sleep(COMPRESSION_PAUSE, undefined, { ref: false });
  // One after the other: answering needs a core, too.
  const br = await promisify(brotliCompress)(body, { params: brotliFor(body.byteLength) });
  const zipped = await promisify(gzip)(body, { level: 9 });
  const { tags } = prepared;
  const variants = { ...prepared.variants };
  if (br.byteLength < body.byteLength) variants.br = variant(answer, tags, "br", br);
  if (zipped.byteLength < body.byteLength) variants.gzip = variant(answer, tags, "gzip", zipped);
  return { ...prepared, variants };
}

/** Brotli 11 would take thirty times as long for 6 % fewer bytes. Told nothing of the size, it sets aside memory for 4 MiB
 * at once, for each of a dozen documents at a time. */
function brotliFor(size: number): Record<number, number> {
  const window = Math.min(Math.max(Math.ceil(Math.log2(size)), BROTLI_MIN_WINDOW_BITS), BROTLI_DEFAULT_WINDOW);
  return { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_SIZE_HINT]: size, [BROTLI_PARAM_LGWIN]: window };
}

/** The same with another Cache-Control; bytes and tags stay. */
export function withCacheControl(prepared: Prepared, value: string): Prepared {
  const variants = { ...prepared.variants };
  for (const encoding of ENCODINGS) {
    const old = variants[encoding];
    if (!old) continue;
    variants[encoding] = { ok: replaced(old.ok, value), notModified: replaced(old.notModified, value) };
  }
  return { ...prepared, variants };
}

const CACHE_CONTROL = "cache-control";

function replaced(choice: Choice, cacheControl: string): Choice {
  const place = choice.headers.indexOf(CACHE_CONTROL) + 1;
  return { ...choice, headers: choice.headers.map((text, index) => (index === place ? cacheControl : text)) };
}

function variant(answer: Answer, tags: Prepared["tags"], encoding: Encoding, body: Uint8Array): Variant {
  const headers = Object.entries({
    ...answer.headers,
    "content-length": String(body.byteLength),
    ...(encoding !== "identity" && { "content-encoding": encoding }),
    etag: tags[encoding],
    vary: answer.headers.vary === undefined ? "Accept-Encoding" : `${answer.headers.vary}, Accept-Encoding`,
  });
  // In the order in which h3 writes them, so that both doors say the same.
  headers.sort(([a], [b]) => (a < b ? -1 : 1));
  const ofBoth = headers.filter(([name]) => !NOT_OF_304.has(name));
  // A Buffer, because node:http makes one of anything else, each time.
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = bytes.byteLength > MAX_COPIED ? undefined : bytes.toString("latin1");
  return {
    ok: { status: 200, headers: headers.flat(), body: bytes, text },
    notModified: { status: 304, headers: ofBoth.flat(), body: EMPTY },
  };
}
