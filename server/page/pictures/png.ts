// Draws rectangles as a PNG with a palette (RFC 2083). That is all our pictures need, and no package does so little.
import { crc32, deflateSync } from "node:zlib";
import type { Colour } from "../colour.ts";

/** In pixels. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
  colour: Colour;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const [BITS_PER_PIXEL, PALETTE] = [8, 3];

/** Later rectangles cover earlier ones; the first is the whole picture. */
export function drawPng(rectangles: readonly [Rectangle, ...Rectangle[]]): Buffer {
  const [{ width, height }] = rectangles;
  const palette = [...new Set(rectangles.map(({ colour }) => colour))];
  // Each row begins with its filter: none.
  const stride = width + 1;
  const rows = Buffer.alloc(stride * height);
  for (const { x, y, width, height, colour } of rectangles) {
    for (let row = y; row < y + height; row++) {
      const start = row * stride + 1 + x;
      rows.fill(palette.indexOf(colour), start, start + width);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS_PER_PIXEL, PALETTE], 8);
  const colours = Buffer.from(palette.map((colour) => colour.slice(1)).join(""), "hex");
  const chunks = [chunk("IHDR", header), chunk("PLTE", colours), chunk("IDAT", deflateSync(rows)), chunk("IEND")];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

function chunk(type: string, content = Buffer.alloc(0)): Buffer {
  const checked = Buffer.concat([Buffer.from(type), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.byteLength);
  checksum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, checksum]);
}
