// Clocks that are wrong and then corrected, by seconds, a day and ten years, in both directions: nothing stops collecting,
// nothing ends, and facts are served again as soon as they are confirmed at the new time. Whole processes, by libfaketime.
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { fakeClockAbsence, startFakeClock, type FakeClock } from "./fake-clock.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { startProgram, type Program } from "../../support/program/program.ts";
import { vitrine } from "../../support/program/run.ts";
import { startVendor } from "../../support/program/settings.ts";
import { pollUntil } from "../../support/serving/server.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
const TEN_YEARS = 3_652 * DAY;
const PLANS = "/api/v1/plans";

/** `leaves`: the answer for facts of the right time, after a restart under the wrong clock. */
const STEPS = [
  ["four seconds ahead", { offset: 4 * SECOND, leaves: 200 }],
  ["four seconds behind", { offset: -4 * SECOND, leaves: 200 }],
  ["a day ahead", { offset: DAY, leaves: 502 }],
  ["a day behind", { offset: -DAY, leaves: 502 }],
  ["ten years ahead", { offset: TEN_YEARS, leaves: 502 }],
  ["ten years behind", { offset: -TEN_YEARS, leaves: 502 }],
] as const;

const Status = z.object({ snapshots: z.array(z.object({ confirmedAt: z.string().optional() })) });

/** Resolves when all facts are served, confirmed within a minute of the time that the clock shows. */
async function servedAsOf(clock: FakeClock, { get }: Program): Promise<void> {
  await pollUntil(
    async () => Status.parse((await get("/status")).json()),
    ({ snapshots }) =>
      snapshots.every(({ confirmedAt = "" }) => Math.abs(Date.parse(confirmedAt) - clock.now()) < 60 * SECOND),
  );
  expect((await get("/readyz")).status).toBe(200);
}

async function startWithClock(settings: object = {}) {
  const clock = await startFakeClock();
  const vendor = await startVendor();
  const environment = { ...clock.environment, SCHEDULE: "0 0 * * *", STALE_AFTER: "24h", ...settings };
  const { directory } = vendor;
  return {
    clock,
    ...vendor,
    start: (command: "start" | "serve") => startProgram([command], { directory, environment }),
    collect: () => vitrine(["collect"], { directory, environment }),
  };
}

/** All at once, because each waits more than it works. @throws Error that names the case */
async function eachOf<Case extends readonly [string, unknown]>(
  cases: readonly Case[],
  check: (one: Case) => Promise<void>,
): Promise<void> {
  const named = (one: Case) =>
    check(one).catch((error: unknown) => {
      throw new Error(`${one[0]}: ${String(error)}`, { cause: error });
    });
  await Promise.all(cases.map(named));
}

describe.skipIf(fakeClockAbsence !== undefined)("a clock", { timeout: 120_000 }, () => {
  test("set back, and ahead again, while collecting: the next run is at once, and all facts are served", async () => {
    await eachOf(STEPS, async ([, { offset }]) => {
      const { clock, upstream, start } = await startWithClock();
      const [behind, ahead] = [Math.min(0, offset), Math.max(0, offset)];
      await clock.set(ahead);
      const program = await start("start");
      await servedAsOf(clock, program);
      for (const [next, runs] of [
        [behind, 2],
        // A few seconds ahead skip no slot of a daily schedule.
        [ahead, ahead - behind >= DAY ? 3 : 2],
      ] as const) {
        await clock.set(next);
        await upstream.requested(2 * runs);
        await servedAsOf(clock, program);
        expect((await program.get(PLANS)).status).toBe(200);
      }
      expect(program.errors()).not.toContain("bug");
    });
  });

  test("set ahead or behind, and right again: no server, running or restarted, serves a fact past its time, and a run heals it", async () => {
    await eachOf(STEPS, async ([, { offset, leaves }]) => {
      const { clock, directory, start, collect } = await startWithClock();
      expect((await typeInProcess(["collect"], { directory })).code).toBe(0);
      const server = await start("serve");
      await clock.set(offset);
      const isSet = offset < 0 ? 200 : leaves;
      await pollUntil(
        () => server.get(PLANS),
        ({ status }) => status === isSet,
      );
      const restarted = await start("serve");
      expect((await restarted.get(PLANS)).status).toBe(leaves);
      expect((await collect()).code).toBe(0);
      for (const running of [server, restarted]) await servedAsOf(clock, running);
      await clock.set(0);
      // Its first run heals this step.
      const again = await start("start");
      for (const running of [server, restarted, again]) await servedAsOf(clock, running);
    });
  });
});
