// The guard: a change that looks like an accident is published late, all others at once. It compares with the newest trace of earlier
// facts, wherever one is left.
import { readFile, writeFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type PartSettings, partsOf } from "../../support/collecting/parts.ts";
import { judgeAccident, suspicions, type GuardSettings } from "../../../collector/features/guard/guard.ts";
import type { PlansResponse, Release } from "../../../snapshots/schema.ts";
import { isFresh, type Payload } from "../../../snapshots/snapshot.ts";
import { startCollector, type RunChanges } from "../../support/collecting/collector.ts";
import { json, status, jsonWithEtag } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorRelease, vendorReleases } from "../../support/collecting/vendor.ts";
import { appendHistory } from "../../../snapshots/features/history/history.ts";
import { dryRun } from "../../../collector/features/dry-run/dry-run.ts";
import { isIn } from "../../support/program/feature.ts";
import { startServer } from "../../support/serving/server.ts";
import { factsIn } from "../../support/snapshot.ts";

const MINUTE = 60_000;
const guard = {
  confirm: 3,
  over: 20 * MINUTE,
  releaseOver: 20 * MINUTE,
  priceFactor: 5,
  off: [],
} satisfies GuardSettings;

function plans(change: (plans: PlansResponse) => void): PlansResponse {
  const copy = vendorPlans();
  change(copy);
  return copy;
}

function macos(changes: Partial<Release>): Payload {
  const release = vendorRelease("macos");
  return { ...release, latest: { ...release.latest, ...changes } };
}

const OTHER_HOST = "https://elsewhere.example.net/studio.zip";
const inFrancs = plans((copy) => (copy.currency = "CHF"));
const NOTHING = { held: undefined, isAccepted: false };
const startingWith = (text: string) => expect.toSatisfy((reason: string) => reason.startsWith(text));
const FRANCS = startingWith("the currency would change (currency EUR → CHF); publishes itself from ");

test("a fall to a fifth is held for every amount in cents, though binary fractions are a little more or less", () => {
  const at = (cents: number) => plans((copy) => (copy.plans[1]!.prices.yearly = cents / 100));
  const passed = Array.from({ length: 4_000 }, (_, index) => index + 1).filter(
    (cents) => suspicions(at(5 * cents), at(cents), guard).length === 0,
  );
  expect(passed).toEqual([]);
});

describe("is held (collector/features/guard/guard.ts):", () => {
  const published = vendorPlans();
  const rows: [string, Payload, Payload, string[]][] = [
    ["no plan left", published, plans((copy) => (copy.plans = [])), ["plans"]],
    ["no plan left, and so no price in another currency", published, { ...inFrancs, plans: [] }, ["plans"]],
    [
      "another id for every plan",
      published,
      plans((copy) => copy.plans.forEach((plan) => (plan.id += "-2"))),
      ["plans"],
    ],
    ["a price that becomes 0", published, plans((copy) => (copy.plans[1]!.prices.yearly = 0)), ["price"]],
    ["a price five times as high", published, plans((copy) => (copy.plans[1]!.annualPrice = 600)), ["price"]],
    ["a price a hundredth as high", published, plans((copy) => (copy.plans[1]!.monthlyPrice = 0.125)), ["price"]],
    ["another currency", published, inFrancs, ["currency"]],
    ["a release that vanishes", macos({}), { hasUpdate: false }, ["release"]],
    ["a version that goes back", macos({ version: "3.10.0" }), macos({ version: "3.9.9" }), ["version"]],
    ["a prerelease of what is out", macos({}), macos({ version: "3.1.0-beta.2" }), ["version"]],
    ["another host for the same version", macos({}), macos({ downloadURL: OTHER_HOST }), ["host"]],
  ];
  test.each(rows)("%s", (_, before, after, reasons) => expect(suspicions(before, after, guard)).toEqual(reasons));
});

describe("is not held:", () => {
  const rows: [string, Payload, Payload][] = [
    ["one of two plans less", vendorPlans(), plans((copy) => copy.plans.pop())],
    ["a plan more", vendorPlans(), plans((copy) => copy.plans.push({ ...copy.plans[0]!, id: "team" }))],
    ["a price not quite five times as high", vendorPlans(), plans((copy) => (copy.plans[1]!.annualPrice = 599))],
    ["a price that was 0", vendorPlans(), plans((copy) => (copy.plans[0]!.monthlyPrice = 99))],
    ["a price that is not listed any more", vendorPlans(), plans((copy) => delete copy.plans[1]!.prices.yearly)],
    ["a higher version from another host", macos({}), macos({ version: "3.2.0", downloadURL: OTHER_HOST })],
    ["another path on the same host", macos({}), macos({ downloadURL: "https://get.example.com/a.zip" })],
    ["a version that cannot be compared", macos({}), macos({ version: "Autumn" })],
    ["a version after one that cannot be compared", macos({ version: "Autumn" }), macos({ version: "0.1" })],
    ["a first release", { hasUpdate: false }, macos({})],
  ];
  test.each(rows)("%s", (_, before, after) => expect(suspicions(before, after, guard)).toEqual([]));
});

/** A collector with a clock that the test sets, published plans in euros, and an upstream that now answers francs. */
async function startHolding(settings: Partial<typeof guard> = {}) {
  const collector = await startCollector();
  let time = Date.now() - 120 * MINUTE;
  const run = (changes: RunChanges = {}) =>
    collector.run({ guard: { ...guard, ...settings }, now: () => time, staleAfter: 60 * MINUTE, ...changes });
  await run();
  collector.upstream.set("/plans", json(inFrancs));
  return {
    ...collector,
    run,
    pass: (milliseconds: number) => void (time += milliseconds),
    time: () => time,
    held: async (): Promise<unknown> =>
      JSON.parse(await readFile(join(collector.directory, "plans.held.json"), "utf8")).held,
  };
}

test("the reason names what would change, the leaps first, and when it is published", () => {
  const after = plans((copy) => {
    Object.assign(copy.plans[0]!, { monthlyPrice: 1, annualPrice: 10, creditsMonthly: 60 });
    copy.plans[1]!.annualPrice = 1200;
  });
  const askedAt = Date.parse("2026-11-05T12:00:30Z");
  const judged = judgeAccident({ fact: { payload: after }, askedAt }, { last: vendorPlans(), ...NOTHING }, guard);
  const ends =
    "publishes itself from 2026-11-05 12:21 UTC, when seen 3 times in a row (so far 1), unless the source takes it back";
  expect(judged.held).toMatchObject({ ends });
  expect(judged.why).toMatch(/^a price would [^(]* \(studio price by the year 120 → 1200, [^()]*, and 1 more\); /);
  expect(judged.why).toContain(ends);
});

test("a held candidate leaves the published snapshot byte for byte, and other sources go on", async () => {
  const { run, files, pass } = await startHolding();
  const before = await files();
  pass(MINUTE);
  const outcomes = await run();
  expect(outcomes.plans).toMatchObject({ result: "held", reason: FRANCS });
  expect(outcomes["release-macos"].result).toBe("confirmed");
  const after = await files();
  expect(after["plans.json"]).toBe(before["plans.json"]);
  expect(after["release-macos.json"]).not.toBe(before["release-macos.json"]);
});

test.for([
  ["damaged", (directory: string) => writeFile(join(directory, "plans.json"), "damage")],
  ["dated by a clock that ran ahead", undefined],
] as const)(
  "a snapshot that is %s is no way past the guard, which then compares with the history",
  async ([, spoil]) => {
    const { run, upstream, directory } = await startCollector();
    const history = { keep: 10, age: 400 * 24 * 60 * MINUTE };
    await run({ guard, history, now: () => Date.now() + (spoil ? 0 : 60 * MINUTE) });
    await spoil?.(directory);
    upstream.set("/plans", json(inFrancs));
    expect((await run({ guard, history })).plans).toMatchObject({
      result: "held",
      reason: FRANCS,
    });
    expect((await run({ guard, history, accept: new Set(["plans"]) })).plans).toMatchObject({ result: "changed" });
  },
);

describe("a held candidate is published", () => {
  test("later if a release would vanish: upstreams lose a platform for hours while they publish", async () => {
    const { run, upstream, pass } = await startHolding({ releaseOver: 50 * MINUTE });
    const releases = vendorReleases();
    upstream.set("/releases", json({ ...releases, macos: { hasUpdate: false } }));
    const results = [];
    for (let sighting = 0; sighting < 4; sighting++) {
      results.push((await run())["release-macos"].result);
      pass(sighting === 2 ? 10 * MINUTE : 20 * MINUTE);
    }
    expect(results).toEqual(["held", "held", "held", "changed"]);
  });

  test.for<[string, (plans: PlansResponse) => void]>([
    ["are gone", (copy) => copy.plans.splice(0, 2)],
    ["have another id", (copy) => copy.plans.slice(1).forEach((plan) => (plan.id += "-2"))],
    // The longer time is that of the reasons together.
    ["are gone, and the currency changes", (copy) => ((copy.currency = "CHF"), copy.plans.splice(1, 2))],
  ])("as late if most plans %s", async ([, lose]) => {
    const three = plans((copy) => copy.plans.push({ ...copy.plans[0]!, id: "team" }));
    const { run, upstream, pass, stored } = await startHolding({ releaseOver: 50 * MINUTE });
    upstream.set("/plans", json(three));
    await run();
    const fewer = structuredClone(three);
    lose(fewer);
    upstream.set("/plans", json(fewer));
    for (let minutes = 0; minutes < 50; minutes += 10) {
      expect((await run()).plans.result).toBe("held");
      pass(10 * MINUTE);
    }
    expect((await run()).plans).toMatchObject({ result: "changed", notes: ["was held, and seen 6 times"] });
    expect((await stored("plans")).payload).toEqual(fewer);
  });

  test("after twenty minutes if half of the plans are gone, and a price leaps", async () => {
    const { run, upstream, pass } = await startHolding({ releaseOver: 50 * MINUTE });
    const left = plans((copy) => (copy.plans.shift(), (copy.plans[0]!.annualPrice = 900)));
    upstream.set("/plans", json(left));
    const results = [];
    for (let sighting = 0; sighting < 3; sighting++) {
      results.push((await run()).plans.result);
      pass(10 * MINUTE);
    }
    expect(results).toEqual(["held", "held", "changed"]);
  });

  test("after three equal sightings, if twenty minutes have passed", async () => {
    const { run, pass, stored, held } = await startHolding();
    for (const minutes of [1, 10, 9]) {
      pass(minutes * MINUTE);
      expect((await run()).plans.result).toBe("held");
    }
    expect(await held()).toMatchObject({ sightings: 3, reasons: ["currency"], changes: ["plans: currency EUR → CHF"] });
    pass(MINUTE);
    expect((await run()).plans).toMatchObject({ result: "changed", notes: ["was held, and seen 4 times"] });
    expect((await stored("plans")).payload).toEqual(inFrancs);
    expect(await held()).toBeNull();
  });

  test("not after twenty minutes alone", async () => {
    const { run, pass } = await startHolding();
    await run();
    pass(21 * MINUTE);
    expect((await run()).plans.result).toBe("held");
    expect((await run()).plans.result).toBe("changed");
  });

  test("not while the source answers differently each time", async () => {
    const { run, pass, upstream } = await startHolding();
    for (const currency of ["CHF", "USD", "GBP", "CHF"]) {
      upstream.set("/plans", json({ ...vendorPlans(), currency }));
      pass(10 * MINUTE);
      expect((await run()).plans).toMatchObject({ result: "held", held: { sightings: 1 } });
    }
  });

  test("in any order of its keys", async () => {
    const { run, pass, upstream } = await startHolding();
    await run();
    const [hobby, studio] = inFrancs.plans;
    const prices = { yearly: 120, monthly: 12.5 };
    upstream.set("/plans", json({ ...inFrancs, plans: [hobby, { ...studio, prices }] }));
    pass(MINUTE);
    expect((await run()).plans).toMatchObject({ held: { sightings: 2 } });
  });

  test("at once when the guard, or this reason, is switched off", async () => {
    const first = await startHolding();
    expect((await first.run({ guard: false })).plans.result).toBe("changed");
    const second = await startHolding();
    expect((await second.run({ guard: { ...guard, off: ["currency"] } })).plans.result).toBe("changed");
    const third = await startHolding();
    expect((await third.run({ guard: { ...guard, off: ["price"] } })).plans.result).toBe("held");
  });
});

test("a source that returns to the published payload is confirmed, and the next accident is counted from one", async () => {
  const { run, pass, upstream, held } = await startHolding();
  await run();
  pass(30 * MINUTE);
  await run();
  upstream.set("/plans", json(vendorPlans()));
  expect((await run()).plans.result).toBe("confirmed");
  expect(await held()).toBeNull();
  upstream.set("/plans", json(inFrancs));
  expect((await run()).plans).toMatchObject({ result: "held", held: { sightings: 1 } });
});

test("a failure in between neither counts as a sighting nor starts the count again", async () => {
  const { run, pass, upstream } = await startHolding();
  await run();
  upstream.set("/plans", status(404));
  pass(20 * MINUTE);
  expect((await run()).plans.result).toBe("failed");
  upstream.set("/plans", json(inFrancs));
  expect((await run()).plans).toMatchObject({ result: "held", held: { sightings: 2 } });
});

test("a damaged record of the held candidate holds longer, never shorter", async () => {
  const { run, pass, directory } = await startHolding();
  await run();
  pass(30 * MINUTE);
  await run();
  await writeFile(join(directory, "plans.held.json"), "damage");
  expect((await run()).plans).toMatchObject({ result: "held", held: { sightings: 1 } });
});

test("a clock that is set back delays the end by no more than that", async () => {
  const { run, pass } = await startHolding();
  pass(4 * MINUTE);
  await run();
  pass(-2 * MINUTE);
  await run();
  pass(20 * MINUTE);
  expect((await run()).plans.result).toBe("changed");
});

test("the published snapshot is not confirmed while a candidate is held, so it goes stale in time", async () => {
  const { run, pass, stored, time, upstream } = await startHolding();
  // An upstream that never repeats an answer is held forever; the old snapshot still goes stale.
  for (let minutes = 0; minutes < 60; minutes += 10) {
    upstream.set("/plans", json({ ...vendorPlans(), currency: `X${minutes}` }));
    pass(10 * MINUTE);
    expect((await run()).plans.result).toBe("held");
  }
  const snapshot = await stored("plans");
  expect(snapshot.payload).toMatchObject({ currency: "EUR" });
  expect(isFresh(snapshot, time())).toBe(false);
});

describe("a conditional request", () => {
  const conditions = (requests: readonly { path: string; headers: object }[]) =>
    requests.filter(({ path }) => path === "/plans").map(({ headers }) => Reflect.get(headers, "if-none-match"));

  test.runIf(isIn("upstream-state"))(
    "is never made with the validators of a held candidate: each sighting is a whole answer",
    async () => {
      const { run, upstream, directory } = await startHolding();
      upstream.set("/plans", jsonWithEtag('"euros"', vendorPlans()));
      await run();
      upstream.set("/plans", jsonWithEtag('"francs"', inFrancs));
      for (const sightings of [1, 2, 3])
        expect((await run()).plans).toMatchObject({ result: "held", held: { sightings } });
      expect(conditions(upstream.requests)).toEqual([undefined, undefined, '"euros"', undefined, undefined]);
      expect(await readFile(join(directory, "upstreams.json"), "utf8")).not.toContain("etag");
    },
  );

  test.runIf(isIn("upstream-state"))("is made again once the candidate is published", async () => {
    const { run, upstream } = await startHolding();
    upstream.set("/plans", jsonWithEtag('"francs"', inFrancs));
    await run({ accept: new Set(["plans"]) });
    expect((await run()).plans.result).toBe("confirmed");
    expect(conditions(upstream.requests).at(-1)).toBe('"francs"');
  });

  test("for both platforms is not made while one of them is held", async () => {
    const { run, upstream } = await startHolding();
    const { windows } = vendorReleases();
    upstream.set("/releases", jsonWithEtag('"a"', { macos: { hasUpdate: false }, windows }));
    for (let count = 0; count < 2; count++) {
      const outcomes = await run();
      expect([outcomes["release-macos"].result, outcomes["release-windows"].result]).toEqual(["held", "confirmed"]);
    }
  });
});

const HISTORY = { keep: 10, age: 60_000 };

/** Publishes twice, with or without a history; then the upstream has an accident with every fact. */
async function startAccident({ history }: { history?: PartSettings["history"] } = {}) {
  const collector = await startCollector();
  const collect = (more: RunChanges = {}) => collector.run({ guard, history, ...more });
  const first = await collect();
  for (const outcome of Object.values(first)) expect(outcome).toMatchObject({ result: "changed", notes: [] });
  // With a previous copy.
  await collect();
  collector.upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
  const none = { hasUpdate: false };
  collector.upstream.set("/releases", json({ ...vendorReleases(), macos: none, windows: none }));
  const remove = async (isRemoved: (file: string) => boolean) => {
    for (const file of await readdir(collector.directory)) {
      if (isRemoved(file)) await rm(join(collector.directory, file), { recursive: true });
    }
  };
  return { ...collector, collect, remove };
}

test("what puts an accepted accident right is held, and told to be what was published before", async () => {
  const { collect, upstream } = await startAccident({ history: HISTORY });
  await collect({ accept: new Set(["plans"]), history: HISTORY });
  upstream.set("/plans", json(vendorPlans()));
  const { plans } = await collect({ history: HISTORY });
  expect(plans).toMatchObject({ result: "held", notes: [expect.stringMatching(/^these facts were published before/)] });
});

describe("an accident is held, compared with", () => {
  test.for([
    ["the previous copy, if the snapshots are gone", {}, (file: string) => /^(plans|release-\w+)\.json$/.test(file)],
    ["the history, if both are gone", { history: HISTORY }, (file: string) => !/^(history|held.*)$/.test(file)],
    ["the history, if only that is left", { history: HISTORY }, (file: string) => file !== "history"],
  ] as const)("%s", async ([, options, isRemoved]) => {
    const { collect, remove } = await startAccident(options);
    await remove(isRemoved);
    for (let sighting = 1; sighting <= 2; sighting++) {
      const outcomes = await collect(options);
      expect(outcomes.plans).toMatchObject({ result: "held", reason: FRANCS });
      expect(outcomes["release-macos"]).toMatchObject({
        result: "held",
        reason: startingWith("the release would vanish ("),
      });
    }
    const accepted = await collect({ ...options, accept: new Set(["plans"]) });
    expect(accepted.plans).toMatchObject({ result: "changed", notes: expect.arrayContaining(["accepted"]) });
    expect(accepted["release-windows"].result).toBe("held");
  });

  test.for(["an emptied store", "a store whose directory is gone"])(
    "the mirror of the server in the same process: %s",
    async (what) => {
      const { collect, remove, directory, store, upstream } = await startAccident();
      const server = await startServer({ store, snapshots: [] });
      server.clock.pass(Date.now() - server.clock.wall());
      await server.refresh();
      await (what === "an emptied store" ? remove(() => true) : rm(directory, { recursive: true }));
      // Stale is still a trace.
      server.clock.pass(90_000);
      const outcomes = await collect({ known: { mirrored: server.lastPayload } });
      for (const outcome of Object.values(outcomes)) expect(outcome).toMatchObject({ result: "held", isKept: false });
      expect(await readdir(directory)).not.toContain("plans.json");
      // The facts as they were are no accident.
      upstream.set("/plans", json(vendorPlans()));
      const next = await collect({ known: { mirrored: server.lastPayload } });
      expect(next.plans).toMatchObject({ result: "changed", notes: [] });
    },
  );
});

test("with no trace left, the collector publishes; so does the dry run", async () => {
  const { collect, remove, sources, store } = await startAccident({ history: HISTORY });
  await remove(() => true);
  const empty = await startServer({ snapshots: [] });
  const known = { mirrored: empty.lastPayload };
  const findings = await dryRun({
    sources,
    facts: factsIn(store),
    ...partsOf({ guard }),
    known,
    signal: new AbortController().signal,
  });
  for (const finding of findings) expect(finding).toMatchObject({ result: "changed" });
  const outcomes = await collect({ known });
  for (const outcome of Object.values(outcomes)) expect(outcome).toMatchObject({ result: "changed", notes: [] });
  expect((await collect({ known })).plans).toMatchObject({ result: "confirmed", notes: [] });
});

test("what is made up may be replaced by anything, published or in a trace", async () => {
  const known = { isSample: () => true };
  const published = await startAccident();
  expect((await published.collect({ known })).plans).toMatchObject({ result: "changed", notes: [] });
  const recorded = await startAccident({ history: HISTORY });
  await recorded.remove((file) => file !== "history");
  expect((await recorded.collect({ known })).plans).toMatchObject({ result: "changed", notes: [] });
  const mirrored = await startAccident();
  const last = (await mirrored.stored("plans")).payload;
  await mirrored.remove(() => true);
  const both = { ...known, mirrored: () => last };
  expect((await mirrored.collect({ known: both })).plans).toMatchObject({ result: "changed", notes: [] });
});

test("a damaged history entry is no trace; the next one is", async () => {
  const { collect, remove, store, directory, stored } = await startAccident({ history: HISTORY });
  const later = { ...(await stored("plans")), revision: 2, changedAt: new Date(Date.now() + 1_000).toISOString() };
  await appendHistory(factsIn(store), later);
  const entries = (await readdir(join(directory, "history"))).filter((file) => file.startsWith("plans-"));
  await writeFile(join(directory, "history", entries.toSorted().at(-1) ?? ""), "{");
  await remove((file) => file !== "history");
  expect((await collect()).plans.result).toBe("held");
});

describe("a first list of plans that is empty", () => {
  const EMPTY = { currency: "EUR", cycles: [], plans: [] };
  const startEmpty = async () => {
    const collector = await startCollector();
    collector.upstream.set("/plans", json(EMPTY));
    let time = Date.now() - 120 * MINUTE;
    return {
      ...collector,
      pass: (milliseconds: number) => void (time += milliseconds),
      run: (changes: RunChanges = {}) =>
        collector.run({ guard: { ...guard, releaseOver: 50 * MINUTE }, now: () => time, ...changes }),
    };
  };
  const reason = 'the first list of plans would be empty; for a vendor without plans write "plans": "none"';

  test("is held as long as the loss of most plans, and nothing is published until then", async () => {
    const { run, pass, files } = await startEmpty();
    for (let minutes = 0; minutes < 50; minutes += 10) {
      const outcomes = await run();
      expect(outcomes.plans).toMatchObject({ result: "held", reason: startingWith(reason) });
      expect(outcomes["release-macos"].result).not.toBe("held");
      expect(Object.keys(await files())).not.toContain("plans.json");
      pass(10 * MINUTE);
    }
    expect((await run()).plans).toMatchObject({ result: "changed", notes: ["was held, and seen 6 times"] });
  });

  test("is published if the operator accepts it, or has turned the check off", async () => {
    const accepted = await startEmpty();
    await accepted.run();
    expect((await accepted.run({ accept: new Set(["plans"]) })).plans).toMatchObject({
      result: "changed",
      notes: ["accepted"],
    });
    expect((await accepted.run()).plans).toMatchObject({ result: "confirmed", notes: [] });
    const { run } = await startEmpty();
    expect((await run({ guard: { ...guard, off: ["empty"] } })).plans.result).toBe("changed");
  });

  test("gives way to plans at once", async () => {
    const { run, upstream } = await startEmpty();
    await run();
    upstream.set("/plans", json(vendorPlans()));
    expect((await run()).plans).toMatchObject({ result: "changed", notes: [] });
  });

  test("is what the source `none` says, and then nothing is held", () => {
    const candidate = { fact: { payload: EMPTY }, askedAt: 0 };
    const first = { last: undefined, held: undefined, isAccepted: false };
    expect(judgeAccident({ ...candidate, kind: "none" }, first, guard)).toEqual({});
    expect(judgeAccident({ ...candidate, kind: "json" }, first, guard).held?.reasons).toEqual(["empty"]);
    expect(judgeAccident({ ...candidate, kind: "json" }, { ...first, last: EMPTY }, guard)).toEqual({});
  });
});
