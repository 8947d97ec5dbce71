// Collecting on schedule: once at the start, then once per slot in UTC, never two runs at a time, and none skipped.
import { expect, onTestFinished, test, vi } from "vitest";
import { startSchedule } from "../../collector/run/schedule.ts";
import { cronProblem } from "../../collector/setting-values.ts";

const EVERY_SECOND = "* * * * * *";
const ONCE_A_YEAR = "0 0 1 1 *";

const unexpected = (error: unknown): never => expect.unreachable(String(error));

/** A schedule that is stopped when the test is over. */
function scheduled(...args: Parameters<typeof startSchedule>) {
  const schedule = startSchedule(...args);
  onTestFinished(() => schedule.stop());
  return schedule;
}

/** A run that lasts until the test ends it, with the numbers of runs begun and in progress. */
function slowRun() {
  const state = { begun: 0, goingOn: 0, most: 0, end: () => {} };
  const run = async (signal: AbortSignal) => {
    state.begun++;
    state.most = Math.max(state.most, ++state.goingOn);
    await new Promise<void>((resolve) => {
      state.end = resolve;
      signal.addEventListener("abort", () => resolve());
    });
    state.goingOn--;
  };
  return { state, run };
}

test("a run begins at once, without waiting for the first slot", async () => {
  let runs = 0;
  await scheduled(ONCE_A_YEAR, async () => void runs++, unexpected).first;
  expect(runs).toBe(1);
});

test("the next run is in UTC, in any time zone of the computer", () => {
  const next = scheduled("30 12 * * *", async () => {}, unexpected).next();
  expect(next?.toISOString()).toMatch(/T12:30:00\.000Z$/);
});

test("a run that takes longer than a slot is not overtaken by another", async () => {
  const { state, run } = slowRun();
  let slots = 0;
  scheduled(EVERY_SECOND, run, unexpected);
  scheduled(EVERY_SECOND, async () => void slots++, unexpected);
  await expect.poll(() => slots, { timeout: 10_000 }).toBeGreaterThan(3);
  expect(state).toMatchObject({ begun: 1, most: 1 });
  state.end();
  await expect.poll(() => state.begun, { timeout: 5_000 }).toBeGreaterThan(1);
  expect(state.most).toBe(1);
});

test("a missed slot, as when the computer slept, runs late", async () => {
  let runs = 0;
  const { first } = scheduled(EVERY_SECOND, async () => void runs++, unexpected);
  await first;
  const until = Date.now() + 3_000;
  while (Date.now() < until); // nothing happens in this process, as in a sleep
  const before = runs;
  await expect.poll(() => runs, { timeout: 5_000 }).toBeGreaterThan(before);
});

/** Only the wall clock, which stands still until the test sets it; timers and the steady clock go on. */
function wallClock() {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  return { set: (milliseconds: number) => vi.setSystemTime(milliseconds) };
}

const SECOND = 1_000;
const TEN_YEARS = 3_652 * 24 * 60 * 60 * SECOND;

test.for([
  ["a few seconds", 4 * SECOND],
  ["a day", 24 * 60 * 60 * SECOND],
  ["ten years", TEN_YEARS],
] as const)("a clock set back by %s causes a run, and the next slot is that of the new time", async ([, step]) => {
  const clock = wallClock();
  let runs = 0;
  const schedule = scheduled("0 0 * * *", async () => void runs++, unexpected);
  await schedule.first;
  for (const expected of [2, 3]) {
    clock.set(Date.now() - step);
    await expect.poll(() => runs, { timeout: 5_000 }).toBe(expected);
    const pause = schedule.next()!.getTime() - Date.now();
    expect(pause).toBeGreaterThan(0);
    expect(pause).toBeLessThanOrEqual(24 * 60 * 60 * SECOND);
  }
});

// As on a computer that learns the time from the network only after its start.
test.for([
  ["back by a minute", -60 * SECOND],
  ["ahead by ten years", TEN_YEARS],
] as const)(
  "a clock set %s during a run causes another run after it, because the first is dated by the wrong clock",
  async ([, step]) => {
    const clock = wallClock();
    const { state, run } = slowRun();
    scheduled(ONCE_A_YEAR, run, unexpected);
    let ticks = 0;
    scheduled(ONCE_A_YEAR, async () => void ticks++, unexpected);
    clock.set(Date.now() + step);
    await expect.poll(() => ticks, { timeout: 5_000 }).toBe(2);
    expect(state).toMatchObject({ begun: 1, most: 1 });
    state.end();
    await expect.poll(() => state.begun, { timeout: 5_000 }).toBe(2);
  },
);

test("a clock set ahead by ten years causes one run for all skipped slots", async () => {
  const clock = wallClock();
  let runs = 0;
  await scheduled(EVERY_SECOND, async () => void runs++, unexpected).first;
  clock.set(Date.now() + TEN_YEARS);
  await expect.poll(() => runs, { timeout: 5_000 }).toBe(2);
  clock.set(Date.now() + SECOND);
  await expect.poll(() => runs, { timeout: 5_000 }).toBe(3);
});

test("the error of a run is reported, and the schedule goes on", async () => {
  const told: unknown[] = [];
  let runs = 0;
  const fail = async () => {
    if (++runs === 1) throw new Error("once");
  };
  scheduled(EVERY_SECOND, fail, (error) => told.push(error));
  await expect.poll(() => runs, { timeout: 5_000 }).toBeGreaterThan(1);
  expect(told).toEqual([new Error("once")]);
});

test("stopping ends the current run and starts no other", async () => {
  const { state, run } = slowRun();
  const schedule = startSchedule(EVERY_SECOND, run, unexpected);
  await schedule.stop();
  expect(state).toMatchObject({ begun: 1, goingOn: 0 });
});

test("an invalid expression is reported", () => {
  expect(cronProblem("*/15 * * * *")).toBeUndefined();
  for (const wrong of ["", "* * *", "61 * * * *", "every hour"]) expect(cronProblem(wrong), wrong).toBeTypeOf("string");
});
