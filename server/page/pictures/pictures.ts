// The pictures that programs ask for by address: the preview of a link to the page, and the icon of everything else here.
// Link previews show no SVG, and no program can be asked to read text in a picture: so both are PNGs of the glass case in
// the vendor's colour, without a fact that a preview would keep for months.
import { document, type Answer } from "../../answers/answer.ts";
import { accents, GROUND, type Colour } from "../colour.ts";
import { drawPng, type Rectangle } from "./png.ts";

export const PREVIEW_PATH = "/og.png";
/** In pixels: the size that all services show uncut. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

const GLASS = "#ffffff";
const EDGE = "#c9d0cd";

/** By address. `logo`: a `data:` URI, the vendor's own icon. */
export function pictures(colour: Colour, logo: string | undefined): Record<string, Answer> {
  const accent = accents(colour).light;
  const png = (picture: Buffer) => document(picture, "image/png");
  return { [PREVIEW_PATH]: png(preview(accent)), "/favicon.ico": logoFile(logo) ?? png(icon(accent)) };
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

function icon(accent: Colour): Buffer {
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
