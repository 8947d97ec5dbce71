// A deadline holds, garbage collection or not.
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { withDeadline } from "../../collector/http/deadline.ts";

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

test("work ends with the signal it depends on, even one that is aborted already", async () => {
  const stop = new AbortController();
  const ended = withDeadline(60_000, stop.signal, abortOf);
  stop.abort();
  expect(await ended).toBe("ended");
  expect(await withDeadline(60_000, stop.signal, async (signal) => signal.aborted)).toBe(true);
});
