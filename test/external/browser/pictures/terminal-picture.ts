// Renders terminal output as an SVG. Its text stays text, in the reader's monospaced font and colour scheme. Supports colours
// and weights; any other escape sequence is an error, because the picture would not show it.

/** Pixels. */
const FONT_SIZE = 13;
const COLUMN = 7.8;
const ROW = 19;
const MARGIN = 22;
const BAR = 34;

/** The style that a sequence begins; undefined if it ends one. */
const STYLES: Record<string, string | undefined> = {
  "0": undefined,
  "1": "bold",
  "2": "dim",
  "22": undefined,
  "31": "red",
  "32": "green",
  "33": "yellow",
  "36": "cyan",
  "39": undefined,
};

const STYLE_SHEET = `
text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #24292f; white-space: pre }
.window { fill: #fbfbfa; stroke: #d5d8dc } .light { fill: #d5d8dc }
.bold { font-weight: 600 } .dim { fill: #6a737d }
.green { fill: #1a7f37 } .red { fill: #cf222e } .yellow { fill: #8a5a00 } .cyan { fill: #1b7c83 }
@media (prefers-color-scheme: dark) {
  text { fill: #d8dee4 } .window { fill: #14171c; stroke: #30363d } .light { fill: #30363d }
  .dim { fill: #8b949e } .green { fill: #56d364 } .red { fill: #ff7b72 } .yellow { fill: #e3b341 } .cyan { fill: #56d4dd }
}`;

interface Piece {
  text: string;
  style: string | undefined;
  /** From 0. */
  column: number;
}

/** `printed`: the lines, with the terminal's escape sequences. @throws Error for an unknown sequence. */
export function terminalPicture(printed: string): string {
  const lines = printed.replaceAll("\r\n", "\n").trimEnd().split("\n");
  const rows = piecesOf(lines);
  const columns = Math.max(...rows.flat().map(({ column, text }) => column + widthOf(text)));
  const width = Math.ceil(columns * COLUMN + 2 * MARGIN);
  const height = BAR + rows.length * ROW + MARGIN;
  const texts = rows.flatMap((row, index) => row.map((piece) => textOf(piece, BAR + (index + 0.8) * ROW)));
  const lights = [0, 1, 2].map((index) => `<circle class="light" cx="${MARGIN + index * 18}" cy="${BAR / 2}" r="5"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(lines[0] ?? "")} in a terminal">
<style>${STYLE_SHEET}
</style>
<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
${lights.join("")}
${texts.join("\n")}
</svg>
`;
}

/** Splits the lines into pieces of one style, without blank ones. A style lasts until it is ended. */
function piecesOf(lines: string[]): Piece[][] {
  let style: string | undefined;
  return lines.map((line) => {
    const pieces: Piece[] = [];
    let column = 0;
    for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
      const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
      if (codes !== undefined) style = styleOf(codes);
      else if (/[\u0000-\u001f]/.test(part)) throw new Error(`cannot be drawn: ${JSON.stringify(part)}`);
      else pieces.push({ text: part, style, column: (column += widthOf(part)) - widthOf(part) });
    }
    return pieces.filter(({ text }) => text.trim() !== "");
  });
}

function styleOf(codes: string): string | undefined {
  if (codes in STYLES) return STYLES[codes];
  throw new Error(`a style that cannot be drawn: ${codes}`);
}

/** Each run of words is placed at its column and stretched to its width in columns, in any font. */
function textOf({ text, style, column }: Piece, y: number): string {
  const kind = style === undefined ? "" : ` class="${style}"`;
  const runs = [...text.matchAll(/\S+(?: \S+)*/g)];
  const spans = runs.map(({ 0: words, index }) => {
    const x = MARGIN + (column + widthOf(text.slice(0, index))) * COLUMN;
    return `<tspan x="${x.toFixed(1)}" textLength="${(widthOf(words) * COLUMN).toFixed(1)}">${escape(words)}</tspan>`;
  });
  return `<text${kind} y="${y.toFixed(1)}">${spans.join("")}</text>`;
}

/** In columns. */
function widthOf(text: string): number {
  return [...text].length;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
