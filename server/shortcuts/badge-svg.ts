// A badge as SVG: two boxes with a text each, in opaque colours that are readable on light and dark pages. Own code, because
// badge-maker brings 0.9 MB of character widths, keeps them in memory, and lets characters pass that XML does not allow.
import { xml } from "../xml.ts";

export interface Badge {
  label: string;
  message: string;
  /** `#rrggbb`, dark enough for white text. */
  color: string;
}

const LABEL_COLOR = "#555";
/** In px, left and right of each text. */
const PADDING = 6;

/** In px, about as in Verdana of 11 px; `textLength` makes a text exactly so wide in any font. */
const WIDTHS: readonly [characters: RegExp, width: number][] = [
  [/[fijlrtI.,:;'|!()[\]\s-]/, 4.2],
  [/[mwMW@%+=~]/, 10],
  [/[\u0020-\u024F]/, 6.8],
];
const WIDEST = 12;

export function badgeSvg({ label, message, color }: Badge): string {
  const [left, right] = [widthOf(label) + 2 * PADDING, widthOf(message) + 2 * PADDING];
  const title = xml(`${label}: ${message}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">\
<title>${title}</title><rect width="${left + right}" height="20" rx="3" fill="${color}"/>\
<path fill="${LABEL_COLOR}" d="M3 0H${left}V20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>\
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\
${text(label, PADDING)}${text(message, left + PADDING)}</g></svg>`;
}

function text(content: string, x: number): string {
  return `<text x="${x}" y="14" textLength="${widthOf(content)}">${xml(content)}</text>`;
}

function widthOf(content: string): number {
  const widths = Array.from(content, (character) => WIDTHS.find(([some]) => some.test(character))?.[1] ?? WIDEST);
  return Math.round(widths.reduce((sum, width) => sum + width, 0));
}
