// A service collects again, without waiting for its schedule, when its store was away in a run, or has another engine.
import { describe, test } from "vitest";
import { collectLostRuns } from "../../../cli/features/lost-runs/lost-runs.ts";
import { startSchedules } from "../../../collector/run/schedule.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { StoreError, Unreachable } from "../../../snapshots/store.ts";
import { freePort } from "../../support/port.ts";
import { launch } from "../../support/program/run.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { numberIn, openAging, startRedisPair, type OnFinished } from "../../support/redis-pair.ts";
import { NO_REDIS, startRedis } from "../../support/redis.ts";
import { pollUntil } from "../../support/serving/server.ts";
import { factsIn } from "../../support/snapshot.ts";

/** No slot of it is near. */
const ONCE_A_YEAR = "0 0 1 1 *";
const SETTINGS = {
  api: { name: "Acme" },
  schedule: ONCE_A_YEAR,
  staleAfter: "365d",
  plans: "none",
  releases: "none",
};

describe.skipIf(NO_REDIS !== undefined).concurrent("a lost run (cli/features/lost-runs/lost-runs.ts)", () => {
  test("is made up for when the engine answers, and when it has come back empty", async ({
    expect,
    onTestFinished,
  }) => {
    const port = await freePort();
    const directory = await settingsDirectory(SETTINGS, onTestFinished);
    const environment = { SNAPSHOTS: `redis://127.0.0.1:${port}/0/acme` };
    const { output } = launch("vitrine", ["collect", "--watch"], {
      directory,
      environment,
      onFinished: onTestFinished,
    });
    const lines = (pattern: RegExp) => `${output.stdout}${output.stderr}`.match(pattern)?.length ?? 0;
    const seen = (pattern: RegExp, times: number) =>
      pollUntil(
        async () => lines(pattern),
        (count) => count >= times,
      );
    await seen(/failed: Redis/g, 1);
    const first = await startRedis(onTestFinished, { port });
    await seen(/Collected in/g, 1);
    await first.kill();
    await startRedis(onTestFinished, { port });
    await seen(/Collected in/g, 2);
    expect(lines(/plans .*changed/g)).toBe(2);
    expect(lines(/collecting again: /g)).toBe(2);
    expect(lines(/failed: Redis/g)).toBe(1);
  });

  /** Runs behind one address of two engines, of which the first leads, looked after all the time. */
  async function watched(onTestFinished: OnFinished, fail: () => unknown = () => undefined) {
    const pair = await startRedisPair(onTestFinished);
    const runs: (readonly SnapshotName[])[] = [];
    const run = async (_signal: AbortSignal, due: readonly SnapshotName[]) => {
      runs.push(due);
      const error = fail();
      if (error !== undefined) throw error;
    };
    const due = new Map([[ONCE_A_YEAR, ["plans"] as readonly SnapshotName[]]]);
    const schedule = startSchedules(due, run, { onError: () => {} });
    onTestFinished(() => schedule.stop());
    const ending = new AbortController();
    onTestFinished(async () => ending.abort());
    const facts = factsIn({ pace: 20, ...openAging(onTestFinished, pair.location, 50) });
    collectLostRuns({ facts, schedule, stop: ending.signal, warn: () => {} }, 20);
    const connections = () => numberIn(pair.old, "total_connections_received");
    /** Until the store has had new connections to the first engine. */
    const lookOn = async () => {
      const before = await connections();
      await pollUntil(connections, (count) => count > before + 10);
    };
    return { ...pair, runs, lookOn };
  }

  test("is one that an engine behind the same address has not seen, and not because of a new connection", async ({
    expect,
    onTestFinished,
  }) => {
    const { runs, lookOn, proxy, next } = await watched(onTestFinished);
    await lookOn();
    expect(runs).toEqual([["plans"]]);
    proxy.lead(next.port);
    await expect.poll(() => runs, { timeout: 10_000 }).toEqual([["plans"], SNAPSHOT_NAMES]);
  });

  test.for([
    ["did not answer", "made up for", new Unreachable("away"), 2],
    ["took no write", "left to the schedule", new StoreError("full"), 1],
  ] as const)("whose store %s is %s", async ([, , error, expected], { expect, onTestFinished }) => {
    let isFirst = true;
    const failOnce = () => {
      const thrown = isFirst ? error : undefined;
      isFirst = false;
      return thrown;
    };
    const { runs, lookOn } = await watched(onTestFinished, failOnce);
    await lookOn();
    expect(runs).toHaveLength(expected);
  });
});
