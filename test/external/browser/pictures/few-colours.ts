// Reduces a PNG to the 256 most frequent colours, a third of its size. A page has few colours; the rest are shades at the
// edges of letters, which become the nearest frequent colour. Input is Chromium's format only: RGB, 8 bits per channel, not
// interlaced.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** Bytes per pixel. */
const RGB = 3;
const MAX_COLOURS = 256;

/** @throws Error for a PNG of another kind. */
export function withFewColours(png: Buffer): Buffer {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === "IHDR")?.bytes ?? Buffer.alloc(0);
  if (header.toString("hex", 8) !== "0802000000") throw new Error("not a PNG of RGB, 8 bits, not interlaced");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const packed = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ bytes }) => bytes));
  const pixels = unfiltered(inflateSync(packed), width * RGB);
  const palette = mostUsed(pixels);
  const indexed = Buffer.alloc((width + 1) * height);
  const nearest = new Map<number, number>();
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const colour = pixels.readUIntBE(pixel * RGB, RGB);
    let index = nearest.get(colour);
    if (index === undefined) nearest.set(colour, (index = nearestIn(palette, colour)));
    // Each row begins with its filter type, 0 for none: palette indices are unrelated to their neighbours.
    indexed[pixel + Math.floor(pixel / width) + 1] = index;
  }
  const colours = Buffer.alloc(palette.length * RGB);
  for (const [index, colour] of palette.entries()) colours.writeUIntBE(colour, index * RGB, RGB);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", Buffer.concat([header.subarray(0, 8), Buffer.from("0803000000", "hex")])),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(indexed, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunksOf(png: Buffer): { type: string; bytes: Buffer }[] {
  const chunks = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), bytes: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function chunk(type: string, bytes: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), bytes]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(bytes.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The rows without their filters (PNG, 9.2). `stride`: bytes per row. */
function unfiltered(filtered: Buffer, stride: number): Buffer {
  const rows = Buffer.alloc((filtered.length / (stride + 1)) * stride);
  for (let at = 0; at < rows.length; at += 1) {
    const [row, column] = [Math.floor(at / stride), at % stride];
    const left = column < RGB ? 0 : (rows[at - RGB] ?? 0);
    const above = row === 0 ? 0 : (rows[at - stride] ?? 0);
    const corner = row === 0 || column < RGB ? 0 : (rows[at - stride - RGB] ?? 0);
    const guesses = [0, left, above, (left + above) >> 1, paeth(left, above, corner)];
    rows[at] = (filtered[at + row + 1] ?? 0) + (guesses[filtered[row * (stride + 1)] ?? 0] ?? 0);
  }
  return rows;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function mostUsed(pixels: Buffer): number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += RGB) {
    const colour = pixels.readUIntBE(at, RGB);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return sorted.slice(0, MAX_COLOURS).map(([colour]) => colour);
}

/** Index of the colour that differs least. */
function nearestIn(palette: readonly number[], colour: number): number {
  const channels = (one: number) => [one >> 16, (one >> 8) & 255, one & 255];
  const wanted = channels(colour);
  const distances = palette.map((one) =>
    channels(one).reduce((sum, value, index) => sum + (value - (wanted[index] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}
