// The pictures that programs ask for by address: the preview of a link to the page, and the icon of everything else
// here. Link previews show no SVG, and no program can be asked to read text in a picture: so both are PNGs of the glass
// case in the vendor's colour, without a fact that a preview would keep for months.
import { crc32, deflateSync } from "node:zlib";
import { document, type Answer } from "../answers/answer.ts";
import { accents, GROUND, type Colour } from "./style.ts";

export const PREVIEW_PATH = "/og.png";
/** In pixels: the size that all services show uncut. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

const GLASS = "#ffffff";
const EDGE = "#c9d0cd";

/** By address. `logo`: a `data:` URI, the vendor's own icon. */
export function pictures(colour: Colour, logo: string | undefined): Record<string, Answer> {
  const accent = accents(colour).light;
  const png = (picture: Buffer) => document(picture, "image/png");
  return { [PREVIEW_PATH]: png(preview(accent)), "/favicon.ico": logoFile(logo) ?? png(favicon(accent)) };
}

function logoFile(logo: string | undefined): Answer | undefined {
  const { type, base64 } = /^data:(?<type>[^;]+);base64,(?<base64>.*)$/.exec(logo ?? "")?.groups ?? {};
  return type === undefined ? undefined : document(Buffer.from(base64 ?? "", "base64"), type);
}

/** An application's window in the case, on a plinth with a label. */
function preview(accent: Colour): Buffer {
  return drawPng([
    { x: 0, y: 0, ...PREVIEW_SIZE, colour: GROUND.light },
    { x: 0, y: 554, width: 1200, height: 2, colour: EDGE },
    ...framed({ x: 378, y: 74, width: 444, height: 332, colour: accent }, 8, GLASS),
    { x: 378, y: 398, width: 444, height: 156, colour: accent },
    { x: 546, y: 446, width: 108, height: 60, colour: GROUND.light },
    { x: 562, y: 464, width: 76, height: 6, colour: accent },
    { x: 562, y: 482, width: 44, height: 6, colour: EDGE },
    ...framed({ x: 480, y: 198, width: 240, height: 168, colour: accent }, 6, GLASS),
    { x: 480, y: 198, width: 240, height: 34, colour: accent },
    { x: 510, y: 264, width: 180, height: 8, colour: EDGE },
    { x: 510, y: 292, width: 132, height: 8, colour: EDGE },
    { x: 510, y: 320, width: 156, height: 8, colour: EDGE },
    { x: 596, y: 366, width: 8, height: 32, colour: accent },
  ]);
}

function favicon(accent: Colour): Buffer {
  return drawPng([
    { x: 0, y: 0, width: 64, height: 64, colour: GLASS },
    ...framed({ x: 7, y: 5, width: 50, height: 54, colour: accent }, 6, GLASS),
    { x: 7, y: 41, width: 50, height: 6, colour: accent },
  ]);
}

/** `width`: of the frame. */
function framed(outside: Rectangle, width: number, colour: Colour): [Rectangle, Rectangle] {
  const { x, y } = outside;
  const inside = { x: x + width, y: y + width, width: outside.width - 2 * width, height: outside.height - 2 * width };
  return [outside, { ...inside, colour }];
}

/** In pixels. */
interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
  colour: Colour;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const [BITS_PER_PIXEL, PALETTE] = [8, 3];

/** Draws rectangles as a PNG with a palette (RFC 2083). That is all our pictures need, and no package does so little.
 * Later rectangles cover earlier ones; the first is the whole picture. */
function drawPng(rectangles: readonly [Rectangle, ...Rectangle[]]): Buffer {
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
