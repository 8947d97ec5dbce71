// Three small charts as inline SVG. Positions are in percent and text sizes in pixels, so that a chart fills its
// container at a constant text size; lines are in a nested SVG that is stretched. To screen readers a chart is one
// image with a name; its data is also in a table.
import { html, type Html } from "./markup.ts";

export interface TimelinePoint {
  at: number;
  label: string;
}

/** From `at` on, the series has this value. */
export interface StepPoint extends TimelinePoint {
  value: number;
}

/** Both are in ms since the epoch. */
export interface TimeSpan {
  from: number;
  to: number;
}

/** A value that changes in steps, labelled where there is room. `points`: oldest first. */
export function stepChart(name: string, points: readonly StepPoint[], span: TimeSpan): Html {
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  // The axis does not start at 0: the steps should be visible, and each is labelled with its value.
  const spots = points.map(({ at, value, label }) => ({
    x: position(at, span),
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

/** Points on a line, labelled where there is room. `points`: oldest first. */
export function timeline(name: string, points: readonly TimelinePoint[], span: TimeSpan): Html {
  const marks = labelled(points.map(({ at, label }) => ({ x: position(at, span), label }))).map(
    ({ x, label }) => html`<circle cx="${x}%" cy="34" r="4" />${label !== undefined && text(x, 20, label)}`,
  );
  return chart(name, 52, html`<line x1="0" x2="100%" y1="34" y2="34" />${marks}`);
}

/** A bar for each result, the latest at the right. `capacity`: the number of bars that fit. */
export function resultChart(name: string, results: readonly string[], capacity: number): Html {
  const bars = results.map((result, index) => {
    const x = round(((capacity - results.length + index) * 100) / capacity);
    return bar(result, `${x}%`, `${round(60 / capacity)}%`);
  });
  return chart(name, 26, html`${bars}`);
}

/** The heights distinguish the results without colour. */
const BAR_HEIGHTS: Record<string, number> = { confirmed: 8, changed: 25, held: 16, failed: 25 };

export function bar(result: string, x = "0", width = "100%"): Html {
  const height = BAR_HEIGHTS[result] ?? 0;
  return html`<rect class="${result}" x="${x}" y="${25.5 - height}" width="${width}" height="${height}" />`;
}

/** The distance of labelled points in percent of the chart: any closer, the steps would cross the letters. */
const MIN_LABEL_DISTANCE = 15;
/** Labels of more characters are cut; they are complete in the table. */
const MAX_LABEL_LENGTH = 12;
/** Percent of the narrowest chart, which is on a phone. */
const LETTER_WIDTH = 2.4;

interface Label {
  text: string;
  anchor: "start" | "middle" | "end";
  /** Both are in percent of the chart. */
  from: number;
  to: number;
}

/** Removes labels that would collide with a later one. `x`: in percent. */
function labelled<T extends { x: number; label: string }>(
  spots: readonly T[],
): (Omit<T, "label"> & { label?: Label })[] {
  let later = { x: Infinity, from: Infinity };
  return spots.toReversed().map(({ label, ...spot }) => {
    const placed = labelAt(spot.x, label);
    if (later.x - spot.x < MIN_LABEL_DISTANCE || later.from - placed.to < LETTER_WIDTH) return spot;
    later = { x: spot.x, from: placed.from };
    return { ...spot, label: placed };
  });
}

/** A label is centred on its point, except at the ends of the chart, where it stays inside. */
function labelAt(x: number, label: string): Label {
  const letters = [...label];
  const text = letters.length > MAX_LABEL_LENGTH ? `${letters.slice(0, MAX_LABEL_LENGTH - 1).join("")}…` : label;
  const width = Math.min(letters.length, MAX_LABEL_LENGTH) * LETTER_WIDTH;
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

function position(at: number, { from, to }: TimeSpan): number {
  return to <= from ? 0 : round(((at - from) / (to - from)) * 100);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
