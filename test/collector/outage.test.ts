// An upstream that fails, in whatever way, is an outage: never news that a release is gone, never a changed snapshot.
import { describe, expect, test } from "vitest";
import { startCollector } from "../support/collecting/collector.ts";
import {
  NEVER_ENDING,
  NOT_THE_ANSWER,
  REFUSED_AT_ONCE,
  SECRET_WORD,
  TRANSIENT,
} from "../support/collecting/upstream-failures.ts";
import { json, status, type Behaviour } from "../support/collecting/upstream.ts";

/** A macOS release that is published, its upstream then failing so. Returns why, once nothing else has changed. */
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

/** One line of our own. */
const OURS = /^(?!believed|a bug|.*xyzzy)[\x20-\x7e]{8,400}$/;

describe("is never believed to say that there is no release:", () => {
  test.for(Object.entries({ ...REFUSED_AT_ONCE, ...NOT_THE_ANSWER }))("%s", async ([, behaviour]) => {
    expect(await outage(behaviour)).toMatch(OURS);
  });

  // Side by side, since each of them takes its time.
  test("whatever fails in passing or never comes to an end", async () => {
    const reasons = Object.entries({ ...TRANSIENT, ...NEVER_ENDING }).map(
      async ([name, behaviour]) => [name, await outage(behaviour)] as const,
    );
    for (const [name, reason] of await Promise.all(reasons)) expect(reason, name).toMatch(OURS);
  });
});

test("before anything was published, an outage publishes nothing, and no release is published once it is said", async () => {
  const { upstream, run, files } = await startCollector({ perPlatform: true });
  upstream.set("/macos", status(404));
  expect((await run())["release-macos"].result).toBe("failed");
  expect(Object.keys(await files())).toEqual(["plans.json", "release-windows.json"]);
  upstream.set("/macos", json({ hasUpdate: false }));
  expect((await run())["release-macos"]).toMatchObject({ result: "changed", payload: { hasUpdate: false } });
});
