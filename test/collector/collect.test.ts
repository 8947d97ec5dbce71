// Runs of the collector over a real upstream and a real store: sources are independent, and good snapshots are kept. A failing upstream is
// an outage: it never withdraws a release and never changes a snapshot.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RunHook } from "../../collector/hooks.ts";
import type { Source } from "../../collector/source.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { StoreError, type Store } from "../../snapshots/store.ts";
import { openFileStore } from "../../snapshots/stores/files/file-store.ts";
import { anotherMillisecond, startCollector } from "../support/collecting/collector.ts";
import { faultyFs } from "../support/faulty-fs.ts";
import { body, json, stalledAfter, status, type Behaviour } from "../support/collecting/upstream.ts";
import { vendorPlans, vendorRelease, vendorReleases } from "../support/collecting/vendor.ts";
import {
  NEVER_ENDING,
  NOT_THE_ANSWER,
  REFUSED_AT_ONCE,
  SECRET_WORD,
  TRANSIENT,
} from "../support/collecting/upstream-failures.ts";

const stalled = stalledAfter("");

test("an answer is published as changed the first time and as confirmed when it is repeated", async () => {
  const { run, stored } = await startCollector();
  const first = await run();
  expect(Object.values(first).map(({ result }) => result)).toEqual(["changed", "changed", "changed"]);
  expect((await stored("plans")).payload).toEqual(vendorPlans());
  expect((await stored("release-macos")).payload).toEqual(vendorRelease("macos"));
  expect((await stored("release-windows")).payload).toEqual(vendorRelease("windows"));
  const second = await run();
  expect(Object.values(second).map(({ result }) => result)).toEqual(["confirmed", "confirmed", "confirmed"]);
});

test.for([
  ["another order of keys", (text: string) => text.replace(/"currency":"EUR",(.*)\}$/s, '$1,"currency":"EUR"}')],
  ["-0 for 0", (text: string) => text.replaceAll('Price":0', 'Price":-0')],
  ["another way to write a number", (text: string) => text.replaceAll("12.5", "1250e-2")],
  ["white space and escapes", (text: string) => text.replaceAll(",", " ,\n").replaceAll("studio", "\\u0073tudio")],
  ["one more private field", (text: string) => text.replace("{", '{"internal":true,')],
] as const)("%s is no change", async ([, change]) => {
  const { upstream, run, stored } = await startCollector();
  await run();
  const before = await stored("plans");
  const text = change(JSON.stringify(vendorPlans()));
  expect(text).not.toBe(JSON.stringify(vendorPlans()));
  upstream.set("/plans", body(text));
  expect((await run()).plans.result).toBe("confirmed");
  const { revision, changedAt, sha256, payload } = await stored("plans");
  expect({ revision, changedAt, sha256, payload }).toEqual({
    revision: before.revision,
    changedAt: before.changedAt,
    sha256: before.sha256,
    payload: before.payload,
  });
});

test("a change is a new revision with the time of the change", async () => {
  const { upstream, run, stored } = await startCollector();
  await run();
  await anotherMillisecond();
  upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
  const { plans, "release-macos": macos } = await run();
  expect([plans.result, macos.result]).toEqual(["changed", "confirmed"]);
  const { revision, changedAt, confirmedAt, payload } = await stored("plans");
  expect({ revision, payload }).toMatchObject({ revision: 2, payload: { currency: "CHF" } });
  expect(changedAt).toBe(confirmedAt);
});

test("a source that fails leaves the others published and its own last snapshot byte for byte", async () => {
  const { upstream, run, files } = await startCollector();
  await run();
  const before = await files();
  await anotherMillisecond();
  upstream.set("/plans", status(404));
  const outcomes = await run();
  expect(outcomes.plans).toMatchObject({ result: "failed", reason: "answered 404: nothing is at this address" });
  expect(outcomes["release-macos"].result).toBe("confirmed");
  const after = await files();
  expect(after["plans.json"]).toBe(before["plans.json"]);
  expect(after["release-macos.json"]).not.toBe(before["release-macos.json"]);
  expect(after["release-windows.json"]).not.toBe(before["release-windows.json"]);
});

test("if one platform in an answer for both is broken, the other is still published", async () => {
  const { upstream, run, files } = await startCollector();
  await run();
  const before = await files();
  const { macos, windows } = vendorReleases();
  upstream.set("/releases", json({ macos: { ...macos, latest: { ...macos.latest, version: "4.0.0" } }, windows: {} }));
  const outcomes = await run();
  expect(outcomes["release-macos"]).toMatchObject({ result: "changed", payload: { latest: { version: "4.0.0" } } });
  expect(outcomes["release-windows"].result).toBe("failed");
  expect((await files())["release-windows.json"]).toBe(before["release-windows.json"]);
  upstream.set("/releases", json({ macos, windows }));
  expect((await run())["release-windows"].result).toBe("confirmed");
});

describe("a run that is ended (collector/run/collect.ts)", () => {
  test("in the middle leaves every snapshot as it was", async () => {
    const { upstream, run, files, stored } = await startCollector();
    await run();
    const before = await files();
    for (const path of ["/plans", "/releases"]) upstream.set(path, stalled);
    const ending = new AbortController();
    const running = run({ signal: ending.signal });
    await upstream.requested(4);
    ending.abort();
    for (const outcome of Object.values(await running)) {
      expect(outcome).toMatchObject({
        result: "failed",
        reason: expect.stringMatching(/^(no answer before )?the run /),
      });
    }
    expect(await files()).toEqual(before);
    expect((await stored("plans")).revision).toBe(1);
  });

  test("before it began fetches nothing, changes nothing and leaves no rejection unhandled", async () => {
    const { upstream, run, files } = await startCollector();
    await run();
    const before = await files();
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    for (const outcome of Object.values(await run({ signal: AbortSignal.abort() }))) {
      expect(outcome.result).toBe("failed");
    }
    await new Promise(setImmediate);
    expect(await files()).toEqual(before);
    expect(upstream.requests).toHaveLength(2);
    expect(unhandled).toEqual([]);
  });

  test("does not wait for a source that will not stop", async () => {
    const { run, sources } = await startCollector();
    const ending = new AbortController();
    const fetch = () => {
      setImmediate(() => ending.abort());
      return new Promise<never>(() => {});
    };
    const deaf: Source = { ...sources[0]!, fetch };
    expect((await run({ sources: [deaf], signal: ending.signal })).plans).toMatchObject({
      result: "failed",
      reason: "the run was stopped before the source answered",
    });
  });
});

test("a bug in a source fails that source alone, with a reason that quotes nothing", async () => {
  const { run, sources } = await startCollector();
  const buggy: Source = { ...sources[0]!, translate: () => JSON.parse("{xyzzy") };
  const outcomes = await run({ sources: [buggy, sources[1]!] });
  expect(outcomes.plans).toMatchObject({ result: "failed", reason: "internal error in the source (SyntaxError)" });
  expect(outcomes["release-macos"].result).toBe("changed");
});

test("a second collector beside a running one reports busy, and asks and writes nothing", async () => {
  const { upstream, run, files, directory } = await startCollector();
  await run();
  upstream.set("/plans", stalled);
  const ending = new AbortController();
  const first = run({ signal: ending.signal });
  await upstream.requested(4);
  while (!(await outcomesOver(directory))) await new Promise(setImmediate);
  const before = [await files(), await readdir(directory), upstream.requests.length];
  await expect(run()).rejects.toThrow("busy");
  expect([await files(), await readdir(directory), upstream.requests.length]).toEqual(before);
  ending.abort();
  await first;
  upstream.set("/plans", json(vendorPlans()));
  expect((await run()).plans.result).toBe("confirmed");
});

test("a store that cannot be written is a StoreError, and no upstream is asked", async () => {
  const { upstream, run, directory } = await startCollector();
  await writeFile(join(directory, "in-the-way"), "");
  const { fs } = faultyFs({ failAt: 1, code: "EACCES", permanently: true });
  for (const store of [openStore(join(directory, "in-the-way/facts")), openFileStore(directory, fs)]) {
    await expect(run({ store })).rejects.toThrow(StoreError);
  }
  expect(upstream.requests).toEqual([]);
});

test.for([
  ["cut in half", (path: string) => readFile(path, "utf8").then((text) => writeFile(path, text.slice(0, 200)))],
  ["gone", (path: string) => rm(path)],
  [
    "changed by hand",
    (path: string) => readFile(path, "utf8").then((text) => writeFile(path, text.replace("EUR", "USD"))),
  ],
] as const)("a snapshot that is %s is replaced by the next run, which says so", async ([name, damage]) => {
  const { run, stored, directory } = await startCollector();
  await run();
  await run();
  await damage(join(directory, "plans.json"));
  const { plans } = await run();
  const why = name === "gone" ? /no longer in the store/ : /^replaced a damaged snapshot \([a-zA-Z0-9 -]+\)$/;
  expect(plans).toMatchObject({ notes: [expect.stringMatching(why)] });
  expect((await stored("plans")).payload).toEqual(vendorPlans());
});

test("a run reads each snapshot once", async () => {
  const { run, store } = await startCollector();
  await run();
  const read: string[] = [];
  const counted: Store = {
    ...store,
    get(key, ifNot) {
      read.push(key);
      return store.get(key, ifNot);
    },
  };
  const history = { keep: 10, age: 60_000 };
  await run({ store: counted, history });
  const snapshots = read.filter((key) => /^(plans|release-[a-z]+)\.json$/.test(key));
  expect(snapshots.toSorted()).toEqual(["plans.json", "release-macos.json", "release-windows.json"]);
});

test("a snapshot that changes while its source is asked is read again before it is replaced", async () => {
  const [{ upstream, run, store, stored }, other] = [await startCollector(), await startCollector()];
  await run();
  await anotherMillisecond();
  upstream.set("/plans", async (request, response) => {
    // Without the claim, as no collector would.
    const sources = other.sources.slice(0, 1);
    const elsewhere = { ...store, claim: () => Promise.resolve({ release: () => Promise.resolve() }) };
    other.upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
    await other.run({ store: elsewhere, sources });
    json({ ...vendorPlans(), currency: "USD" })(request, response);
  });
  const { plans } = await run({ now: () => Date.now() + 1_000 });
  expect(plans.result).toBe("changed");
  expect(await stored("plans")).toMatchObject({ revision: 3, payload: { currency: "USD" } });
});

test("facts confirmed again after a clock that was a little ahead was corrected stay fresh from the right time on", async () => {
  const { run, stored } = await startCollector();
  const time = Date.now();
  await run({ now: () => time + 4 * 60_000 });
  const ahead = await stored("plans");
  const { plans } = await run({ now: () => time, staleAfter: 60_000 });
  expect(plans.result).toBe("confirmed");
  const { confirmedAt, freshUntil } = await stored("plans");
  expect(confirmedAt).toBe(ahead.confirmedAt);
  expect(freshUntil).toBe(new Date(time + 60_000).toISOString());
});

/** True when the releases of the current run are published and only the plans are missing. */
async function outcomesOver(directory: string): Promise<boolean> {
  const texts = ["macos", "windows"].map((name) => readFile(join(directory, `release-${name}.json.prev`), "utf8"));
  return Promise.all(texts).then(
    () => true,
    () => false,
  );
}

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

test("a hook that fails is named, and neither the facts nor the hooks after it notice", async () => {
  const { run, stored } = await startCollector();
  const failures: string[] = [];
  const followed: string[] = [];
  const hooks: RunHook[] = [
    { name: "first", after: () => Promise.reject(new StoreError("the disk is full")) },
    { name: "second", after: async ({ report, published }) => (followed.push(...published.keys()), report) },
  ];
  const outcomes = await run({ hooks, onHookFailure: (name, reason) => void failures.push(`${name}: ${reason}`) });
  expect(outcomes.plans.result).toBe("changed");
  expect((await stored("plans")).revision).toBe(1);
  expect(failures).toEqual(["first: the disk is full"]);
  expect(followed.toSorted()).toEqual(["plans", "release-macos", "release-windows"]);
});
