// The time from the start of a replica to its first answer, and its memory, compared with those of a replica on files.
import { setTimeout as sleep } from "node:timers/promises";
import { memoryOf } from "../bench/memory.ts";
import { timeToFirstAnswer } from "../bench/start.ts";
import { median, spread } from "../bench/statistics.ts";
import type { Target, Verdicts } from "../bench/targets.ts";
import type { Engine } from "./engines.ts";
import { startSteadyLoad } from "./steady-load.ts";
import { BUILT, type Subject } from "./subject.ts";

/** More than a replica on files. */
const START_MS: Target = { target: 30, limit: 500 };
const MEMORY_MB: Target = { target: 15, limit: 60 };
/** For a replica to load its deferred parts. */
const SETTLING_MS = 3_000;
const LOAD_MS = 3_000;

/** Times in ms, memory in MB. */
export interface Footprint {
  engine: Engine;
  starts: readonly number[];
  idle: number;
  loaded: number;
}

/** The starts of a replica on each engine, in turns. The stores are filled. `settings`: path of the settings file. */
export async function timesToStart(engines: readonly Engine[], times: number, settings: string): Promise<number[][]> {
  const found = engines.map(() => [] as number[]);
  for (let time = 0; time < times; time++) {
    for (const [index, { replicas }] of engines.entries()) {
      const environment = { VITRINE_CONFIG: settings, ...replicas[0] };
      found[index]?.push(await timeToFirstAnswer([BUILT, "serve"], environment));
    }
  }
  return found;
}

/** Medians of the replicas of each subject, in MB: after the start, and after a short load. */
export async function measureMemory(subjects: readonly Subject[]): Promise<{ idle: number[]; loaded: number[] }> {
  const ofReplicas = ({ replicas }: Subject) => median(replicas.map(({ pid = 0 }) => memoryOf(pid).now));
  await sleep(SETTLING_MS);
  const idle = subjects.map(ofReplicas);
  const loaded: number[] = [];
  for (const subject of subjects) {
    const endLoad = startSteadyLoad(subject.ports);
    await sleep(LOAD_MS);
    await endLoad();
    loaded.push(ofReplicas(subject));
  }
  return { idle, loaded };
}

export const FOOTPRINT_HEADING = [
  "to the first 200, ms; memory, MB",
  "start [quartiles]",
  "more than files",
  "idle",
  "more",
  "after load",
  "more",
  "targets",
];

/** Rows; the first is of files. */
export function footprintRows(footprints: readonly Footprint[], verdicts: Verdicts): string[][] {
  const [files] = footprints;
  return footprints.map(({ engine: { title }, starts, idle, loaded }) => {
    const more = (what: string, own: number, base: number, target: Target) =>
      verdicts.judge(`${title}, ${what} more than files`, own - base, target);
    if (!files) return [];
    return [
      title,
      spread(starts, 0),
      more("ms to start", median(starts), median(files.starts), START_MS),
      idle.toFixed(0),
      more("MB idle", idle, files.idle, MEMORY_MB),
      loaded.toFixed(0),
      more("MB after load", loaded, files.loaded, MEMORY_MB),
      `≤ ${START_MS.target}, ≤ ${MEMORY_MB.target}`,
    ];
  });
}
