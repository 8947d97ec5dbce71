// Texts that differ only in their end, such as the answers to one question under different ids. The beginning is compressed
// once. Each copy adds its end in an uncompressed block of its own (RFC 1951, 3.2.4; RFC 7932, 9.2), so it costs a request no
// compression, and a long beginning is shared by all clients.
import { crc32 } from "node:zlib";
import type { Chunk } from "./answer.ts";
import {
  compress,
  MIN_COMPRESSED_TEXT,
  type Compression,
  type EncodedText,
  type Encoding,
  MAX_COPIED_BYTES,
} from "./prepared.ts";

/** A beginning in each encoding that makes it smaller. */
export interface Beginning {
  variants: Partial<Record<Compression, Chunk>>;
  /** Before compression. */
  crc: number;
  length: number;
}

/** The most that both formats hold in one block. */
const MAX_END_BYTES = 0xffff;

/** The beginning of all copies; undefined if compression is not worth it. */
export async function compressBeginning(bytes: Uint8Array): Promise<Beginning | undefined> {
  if (bytes.byteLength < MIN_COMPRESSED_TEXT) return undefined;
  const variants: Beginning["variants"] = {};
  // In sequence, because requests need a core, too.
  for (const encoding of ["br", "gzip"] as const) {
    const compressed = await compress(bytes, encoding, { isOpen: true });
    if (compressed.byteLength >= bytes.byteLength) continue;
    variants[encoding] = compressed.byteLength > MAX_COPIED_BYTES ? compressed : compressed.toString("latin1");
  }
  return { variants, crc: crc32(bytes), length: bytes.byteLength };
}

/** A copy in the first of the encodings that there is; undefined if the client prefers it plain. `end`: not empty, a
 * character for each byte. */
export function withEnd(beginning: Beginning, end: string, encodings: readonly Encoding[]): EncodedText | undefined {
  if (end.length > MAX_END_BYTES) return undefined;
  for (const encoding of encodings) {
    if (encoding === "identity") return undefined;
    const chunk = beginning.variants[encoding];
    if (chunk === undefined) continue;
    const rest = encoding === "br" ? brotliEnd(end) : gzipEnd(end, beginning);
    return { encoding, text: typeof chunk === "string" ? chunk + rest : [chunk, rest] };
  }
  return undefined;
}

/** An uncompressed block, and the empty last one. */
function brotliEnd(end: string): string {
  const header = ((end.length - 1) << 3) | (1 << 19);
  return `${String.fromCharCode(header & 0xff, (header >> 8) & 0xff, header >> 16)}${end}\x03`;
}

/** The last block, uncompressed, with checksum and length of the whole text. */
function gzipEnd(end: string, { crc, length }: Beginning): string {
  const block = Buffer.alloc(end.length + 13);
  block[0] = 1;
  block.writeUInt16LE(end.length, 1);
  block.writeUInt16LE(~end.length & 0xffff, 3);
  block.write(end, 5, "latin1");
  const trailer = 5 + end.length;
  block.writeUInt32LE(crc32(block.subarray(5, trailer), crc), trailer);
  block.writeUInt32LE(length + end.length, trailer + 4);
  return block.toString("latin1");
}
