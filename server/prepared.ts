// An answer made once, before anyone asks: its bytes in every encoding, its tags, and the flat header lists that
// node:http writes as they are. A request only chooses among them. Same bytes give the same tags, after a restart and on
// every replica.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Answer } from "./answer.ts";

/** In the order in which they are preferred when a client likes them equally well. */
export const ENCODINGS = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The answer in one encoding. */
export interface Variant {
  body: Uint8Array;
  /** Flat lists of headers: name, value, name, value. */
  ok: readonly string[];
  notModified: readonly string[];
}

export interface Prepared {
  /** What the tags of all encodings begin with, without quotes. */
  tag: string;
  /** Milliseconds since the epoch; undefined for documents. */
  lastModified: number | undefined;
  variants: Partial<Record<Encoding, Variant>> & { identity: Variant };
}

/** Shorter bodies gain nothing from compression. */
const WORTH_COMPRESSING = 256;

/** What a 304 repeats of a 200 (RFC 9110, 15.4.5), with what every answer carries. */
const NOT_OF_304 = new Set(["content-type", "content-length", "content-encoding"]);

/** The answer in the one encoding that takes no time. */
export function prepare(answer: Answer): Prepared {
  const tag = createHash("sha256").update(answer.body).digest("base64url").slice(0, 22);
  const changed = answer.headers["last-modified"];
  return {
    tag,
    lastModified: changed === undefined ? undefined : Date.parse(changed),
    variants: { identity: variant(answer, tag, "identity", answer.body) },
  };
}

/** The same answer in every encoding that makes it smaller; compressed on other threads. */
export async function compressed(prepared: Prepared, answer: Answer): Promise<Prepared> {
  const { body } = answer;
  if (body.byteLength < WORTH_COMPRESSING) return prepared;
  // Brotli 11 would take thirty times as long for 6 % fewer bytes.
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    promisify(gzip)(body, { level: 9 }),
  ]);
  const { tag } = prepared;
  const variants = { ...prepared.variants };
  if (br.byteLength < body.byteLength) variants.br = variant(answer, tag, "br", br);
  if (zipped.byteLength < body.byteLength) variants.gzip = variant(answer, tag, "gzip", zipped);
  return { ...prepared, variants };
}

/** The same with another Cache-Control; bytes and tags stay. */
export function withCacheControl(prepared: Prepared, value: string): Prepared {
  const variants = { ...prepared.variants };
  for (const encoding of ENCODINGS) {
    const old = variants[encoding];
    if (!old) continue;
    variants[encoding] = {
      body: old.body,
      ok: replaced(old.ok, value),
      notModified: replaced(old.notModified, value),
    };
  }
  return { ...prepared, variants };
}

const CACHE_CONTROL = "cache-control";

function replaced(headers: readonly string[], cacheControl: string): string[] {
  const place = headers.indexOf(CACHE_CONTROL) + 1;
  return headers.map((text, index) => (index === place ? cacheControl : text));
}

function variant(answer: Answer, tag: string, encoding: Encoding, body: Uint8Array): Variant {
  const suffix = encoding === "identity" ? "" : `-${encoding}`;
  const headers = Object.entries({
    ...answer.headers,
    "content-length": String(body.byteLength),
    ...(encoding !== "identity" && { "content-encoding": encoding }),
    etag: `"${tag}${suffix}"`,
    vary: "Accept-Encoding",
  });
  // In the order in which h3 writes them, so that both doors say the same.
  headers.sort(([a], [b]) => (a < b ? -1 : 1));
  return { body, ok: headers.flat(), notModified: headers.filter(([name]) => !NOT_OF_304.has(name)).flat() };
}
