// Cross-checks: when they are asked, what counts as a disagreement, and that they never touch what is published.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CrossChecked } from "../../../collector/hooks.ts";
import { compare } from "../../../collector/features/witnesses/cross-check.ts";
import { collectorSettings } from "../../../collector/settings.ts";
import { openCrossChecks } from "../../../collector/features/witnesses/witnesses.ts";
import { needsLook, readReport, type CrossCheckRecord } from "../../../snapshots/records.ts";
import type { PlansResponse } from "../../../snapshots/schema.ts";
import type { Payload } from "../../../snapshots/snapshot.ts";
import { startCollector, type RunChanges } from "../../support/collecting/collector.ts";
import { json, status } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorRelease, vendorReleases } from "../../support/collecting/vendor.ts";
import { isIn } from "../../support/program/feature.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { startVendor } from "../../support/program/settings.ts";
import { factsIn } from "../../support/snapshot.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function macos(version: string): Payload {
  const { latest, ...release } = vendorRelease("macos");
  return { ...release, latest: { ...latest, version } };
}

function plans(change: (plans: PlansResponse) => unknown): PlansResponse {
  const copy = vendorPlans();
  change(copy);
  return copy;
}

describe("two releases (collector/features/witnesses/cross-check.ts)", () => {
  test.for([
    ["4.2.0", "v4.2"],
    ["4.2.0", "4.2.0+45"],
    ["4.2.0", "4.2 (45)"],
    ["4.2.0-2", "4.2.0-2 (45)"],
    ["4.2", "4.2.0.0"],
    ["1.2.3", "app-v1.2.3"],
    ["4.7.2-stable", "4.7.2"],
    ["2026-03-01", "2026.3.1"],
    ["Autumn", "Autumn"],
  ])("agree: %s and %s", ([one = "", other = ""]) => {
    expect(compare(macos(one), macos(other))).toBeUndefined();
    expect(compare(macos(other), macos(one))).toBeUndefined();
  });

  test.for([
    ["4.2.0", "4.2.1"],
    ["4.2.0", "4.2.0-beta.2"],
    ["4.2.0-2", "4.2.0"],
    ["1.0 beta 9", "2.0 beta 9"],
    ["Autumn", "Winter"],
    ["Autumn", "4.2"],
  ])("disagree: %s and %s", ([published = "", found = ""]) => {
    expect(compare(macos(published), macos(found))).toEqual({ published, found });
  });

  test("disagree if only one exists", () => {
    expect(compare(macos("4.2"), { hasUpdate: false })).toEqual({ published: "4.2", found: "no release" });
    expect(compare({ hasUpdate: false }, macos("4.2"))).toEqual({ published: "no release", found: "4.2" });
    expect(compare({ hasUpdate: false }, { hasUpdate: false })).toBeUndefined();
  });
});

const studio = ({ plans }: PlansResponse) => plans[1]!;
const dearer = (key: string) => ({
  published: `studio ${key} 120`,
  found: `studio ${key} 11`,
  prices: [{ plan: "studio", key, amount: 11 }],
});

test.for<[string, (copy: PlansResponse) => unknown, ReturnType<typeof compare>?]>([
  ["are equal", () => {}],
  ["have other words", ({ plans }) => plans.forEach((plan) => (plan.popular = !plan.popular))],
  ["know a part", ({ plans }) => plans.shift()],
  ["lack a price", (copy) => delete studio(copy).prices.yearly],
  ["have a plan more", ({ plans }) => plans.push({ ...plans[1]!, id: "team" })],
  ["write the currency small", (copy) => (copy.currency = "eur")],
  ["state a twelfth as annualPrice", (copy) => (studio(copy).annualPrice = 9.99)],
  ["have another currency", (copy) => (copy.currency = "CHF"), { published: "prices in EUR", found: "prices in CHF" }],
  ["know none of the plans", renamed, { published: "hobby, studio", found: "hobby-2, studio-2" }],
  ["are empty", (copy) => (copy.plans = []), { published: "hobby, studio", found: "no plans" }],
  ["have another price", (copy) => (studio(copy).prices.yearly = 11), dearer("yearly")],
  ["have another price by the year", (copy) => (studio(copy).annualPrice = 11), dearer("by the year")],
])("plans that %s", ([, change, difference]) => expect(compare(vendorPlans(), plans(change))).toEqual(difference));

/** A collector with a clock that the test sets, and one cross-check, whose upstream is /witness. */
async function startCrossChecking(facts: string[] = ["macos"]) {
  const collector = await startCollector();
  const { upstream, directory, store } = collector;
  upstream.set("/witness", json(vendorRelease("macos")));
  const settings = { facts, from: "json", url: upstream.url("/witness"), timeout: "20s" };
  const open = (more: object = {}) =>
    openCrossChecks(
      { crossChecks: collectorSettings.crossChecks.parse([{ ...settings, ...more }]) },
      { directory, environment: {}, file: "x" },
    );
  const [crossChecks, startedAt] = [open(), Date.now() - 100 * HOUR];
  let time = startedAt;
  const run = async (changes: RunChanges = {}): Promise<CrossChecked[]> => {
    const checked: CrossChecked[] = [];
    const given = { crossChecks, now: () => time, staleAfter: 1000 * HOUR, ...changes };
    await collector.run({ ...given, onCrossCheck: (one) => void checked.push(one) });
    return checked;
  };
  return {
    ...collector,
    open,
    run,
    pass: (milliseconds: number) => void (time += milliseconds),
    since: (hours: number) => new Date(startedAt + hours * HOUR).toISOString(),
    asked: () => upstream.requests.filter(({ path }) => path === "/witness").length,
    record: async (): Promise<CrossCheckRecord | undefined> => (await readReport(factsIn(store)))?.crossChecks?.[0],
  };
}

test("a cross-check is asked after a change, and daily while it agrees", async () => {
  const { run, pass, asked, upstream } = await startCrossChecking();
  const counts = [];
  for (let hour = 0; hour <= 48; hour += 6) {
    await run();
    counts.push(asked());
    pass(6 * HOUR);
  }
  expect(counts).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3]);
  upstream.set("/releases", json({ macos: macos("3.2.0"), windows: macos("3.2.0") }));
  upstream.set("/witness", json(macos("3.2")));
  expect(await run()).toMatchObject([{ name: "release-macos", result: "agrees", isNew: false }]);
  expect(asked()).toBe(4);
});

test("a daily run asks in each, though one may begin a moment early", async () => {
  const { run, pass, asked } = await startCrossChecking();
  await run();
  pass(24 * HOUR - 800);
  await run();
  expect(asked()).toBe(2);
});

test("a disagreement is told in each run with the time when it began, until the two agree", async () => {
  const { run, pass, upstream, since, record, stored } = await startCrossChecking();
  upstream.set("/witness", json(macos("3.2.0")));
  const told = { name: "release-macos", result: "disagrees", published: "3.1.0", found: "3.2.0", since: since(0) };
  for (const time of ["at once", "an hour later"]) {
    expect(await run(), time).toEqual([{ ...told, witness: expect.stringMatching(/^json 127\.0\.0\.1:\d+$/) }]);
    pass(HOUR);
  }
  // The witness goes on; the published one stands still.
  upstream.set("/witness", json(macos("3.3.0")));
  expect(await run()).toMatchObject([{ ...told, found: "3.3.0" }]);
  expect((await stored("release-macos")).payload).toEqual(vendorRelease("macos"));
  upstream.set("/releases", json({ ...vendorReleases(), macos: macos("3.3.0") }));
  pass(HOUR);
  expect(await run()).toMatchObject([{ result: "agrees", isNew: true }]);
  expect(await record()).not.toHaveProperty("disagreement");
  pass(HOUR);
  expect(await run()).toEqual([]);
});

test("a witness that is late in a week of many releases disagrees anew with each that it has", async () => {
  const { run, pass, upstream, since } = await startCrossChecking();
  for (const [minor, hours] of [
    [2, 0],
    [3, 1],
    [4, 2],
  ] as const) {
    upstream.set("/releases", json({ ...vendorReleases(), macos: macos(`3.${minor}`) }));
    upstream.set("/witness", json(macos(`3.${minor - 1}`)));
    expect(await run()).toMatchObject([{ result: "disagrees", since: since(hours) }]);
    pass(HOUR);
  }
  upstream.set("/releases", json({ ...vendorReleases(), macos: macos("3.5") }));
  expect(await run()).toMatchObject([{ published: "3.5", found: "3.3", since: since(2) }]);
});

test("a witness that cannot be asked is a note, asked again in the next run, and ends no disagreement", async () => {
  const { run, pass, upstream, since, asked } = await startCrossChecking();
  upstream.set("/witness", status(403));
  for (const count of [1, 2]) {
    expect(await run()).toMatchObject([{ result: "unasked", reason: expect.stringMatching(/^answered 403: /) }]);
    expect(asked()).toBe(count);
    pass(HOUR);
  }
  upstream.set("/witness", json(macos("3.2.0")));
  expect(await run()).toMatchObject([{ result: "disagrees", since: since(2) }]);
  upstream.set("/witness", json({ hasUpdate: "perhaps" }));
  pass(HOUR);
  expect(await run()).toMatchObject([{ result: "unasked", reason: expect.stringContaining("hasUpdate") }]);
  upstream.set("/witness", json(macos("3.2.0")));
  pass(HOUR);
  expect(await run()).toMatchObject([{ result: "disagrees", since: since(2) }]);
});

test("a witness that asked for a pause is left alone until it is over, and then asked about the change", async () => {
  const { run, pass, upstream, asked } = await startCrossChecking();
  upstream.set("/witness", status(429, { "retry-after": "7200" }));
  await run();
  upstream.set("/releases", json({ ...vendorReleases(), macos: macos("3.2.0") }));
  pass(HOUR);
  expect(await run()).toEqual([]);
  expect(asked()).toBe(1);
  upstream.set("/witness", json(macos("3.2.0")));
  pass(HOUR);
  expect(await run()).toMatchObject([{ result: "agrees" }]);
});

describe("a witness that cannot be asked any more", () => {
  test.for([
    ["says no", status(401), 2],
    ["asked for a pause", status(429, { "retry-after": "7200" }), 2],
  ] as const)("ends the disagreement once what it had is published: it %s", async ([, answer, requests]) => {
    const { run, pass, upstream, record, asked } = await startCrossChecking();
    upstream.set("/witness", json(macos("v3.2")));
    await run();
    upstream.set("/witness", answer);
    pass(HOUR);
    await run();
    expect(await record()).toHaveProperty("disagreement.found", "v3.2");
    upstream.set("/releases", json({ ...vendorReleases(), macos: macos("3.2.0") }));
    expect(asked()).toBe(requests);
    await run();
    expect(await record()).toMatchObject({ name: "release-macos", unansweredSince: expect.any(String) });
    expect(await record()).not.toHaveProperty("disagreement");
  });

  test.for<[string, (plans: PlansResponse) => void, (plans: PlansResponse) => void, boolean]>([
    ["the price", atPrices(15), atPrices(15), true],
    ["both prices", atPrices(15, 130), atPrices(15, 130), true],
    ["one of two prices", atPrices(15, 130), atPrices(15), false],
    ["another price", atPrices(15), atPrices(1), false],
    ["every price of a plan", raised(15, 130), raised(15, 130), true],
    ["all but the last price", raised(15, 130), raised(15, 130, 120), false],
    ["a year for its twelfth", (copy) => (copy.plans[1]!.annualPrice = 11), yearly(132), true],
    ["another year", (copy) => (copy.plans[1]!.annualPrice = 11), yearly(144), false],
    ["the currency", (copy) => (copy.currency = "CHF"), (copy) => (copy.currency = "chf"), true],
    ["the plans", renamed, renamed, true],
    ["no plans", (copy) => (copy.plans = []), atPrices(15), false],
  ])("or keeps it, after a change of plans: %s", async ([, found, published, isOver]) => {
    const { run, pass, upstream, record } = await startCrossChecking(["plans"]);
    upstream.set("/witness", json(plans(found)));
    await run();
    expect(await record()).toHaveProperty("disagreement");
    upstream.set("/witness", status(401));
    upstream.set("/plans", json(plans(published)));
    pass(HOUR);
    await run();
    expect((await record())?.disagreement === undefined).toBe(isOver);
  });

  test("has its first failure recorded, until it answers", async () => {
    const { run, pass, upstream, record, since } = await startCrossChecking();
    await run();
    expect(await record()).not.toHaveProperty("unansweredSince");
    upstream.set("/witness", status(401));
    for (const hours of [24, 48]) {
      pass(24 * HOUR);
      await run();
      expect(await record(), `${hours}`).toMatchObject({ unansweredSince: since(24) });
    }
    upstream.set("/witness", status(429, { "retry-after": "7200" }));
    await run();
    pass(HOUR);
    await run();
    expect(await record()).toMatchObject({ unansweredSince: since(24) });
    upstream.set("/witness", json(macos("3.2.0")));
    pass(HOUR);
    await run();
    expect(await record()).not.toHaveProperty("unansweredSince");
  });
});

function atPrices(monthly: number, yearly = 120) {
  return ({ plans }: PlansResponse) => void Object.assign(plans[1]!.prices, { monthly, yearly });
}

/** As a vendor raises a plan: more prices than a line has room for. */
function raised(month: number, year: number, annualPrice = year) {
  return (copy: PlansResponse) => {
    atPrices(month, year)(copy);
    Object.assign(copy.plans[1]!, { monthlyPrice: month, annualPrice });
  };
}

function yearly(price: number) {
  return ({ plans }: PlansResponse) => void (plans[1]!.annualPrice = price);
}

function renamed({ plans }: PlansResponse) {
  for (const plan of plans) plan.id += "-2";
}

test("the published fact counts, while its own source fails or its candidate is held", async () => {
  const { run, pass, upstream } = await startCrossChecking();
  upstream.set("/witness", json(macos("3.2.0")));
  await run();
  pass(HOUR);
  upstream.set("/releases", status(403));
  expect(await run()).toMatchObject([{ result: "disagrees", published: "3.1.0" }]);
  upstream.set("/releases", json({ ...vendorReleases(), macos: macos("2.0") }));
  const guard = { confirm: 3, over: HOUR, releaseOver: HOUR, priceFactor: 5, off: [] };
  // Without the guard, it is the candidate that is published.
  const published = isIn("guard") ? "3.1.0" : "2.0";
  expect(await run({ guard })).toMatchObject([{ result: "disagrees", published }]);
});

test("a check that leaves the settings, or is another one now, takes its disagreement along", async () => {
  const { run, pass, upstream, record, since, open } = await startCrossChecking();
  upstream.set("/witness", json(macos("3.2.0")));
  await run();
  expect(await record()).toHaveProperty("disagreement");
  pass(HOUR);
  expect(await run({ crossChecks: open({ pick: "" }) })).toMatchObject([{ since: since(1) }]);
  await run({ crossChecks: [] });
  expect(await record()).toBeUndefined();
});

test("a run of other facts asks no check, and keeps what it found", async () => {
  const { run, pass, upstream, sources, asked, record } = await startCrossChecking();
  upstream.set("/witness", json(macos("3.2.0")));
  await run();
  pass(48 * HOUR);
  expect(await run({ sources: sources.filter(({ names }) => names.includes("plans")) })).toEqual([]);
  expect(asked()).toBe(1);
  expect(await record()).toHaveProperty("disagreement");
});

test("nothing waits for a witness: the facts are published while it hangs, and a stopped run says nothing of it", async () => {
  const { run, upstream, stored, asked, record } = await startCrossChecking();
  upstream.set("/witness", () => {});
  const stop = new AbortController();
  const running = run({ signal: stop.signal });
  await upstream.requested(3);
  expect(asked()).toBe(1);
  expect((await stored("release-macos")).payload).toEqual(vendorRelease("macos"));
  stop.abort();
  expect(await running).toEqual([]);
  expect(await record()).not.toHaveProperty("askedAt");
});

test("one request answers for both platforms, and plans are compared as well", async () => {
  const both = await startCrossChecking(["windows", "macos"]);
  both.upstream.set("/witness", json({ ...vendorReleases(), windows: { hasUpdate: false } }));
  expect(await both.run()).toMatchObject([
    { name: "release-windows", published: "3.1.0", found: "no release" },
    { name: "release-macos", result: "agrees" },
  ]);
  expect(both.asked()).toBe(1);
  const { run, upstream, pass, since } = await startCrossChecking(["plans"]);
  const dearer = (price: number) => json(plans((copy) => (copy.plans[1]!.prices.monthly = price)));
  upstream.set("/witness", dearer(15));
  await run();
  pass(HOUR);
  upstream.set("/witness", dearer(16));
  expect(await run()).toMatchObject([
    { published: "studio monthly 12.5", found: "studio monthly 16", since: since(0) },
  ]);
});

test("a clock that was set back delays no alarm", async () => {
  const { run, pass, upstream, since } = await startCrossChecking();
  upstream.set("/witness", json(macos("3.2.0")));
  await run();
  pass(-48 * HOUR);
  expect(await run()).toMatchObject([{ since: since(-48) }]);
});

test("twelve hours are long, and not a minute less", () => {
  const now = Date.now();
  const since = (hours: number) => ({ since: new Date(now - hours * HOUR).toISOString() });
  expect([needsLook(since(12), now), needsLook(since(11.99), now), needsLook(undefined, now)]).toEqual([
    true,
    false,
    false,
  ]);
});

/** A vendor whose macOS release is cross-checked by /witness. */
async function startCheckedVendor() {
  const vendor = await startVendor();
  const { upstream, directory } = vendor;
  upstream.set("/witness", json(macos("3.2.0")));
  const file = join(directory, "vitrine.config.json");
  const witness = { facts: ["macos"], from: "json", url: upstream.url("/witness"), timeout: "20s" };
  const change = async (crossChecks: unknown) =>
    writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), crossChecks }));
  await change([witness]);
  return { ...vendor, change, witness };
}

/** Lets the disagreement, or the silence, have begun so many hours ago. */
async function age(facts: string, hours: number): Promise<void> {
  const file = join(facts, "last-run.json");
  const report = JSON.parse(await readFile(file, "utf8"));
  const since = new Date(Date.now() - hours * HOUR).toISOString();
  const [record] = report.crossChecks;
  if (record.disagreement) record.disagreement.since = since;
  else record.unansweredSince = since;
  await writeFile(file, JSON.stringify(report));
}

describe("an operator", () => {
  const told =
    /macos +published 3\.1\.0; the cross-check json 127\.0\.0\.1:\d+ has 3\.2\.0 \(disagrees since [\d-]+ [\d:]+ UTC\)/;

  test.runIf(isIn("status", "dry-run", "guard"))(
    "is told at once by collect, status and the dry run, and by the exit code after twelve hours",
    async () => {
      const { directory, facts, upstream } = await startCheckedVendor();
      const run = (...words: string[]) => typeInProcess(words, { directory });
      const dry = await run("collect", "--dry-run");
      expect(dry).toMatchObject({ code: 0, stderr: "" });
      expect(dry.stdout).toMatch(told);
      expect(await run("collect")).toMatchObject({ code: 0, stdout: expect.stringMatching(told), stderr: "" });
      const shown = await run("status");
      expect(shown.code).toBe(0);
      expect(shown.stdout.replaceAll(/\n {6}/g, " ")).toMatch(
        /! macos .* published 3\.1\.0; the cross-check json \S+ has 3\.2\.0 \(disagrees since/,
      );
      await age(facts, 12.1);
      expect((await run("status")).code).toBe(5);
      const { snapshots } = JSON.parse((await run("status", "--json")).stdout);
      expect(snapshots[1].disagreements).toEqual([
        { witness: expect.stringMatching(/^json /), since: expect.any(String), published: "3.1.0", found: "3.2.0" },
      ]);
      expect((await run("collect")).code).toBe(5);
      // A failure, and something held, outrank it.
      upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
      expect((await run("collect")).code).toBe(4);
      expect((await run("status")).code).toBe(4);
      upstream.set("/plans", status(403));
      expect((await run("collect")).code).toBe(1);
      upstream.set("/plans", json(vendorPlans()));
      upstream.set("/witness", json(macos("3.1")));
      expect(await run("collect")).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/✔ macos +the cross-check .* agrees$/m),
      });
      expect((await run("status")).code).toBe(0);
      expect((await run("collect")).stdout).not.toContain("cross-check");
    },
  );

  test.runIf(isIn("status"))(
    "sees in status since when a witness has not answered, from a day on, and with exit code 0",
    async () => {
      const { directory, facts, upstream } = await startCheckedVendor();
      upstream.set("/witness", status(401));
      const run = (...words: string[]) => typeInProcess(words, { directory });
      const shown = async () => {
        const { code, stdout } = await run("status");
        return { code, text: stdout.replaceAll(/\n {6}/g, " ") };
      };
      await run("collect");
      expect(await shown()).toEqual({ code: 0, text: expect.not.stringContaining("cross-check") });
      await age(facts, 23.9);
      expect(await shown()).toEqual({ code: 0, text: expect.not.stringContaining("cross-check") });
      await age(facts, 24 * 90);
      await run("collect");
      const told = /macos .* the cross-check json \S+ has not answered since \d{4}-\d\d-\d\d \d\d:\d\d UTC/;
      expect(await shown()).toEqual({ code: 0, text: expect.stringMatching(told) });
      upstream.set("/witness", json(vendorRelease("macos")));
      expect((await run("collect")).code).toBe(0);
      expect(await shown()).toEqual({ code: 0, text: expect.not.stringContaining("cross-check") });
    },
  );

  test.runIf(isIn("check"))("finds every mistake in the settings by check, and each setting", async () => {
    const { directory, change, witness } = await startCheckedVendor();
    const check = async (crossChecks: unknown) => {
      await change(crossChecks);
      return typeInProcess(["check"], { directory });
    };
    const shown = await check([{ ...witness, headers: { "x-token": "abcdef0123456789abcdef01" } }]);
    expect(shown).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("crossChecks.0.headers.x-token looks like"),
    });
    expect(shown.stdout).toMatch(/crossChecks\.0\.facts +macos +file/);
    expect(shown.stdout).not.toContain("abcdef");
    const wrong: [object, RegExp][] = [
      [{ ...witness, facts: [] }, /crossChecks\.0\.facts +must name at least one of plans, macos and windows/],
      [{ ...witness, facts: ["macos", "macos"] }, /crossChecks\.0\.facts +must not repeat a name/],
      [{ ...witness, facts: ["plans", "macos"] }, /crossChecks\.0\.facts +give the plans a cross-check of their own/],
      [{ ...witness, facts: ["linux"] }, /crossChecks\.0\.facts\.0 /],
      [{ ...witness, schedule: "0 8 * * *" }, /crossChecks\.0\.schedule +goes: a cross-check is asked after a change/],
      [
        { ...witness, headers: { "x-token": "$NOT_SET" } },
        /crossChecks\.0 +the environment variable NOT_SET is not set/,
      ],
      [
        { facts: ["plans"], from: "github", repo: "acme/notes" },
        /crossChecks\.0 +.*"github" provides releases, not plans/,
      ],
      [{ facts: ["macos"], from: "file", path: "gone.json" }, /crossChecks\.0 +gone\.json: the file does not exist/],
      [{ facts: ["macos"], from: "githup", repo: "a/b" }, /crossChecks\.0\.from .*did you mean "github"/],
    ];
    for (const [crossCheck, message] of wrong) {
      const { code, stderr } = await check([crossCheck]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    }
  });
});
