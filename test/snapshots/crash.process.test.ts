// kill -9 of a publisher at random moments.
import { setTimeout as after } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { readSnapshot } from "../../snapshots/facts.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { startChild } from "../support/program/child.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { rounds, SEED, seeded } from "../support/random.ts";
import { factsIn, NOW } from "../support/snapshot.ts";

const KILLS = rounds(12);
/** Publishers at a time, each with a directory of its own. */
const LANES = 4;
/** Longest life of a publisher after its first publication, milliseconds: time for a few more. */
const LONGEST_LIFE = 100;

describe("a publisher that is killed (snapshots/stores/files/file-store.ts)", () => {
  test(
    "a collector killed at any moment leaves a whole snapshot, as new as it ever said, and readers never notice",
    { timeout: 30_000 + KILLS * 1_000 },
    async () => {
      const lanes = Array.from({ length: LANES }, async (_, lane) => {
        const directory = await temporaryDirectory();
        const random = seeded(SEED + lane);
        let revision = 0;
        for (let kill = lane; kill < KILLS; kill += LANES) {
          const hint = `kill ${kill} of SEED=${SEED}`;
          revision = await publishUntilKilled({ directory, revision, life: random() * LONGEST_LIFE, hint });
        }
        return revision;
      });
      const revisions = await Promise.all(lanes);
      expect(Math.min(...revisions), `SEED=${SEED}`).toBeGreaterThan(0);
    },
  );

  /** One publisher's life, read all the while from here. `revision`: the newest seen so far; returns the newest now. */
  async function publishUntilKilled(run: { directory: string; revision: number; life: number; hint: string }) {
    const { directory, life, hint } = run;
    const publisher = startChild("publisher", directory);
    expect(await publisher.line(), hint).toBe("ready");
    let alive = true;
    const acknowledged = (async () => {
      const first = await publisher.line();
      await after(life);
      const last = (await publisher.kill()).at(-1) ?? first;
      alive = false;
      return Number(last);
    })();
    let { revision } = run;
    while (alive) revision = await readNewest(directory, revision, hint);
    revision = await readNewest(directory, revision, hint);
    expect(revision, `${hint}: an acknowledged snapshot is lost`).toBeGreaterThanOrEqual(await acknowledged);
    return revision;
  }

  /** The stored revision, 0 before the first. Fails when the snapshot is not whole, is missing or went back. */
  async function readNewest(directory: string, seen: number, hint: string): Promise<number> {
    const read = await readSnapshot(factsIn(openStore(directory), { now: NOW }), "plans");
    if (seen === 0 && read.state === "missing" && read.damage === undefined) return 0;
    if (read.state !== "found") throw new Error(`${hint}: ${JSON.stringify(read)} after revision ${seen}`);
    expect(read.damage, hint).toBeUndefined();
    expect(read.snapshot.revision, `${hint}: the snapshot went back`).toBeGreaterThanOrEqual(seen);
    return read.snapshot.revision;
  }
});
