// Writers that replace the same version at once: exactly one of them may win.
import { Conflict, type Store, type Version } from "../../../snapshots/store.ts";
import type { Verdicts } from "../bench/targets.ts";
import type { Engine } from "./engines.ts";

const WRITERS = 16;
const KEY = "race.json";

export const RACE_HEADING = [`${WRITERS} writers of one version`, "rounds", "without exactly one winner"];

/** Each writer has the store open for itself. */
export async function measureRaces({ title, open }: Engine, rounds: number, verdicts: Verdicts): Promise<string[]> {
  const writers = Array.from({ length: WRITERS }, open);
  let wrong = 0;
  let ifVersion: Version | null = null;
  try {
    for (let round = 0; round < rounds; round++) {
      const winners = await race(writers, ifVersion, round);
      if (winners.length !== 1) wrong++;
      const now = await writers[0]?.get(KEY);
      ifVersion = typeof now === "object" ? now.version : null;
    }
    await writers[0]?.remove(KEY);
  } finally {
    await Promise.all(writers.map((writer) => writer.close()));
  }
  const judged = verdicts.judge(`${title}, races without exactly one winner`, wrong, { target: 0, limit: 0 });
  return [title, String(rounds), judged];
}

/** The versions of those that won. */
async function race(writers: readonly Store[], ifVersion: Version | null, round: number): Promise<Version[]> {
  const puts = writers.map((writer, index) =>
    writer.put(KEY, Buffer.from(`${round} by ${index}`), { ifVersion }).catch((error: unknown) => {
      if (error instanceof Conflict) return undefined;
      throw error;
    }),
  );
  return (await Promise.all(puts)).filter((version) => version !== undefined);
}
