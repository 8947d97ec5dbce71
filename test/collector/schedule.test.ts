// Collecting on schedule: once at the start, then once per slot in UTC, never two runs at a time, and none skipped.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { nextRun, offsetOf, startSchedules } from "../../collector/run/schedule.ts";
import { cronProblem } from "../../collector/setting-values.ts";

const EVERY_SECOND = "* * * * * *";
const ONCE_A_YEAR = "0 0 1 1 *";

const unexpected = (error: unknown): never => expect.unreachable(String(error));

/** A schedule that is stopped when the test is over. */
function scheduled(
  expression: string,
  run: (signal: AbortSignal) => Promise<void>,
  options: Parameters<typeof startSchedules>[2],
) {
  const schedule = startSchedules(new Map([[expression, undefined]]), run, options);
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

describe("a schedule (collector/run/schedule.ts)", () => {
  test("a run begins at once, without waiting for the first slot", async () => {
    let runs = 0;
    await scheduled(ONCE_A_YEAR, async () => void runs++, { onError: unexpected }).first;
    expect(runs).toBe(1);
  });

  test("the next run is in UTC, in any time zone of the computer", () => {
    const next = scheduled("30 12 * * *", async () => {}, { onError: unexpected }).next();
    expect(next?.toISOString()).toMatch(/T12:30:00\.000Z$/);
  });

  test("the same product always has the same offset of at most two minutes, and products differ", () => {
    const offsets = Array.from({ length: 100 }, (_, index) => offsetOf(`product-${index}`));
    expect(offsets).toEqual(Array.from({ length: 100 }, (_, index) => offsetOf(`product-${index}`)));
    for (const offset of offsets) expect(offset >= 0 && offset < 120_000).toBe(true);
    expect(new Set(offsets.map((offset) => Math.floor(offset / 1_000))).size).toBeGreaterThan(50);
  });

  test.for([
    ["*/15 * * * *", 90_500, "T12:01:30.500Z", 15 * 60_000],
    ["* * * * *", 90_500, "T12:00:30.500Z", 60_000],
    ["0 12 * * *", 119_000, "T12:01:59.000Z", 24 * 60 * 60_000],
  ] as const)("%s is delayed by an offset, and no slot is skipped", async ([expression, offset, expected, gap]) => {
    const clock = wallClock();
    clock.set(Date.parse("2026-03-01T11:59:59.000Z"));
    let runs = 0;
    const schedule = scheduled(expression, async () => void runs++, { onError: unexpected, offset });
    await schedule.first;
    const first = schedule.next()!;
    expect(first.toISOString()).toContain(expected);
    // A clock that goes on by itself, unlike one that is set: no slot counts as skipped.
    const steady = vi.spyOn(performance, "now");
    onTestFinished(() => steady.mockRestore());
    steady.mockImplementation(() => Date.now());
    clock.set(first.getTime());
    await expect.poll(() => runs, { timeout: 5_000 }).toBe(2);
    expect(schedule.next()!.getTime() - first.getTime()).toBe(gap);
  });

  test.for([
    ["*/15 * * * *", "08:00:30", "08:01:30"],
    ["*/15 * * * *", "08:01:30", "08:16:30"],
    ["* * * * *", "08:00:10", "08:00:30"],
    ["* * * * *", "08:00:40", "08:01:30"],
    ["0 8 * * *", "08:00:00", "08:01:30"],
  ] as const)("%s with an offset of 90 s: the next run at %s is that of %s", ([expression, now, expected]) => {
    wallClock().set(Date.parse(`2026-03-01T${now}Z`));
    expect(nextRun(expression, 90_000)()?.toISOString()).toBe(`2026-03-01T${expected}.000Z`);
  });

  test("a run that takes longer than a slot is not overtaken by another", async () => {
    const { state, run } = slowRun();
    let slots = 0;
    scheduled(EVERY_SECOND, run, { onError: unexpected });
    scheduled(EVERY_SECOND, async () => void slots++, { onError: unexpected });
    await expect.poll(() => slots, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(state).toMatchObject({ begun: 1, most: 1 });
    state.end();
    await expect.poll(() => state.begun, { timeout: 5_000 }).toBeGreaterThan(1);
    expect(state.most).toBe(1);
  });

  test("a missed slot, as when the computer slept, runs late", async () => {
    let runs = 0;
    const { first } = scheduled(EVERY_SECOND, async () => void runs++, { onError: unexpected });
    await first;
    // Nothing happens in this process, as in a sleep.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
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
    ["ten years", TEN_YEARS],
  ] as const)("a clock set back by %s causes a run, and the next slot is that of the new time", async ([, step]) => {
    const clock = wallClock();
    let runs = 0;
    const schedule = scheduled("0 0 * * *", async () => void runs++, { onError: unexpected });
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
      scheduled(ONCE_A_YEAR, run, { onError: unexpected });
      let ticks = 0;
      scheduled(ONCE_A_YEAR, async () => void ticks++, { onError: unexpected });
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
    await scheduled(EVERY_SECOND, async () => void runs++, { onError: unexpected }).first;
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
    scheduled(EVERY_SECOND, fail, { onError: (error) => told.push(error) });
    await expect.poll(() => runs, { timeout: 5_000 }).toBeGreaterThan(1);
    expect(told).toEqual([new Error("once")]);
  });

  test("stopping ends the current run and starts no other, not even one that waits for its turn", async () => {
    const { state, run } = slowRun();
    const due = new Map([EVERY_SECOND, ONCE_A_YEAR].map((expression) => [expression, expression]));
    const schedule = startSchedules(due, run, { onError: unexpected });
    await expect.poll(() => state.begun, { timeout: 5_000 }).toBe(1);
    await schedule.stop();
    expect(state).toMatchObject({ begun: 1, goingOn: 0 });
  });

  test("an invalid expression is reported", () => {
    expect(cronProblem("*/15 * * * *")).toBeUndefined();
    for (const wrong of ["", "* * *", "61 * * * *", "every hour"])
      expect(cronProblem(wrong), wrong).toBeTypeOf("string");
  });
});
