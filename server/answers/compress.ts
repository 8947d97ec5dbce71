// Compression, always on other threads: requests need this one.
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { TextAnswer } from "./answer.ts";

/** In our order of preference among those that a client accepts equally. */
export const ENCODINGS = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof ENCODINGS)[number];
export type Compression = Exclude<Encoding, "identity">;

export interface EncodedText {
  text: TextAnswer["text"];
  encoding: Encoding;
}

/** A shorter text fits into one packet with its headers as it is. */
export const MIN_COMPRESSED_TEXT = 1_024;
/** Longer texts are made of facts, which are compressed once for all clients. */
const MAX_COMPRESSED_TEXT = 32 * 1024;

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

/** A text that is sent once, in the encoding that the client likes best if that is worth it. `encodings`: accepted ones,
 * best first. */
export async function compressText(text: TextAnswer["text"], encodings: readonly Encoding[]): Promise<EncodedText> {
  const [encoding = "identity"] = encodings;
  const isWorthIt =
    typeof text === "string" && text.length >= MIN_COMPRESSED_TEXT && text.length <= MAX_COMPRESSED_TEXT;
  if (encoding === "identity" || !isWorthIt) return { text, encoding: "identity" };
  return { text: (await compress(Buffer.from(text, "latin1"), encoding)).toString("latin1"), encoding };
}

const {
  BROTLI_DEFAULT_WINDOW,
  BROTLI_MIN_WINDOW_BITS,
  BROTLI_PARAM_LGWIN,
  BROTLI_PARAM_QUALITY,
  BROTLI_PARAM_SIZE_HINT,
} = constants;

/** Quality 11 would take thirty times as long for 6 % fewer bytes. Without a size hint, Brotli allocates memory for 4
 * MiB at a time, for each of a dozen documents. */
function brotliFor(size: number): Record<number, number> {
  const window = Math.min(Math.max(Math.ceil(Math.log2(size)), BROTLI_MIN_WINDOW_BITS), BROTLI_DEFAULT_WINDOW);
  return { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_SIZE_HINT]: size, [BROTLI_PARAM_LGWIN]: window };
}
