// Quantiles, and tables in plain text.
import { availableParallelism, loadavg } from "node:os";

/** `sorted`: ascending. `share`: 0.5 for the median. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function median(values: readonly number[]): number {
  return quantiles(values)[1];
}

/** First quartile, median, third quartile. */
function quantiles(values: readonly number[]): [number, number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  return [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)];
}

/** Median with its quartiles in brackets. */
export function spread(values: readonly number[], digits: number): string {
  const [low, middle, high] = quantiles(values).map((value) => value.toFixed(digits));
  return `${middle} [${low} ${high}]`;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The first row is the heading; the first column is aligned left, the others right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    print(`  ${cells.join("   ")}`);
  }
}

export function describeMachine(): string {
  const load = loadavg().map((value) => value.toFixed(1));
  return `Node ${process.version}, ${availableParallelism()} cores, load averages ${load.join(" ")}`;
}
