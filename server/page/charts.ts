// Three small charts as inline SVG. Positions are in percent and texts in pixels, so that a chart is as wide as its place
// while its letters keep their size; lines stand in a nested SVG that is stretched. What a chart shows stands in a table,
// too: to those who cannot see it, it is one picture with a name.
import { html, type Html } from "./markup.ts";

/** A value from an instant on. `at`: milliseconds since the epoch. */
export interface Point {
  at: number;
  value: number;
}

/** Milliseconds since the epoch. */
export interface Span {
  from: number;
  to: number;
}

/** A value that changes in steps, and the points at which it does. `points`: oldest first; `top`: the largest value. */
export function stepChart(name: string, points: readonly Point[], { span, top }: { span: Span; top: number }): Html {
  const spots = points.map(({ at, value }) => ({ x: place(at, span), y: top === 0 ? 100 : 100 - (value / top) * 100 }));
  const [first, ...others] = spots;
  const line = first && `M${first.x} ${first.y}${others.map(({ x, y }) => `H${x}V${y}`).join("")}H100`;
  return chart(
    name,
    44,
    html`<svg viewBox="0 0 100 100" preserveAspectRatio="none" y="6" height="32" width="100%" overflow="visible">
        <path d="${line}" /></svg
      >${spots.map(({ x, y }) => html`<circle cx="${x}%" cy="${round(6 + y * 0.32)}" r="2.5" />`)}`,
  );
}

/** Moments on a line, the latest of them with their labels where there is room. `points`: oldest first. */
export function timeline(name: string, points: readonly { at: number; label: string }[], span: Span): Html {
  let free = Infinity;
  const marks = points.toReversed().map(({ at, label }) => {
    const x = place(at, span);
    const isRoom = free - x >= 16 || free === Infinity;
    if (isRoom) free = x;
    const anchor = x > 90 ? "end" : x < 10 ? "start" : "middle";
    return html`<circle
        cx="${x}%"
        cy="30"
        r="4"
      />${isRoom && html`<text x="${x}%" y="16" text-anchor="${anchor}">${label}</text>`}`;
  });
  return chart(name, 40, html`<line x1="0" x2="100%" y1="30" y2="30" />${marks}`);
}

/** A bar for each of a row of results, the latest at the right; their heights tell them apart without colours. */
export function resultChart(name: string, results: readonly string[], most: number): Html {
  const heights: Record<string, number> = { confirmed: 10, changed: 26, held: 18, failed: 26 };
  const bars = results.map((result, index) => {
    const x = round(((most - results.length + index) * 100) / most);
    const height = heights[result] ?? 0;
    return html`<rect
      class="${result}"
      x="${x}%"
      y="${28 - height}"
      width="${round(60 / most)}%"
      height="${height}"
    />`;
  });
  return chart(name, 28, html`${bars}`);
}

function chart(name: string, height: number, content: Html): Html {
  return html`<svg role="img" aria-label="${name}" width="100%" height="${height}">${content}</svg>`;
}

function place(at: number, { from, to }: Span): number {
  return to <= from ? 100 : round(((at - from) / (to - from)) * 100);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
