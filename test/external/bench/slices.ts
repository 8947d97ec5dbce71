// Servers under measurement take turns in short slices, so that other load on the machine affects all of them alike. Ratios
// are computed within a round and then summarised.
import type { Load, SliceResult } from "./load.ts";
import type { BenchServer } from "./server-process.ts";

export interface Task {
  request: string;
  /** The status that every answer must have. */
  status: number;
}

/** `cpu`: the server's µs per request. */
export type Sample = SliceResult & { cpu: number };

export interface Contender {
  server: BenchServer;
  /** The tasks that the server supports, by name. */
  tasks: ReadonlyMap<string, Task>;
  /** A sample for each round, by the same names. */
  samples: Map<string, Sample[]>;
}

/** Times in milliseconds. */
export interface Turns {
  rounds: number;
  slice: number;
  warmUp: number;
  connections: number;
}

export async function takeTurns(load: Load, contenders: readonly Contender[], turns: Turns): Promise<void> {
  for (const contender of contenders) await takeSlices(load, contender, turns.warmUp, turns);
  for (const { samples } of contenders) samples.clear();
  for (let round = 0; round < turns.rounds; round++) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      await takeSlices(load, contender, turns.slice, turns);
    }
  }
}

async function takeSlices(
  load: Load,
  { server, tasks, samples }: Contender,
  milliseconds: number,
  { connections }: Turns,
): Promise<void> {
  for (const [name, task] of tasks) {
    const before = await server.usage();
    const seen = await load.run({ port: server.port, ...task, connections, milliseconds });
    const after = await server.usage();
    const sample = { ...seen, cpu: (after.cpu - before.cpu) / seen.requests };
    samples.set(name, [...(samples.get(name) ?? []), sample]);
  }
}

/** The ratio of one server's worth to another's, for each round. `worth`: more is better. */
export function ratios(of: readonly Sample[], to: readonly Sample[], worth: (sample: Sample) => number): number[] {
  return of.map((sample, round) => worth(sample) / worth(to[round] ?? sample));
}

export const perCpu = ({ cpu }: Sample): number => 1 / cpu;

/** Requests per second. */
export const rate = ({ requests, duration }: Sample): number => (1000 * requests) / duration;
