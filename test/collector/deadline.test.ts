// A deadline holds, whatever the garbage collector thinks of it.
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { withDeadline } from "../../collector/deadline.ts";

const abortOf = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve("ended")));

test("work that hangs is ended at its deadline", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const ended = withDeadline(100, new AbortController().signal, abortOf);
  await sleep(10);
  collectGarbage();
  expect(await ended).toBe("ended");
});

test("work is ended with what it is part of, also when that has ended before", async () => {
  const stop = new AbortController();
  const ended = withDeadline(60_000, stop.signal, abortOf);
  stop.abort();
  expect(await ended).toBe("ended");
  expect(await withDeadline(60_000, stop.signal, async (signal) => signal.aborted)).toBe(true);
});
