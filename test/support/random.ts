// Seeded random values. The seed is the same in every run, so that a failure belongs to a change. `SEED=random` draws a new one, which
// the name or the message of a failing test shows, and `SEED=…` repeats it; `TIMES=20` makes the random tests twenty times as long.
import { randomInt } from "node:crypto";

export const SEED = process.env.SEED === "random" ? randomInt(2 ** 31) : Number(process.env.SEED ?? 28);

/** The number of rounds of a random test. */
export const rounds = (usual: number): number => usual * Number(process.env.TIMES ?? 1);

/** A generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function oneOf<T>(random: () => number, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!;
}
