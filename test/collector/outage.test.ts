// A failing upstream is an outage: it never withdraws a release and never changes a snapshot.
import { expect, test } from "vitest";
import { startCollector } from "../support/collecting/collector.ts";
import {
  NEVER_ENDING,
  NOT_THE_ANSWER,
  REFUSED_AT_ONCE,
  SECRET_WORD,
  TRANSIENT,
} from "../support/collecting/upstream-failures.ts";
import { json, status, type Behaviour } from "../support/collecting/upstream.ts";

/** Publishes a macOS release, then lets its upstream fail. Checks that nothing else changed, and returns the reason. */
async function outage(behaviour: Behaviour): Promise<string> {
  const { upstream, run, files } = await startCollector({ perPlatform: true, timeout: 1_500 });
  await run();
  const before = await files();
  upstream.set("/macos", behaviour);
  const { "release-macos": macos, "release-windows": windows, plans } = await run();
  expect([plans.result, windows.result]).toEqual(["confirmed", "confirmed"]);
  const after = await files();
  expect(after["release-macos.json"]).toBe(before["release-macos.json"]);
  expect(Object.values(after).join("")).not.toMatch(new RegExp(`"hasUpdate":false|${SECRET_WORD}`));
  return "reason" in macos ? macos.reason : `believed: ${JSON.stringify(macos.payload)}`;
}

/** One line in our own words. */
const OURS = /^(?!believed|internal error|.*xyzzy)[\x20-\x7e]{8,400}$/;

// What fetching makes of every failure, tests of fetching say: here are those that differ in how they end, and whole answers.
const FAILURES: Record<string, Behaviour> = {
  ...NOT_THE_ANSWER,
  ...pick(REFUSED_AT_ONCE, ["204 without being asked", "304 to a request without conditions", "a gzip bomb"]),
  ...pick(TRANSIENT, ["503", "a body shorter than announced", "truncated gzip"]),
  ...pick(NEVER_ENDING, ["a body that stops", "a request to wait for as long as the run"]),
};

function pick<Name extends string>(from: Record<Name, Behaviour>, names: readonly Name[]): Record<string, Behaviour> {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

test("no failure is believed to say that there is no release", async () => {
  // At the same time, because some take long.
  const reasons = Object.entries(FAILURES).map(async ([name, behaviour]) => [name, await outage(behaviour)] as const);
  for (const [name, reason] of await Promise.all(reasons)) expect(reason, name).toMatch(OURS);
});

test("before the first publication, an outage publishes nothing; an explicit absence of a release is published", async () => {
  const { upstream, run, files } = await startCollector({ perPlatform: true });
  upstream.set("/macos", status(404));
  expect((await run())["release-macos"].result).toBe("failed");
  expect(Object.keys(await files())).toEqual(["plans.json", "release-windows.json"]);
  upstream.set("/macos", json({ hasUpdate: false }));
  expect((await run())["release-macos"]).toMatchObject({ result: "changed", payload: { hasUpdate: false } });
});
