// Three small charts as inline SVG. Positions are in percent and texts in pixels, so that a chart is as wide as its place
// while its letters keep their size; lines stand in a nested SVG that is stretched. What a chart shows stands in a table,
// too: to those who cannot see it, it is one picture with a name.
import { html, type Html } from "./markup.ts";

/** `at`: milliseconds since the epoch. */
export interface Moment {
  at: number;
  label: string;
}

/** A value from an instant on, and the value in words. */
export interface Point extends Moment {
  value: number;
}

/** Milliseconds since the epoch. */
export interface Span {
  from: number;
  to: number;
}

/** A value that changes in steps, with the value at each of them where there is room. `points`: oldest first. */
export function stepChart(name: string, points: readonly Point[], span: Span): Html {
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  // From the least value to the largest, not from 0: the steps are what is to be seen, and each says what it is.
  const spots = points.map(({ at, value, label }) => ({
    x: place(at, span),
    y: most === least ? 50 : 100 - ((value - least) / (most - least)) * 100,
    label,
  }));
  const [first, ...others] = spots;
  const line = first && `M${first.x} ${first.y}${others.map(({ x, y }) => `H${x}V${round(y)}`).join("")}H100`;
  const marks = labelled(spots).map(({ x, y, label }) => {
    const height = round(24 + y * 0.2);
    return html`<circle cx="${x}%" cy="${height}" r="3" />${label !== undefined && text(x, height - 8, label)}`;
  });
  return chart(
    name,
    56,
    html`<svg viewBox="0 0 100 100" preserveAspectRatio="none" y="24" height="20" width="100%"><path d="${line}" /></svg
      >${marks}`,
  );
}

/** Moments on a line, with their labels where there is room. `points`: oldest first. */
export function timeline(name: string, points: readonly Moment[], span: Span): Html {
  const marks = labelled(points.map(({ at, label }) => ({ x: place(at, span), label }))).map(
    ({ x, label }) => html`<circle cx="${x}%" cy="34" r="4" />${label !== undefined && text(x, 20, label)}`,
  );
  return chart(name, 52, html`<line x1="0" x2="100%" y1="34" y2="34" />${marks}`);
}

/** A bar for each of a row of results, the latest at the right. `most`: for how many there is room. */
export function resultChart(name: string, results: readonly string[], most: number): Html {
  const bars = results.map((result, index) => {
    const x = round(((most - results.length + index) * 100) / most);
    return bar(result, `${x}%`, `${round(60 / most)}%`);
  });
  return chart(name, 26, html`${bars}`);
}

/** Heights of the bars: they tell results apart without colours. */
const HEIGHTS: Record<string, number> = { confirmed: 8, changed: 25, held: 16, failed: 25 };

export function bar(result: string, x = "0", width = "100%"): Html {
  const height = HEIGHTS[result] ?? 0;
  return html`<rect class="${result}" x="${x}" y="${25.5 - height}" width="${width}" height="${height}" />`;
}

/** The least distance of two labels' spots, in percent: closer, the steps between them would run through the letters. */
const ROOM = 15;
/** Longer labels are cut, characters: the table has them whole. */
const LONGEST = 12;
/** Of a letter where a chart is narrowest, on a phone, percent of the chart. */
const LETTER = 2.4;

interface Label {
  text: string;
  anchor: "start" | "middle" | "end";
  /** Where it begins and ends, percent. */
  from: number;
  to: number;
}

/** Those that have no room beside a later one lose their labels; the latest never does. `x`: in percent. */
function labelled<T extends { x: number; label: string }>(
  spots: readonly T[],
): (Omit<T, "label"> & { label?: Label })[] {
  let later = { x: Infinity, from: Infinity };
  return spots.toReversed().map(({ label, ...spot }) => {
    const placed = labelAt(spot.x, label);
    if (later.x - spot.x < ROOM || later.from - placed.to < LETTER) return spot;
    later = { x: spot.x, from: placed.from };
    return { ...spot, label: placed };
  });
}

/** Over its spot; at the ends of the chart, within it. */
function labelAt(x: number, label: string): Label {
  const letters = [...label];
  const text = letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : label;
  const width = Math.min(letters.length, LONGEST) * LETTER;
  if (x < width / 2) return { text, anchor: "start", from: x, to: x + width };
  if (x > 100 - width / 2) return { text, anchor: "end", from: x - width, to: x };
  return { text, anchor: "middle", from: x - width / 2, to: x + width / 2 };
}

function text(x: number, y: number, { text, anchor }: Label): Html {
  return html`<text x="${x}%" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

function chart(name: string, height: number, content: Html): Html {
  return html`<svg role="img" aria-label="${name}" width="100%" height="${height}">${content}</svg>`;
}

function place(at: number, { from, to }: Span): number {
  return to <= from ? 0 : round(((at - from) / (to - from)) * 100);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
