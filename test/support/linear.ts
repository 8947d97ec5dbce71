// Measures that work grows with its text, not with the square of it: the CPU time for n, 2n and 4n of the worst text. On a busy computer
// a measure is too long, never too short, so the least of several counts, and they end as soon as the three are in proportion.
import { expect } from "vitest";

/** Linear work takes 4 times as long for 4n as for n, quadratic work 16 times. */
const MOST = 8;
const ENOUGH = 6;
/** After so much CPU time, or so many rounds, it is said what was found. */
const MOST_MS = 4_000;
const MOST_ROUNDS = 30;
/** A single measure: below it, the system's clock of CPU time is too coarse. */
const LEAST_MS = 5;

/** Makes the worst text, or list, of a size, and returns the work on it. What it throws is a refusal, and counts as done. */
export type Worst = (size: number) => () => unknown;

export async function expectLinear(size: number, worst: Worst): Promise<void> {
  const works = [1, 2, 4].map((times) => worst(times * size));
  const least = works.map(() => Infinity);
  const growth = () => (least[2] ?? 0) / (least[0] ?? 1);
  // The first call loads and compiles what the others use.
  for (const work of works.slice(0, 1)) await measure(work);
  const start = process.cpuUsage();
  for (let round = 0; round < MOST_ROUNDS && spentSince(start) < MOST_MS && !(growth() < ENOUGH); round++) {
    for (const [index, work] of works.entries()) least[index] = Math.min(least[index] ?? Infinity, await measure(work));
  }
  const shown = least.map((milliseconds) => `${milliseconds.toFixed(2)} ms`).join(", ");
  expect(growth(), `CPU time for ${size}, ${2 * size} and ${4 * size}: ${shown}`).toBeLessThan(MOST);
}

/** The CPU time of one call in ms. */
async function measure(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let calls = 1; ; calls++) {
    try {
      await work();
    } catch {
      // It has refused the text.
    }
    const spent = spentSince(start);
    if (spent >= LEAST_MS) return spent / calls;
  }
}

/** In ms. */
function spentSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** The text, repeated up to this length. */
export function filled(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** Parts that all differ, up to this length. */
export function counted(part: (index: number) => string, length: number): string {
  const parts: string[] = [];
  for (let at = 0, index = 0; at < length; index++) at += parts[parts.push(part(index)) - 1]?.length ?? 0;
  return parts.join("").slice(0, length);
}
