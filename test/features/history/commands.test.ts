// The history: each change is kept once, within bounds, through crashes and damage. The commands `history` and `diff`.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { previousKey, publish, readSnapshot } from "../../../snapshots/facts.ts";
import { encodeSnapshot, type Payload, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { historyPlaceOf, parseHistoryPlace, type HistoryEntry } from "../../../snapshots/features/history/entry.ts";
import { appendHistory, pruneHistory } from "../../../snapshots/features/history/history.ts";
import { listHistory, readHistory } from "../../../snapshots/features/history/timeline.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { StoreError, type Store } from "../../../snapshots/store.ts";
import { openFileStore } from "../../../snapshots/stores/files/file-store.ts";
import { anotherMillisecond, startCollector } from "../../support/collecting/collector.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { faultyFs, steppedFs, systemError } from "../../support/faulty-fs.ts";
import { runInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { startVendor } from "../../support/program/settings.ts";
import { factsIn, NOW, plansSnapshot, resealed } from "../../support/snapshot.ts";
import { json } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorRelease } from "../../support/collecting/vendor.ts";

const DAY = 24 * 60 * 60_000;
const history = { keep: 100, age: 400 * DAY };

async function entries(store: Store, name?: SnapshotName): Promise<HistoryEntry[]> {
  const all: HistoryEntry[] = [];
  for (const entry of await readHistory(factsIn(store), name)) all.push(entry);
  return all;
}

/** A store with `count` revisions of the plans in its history, a day apart, the newest at NOW. */
async function storeWith(count: number) {
  const directory = await temporaryDirectory();
  const store = openStore(directory);
  for (let revision = 1; revision <= count; revision++) {
    await appendHistory(factsIn(store), plansSnapshot({ revision, confirmedAt: NOW - (count - revision) * DAY }));
  }
  return { directory, store, path: (revision: number) => pathOf(directory, revision, NOW - (count - revision) * DAY) };
}

function pathOf(directory: string, revision: number, time: number): string {
  return join(directory, historyPlaceOf({ name: "plans", revision, changedAt: new Date(time).toISOString() }).key);
}

const revisions = (all: readonly { revision: number }[]) => all.map(({ revision }) => revision);

function priced(price: number) {
  const plans = vendorPlans();
  plans.plans[1]!.prices.monthly = price;
  return plans;
}

describe("a run", () => {
  test("keeps each change with its payload and description, and no confirmation", async () => {
    const { upstream, run, store, stored } = await startCollector();
    await run({ history });
    await anotherMillisecond();
    upstream.set("/plans", json(priced(13)));
    await run({ history });
    await run({ history });
    const { revision, changedAt, sha256, payload } = await stored("plans");
    const [, first] = await entries(store, "plans");
    expect(await entries(store, "plans")).toEqual([
      {
        name: "plans",
        revision,
        changedAt,
        sha256,
        payload,
        changes: ["plans: studio monthly 12.5 → 13"],
        differences: [{ kind: "price", plan: "studio", key: "monthly", before: 12.5, after: 13 }],
        before: {
          revision: 1,
          changedAt: first!.changedAt,
          confirmedAt: first!.changedAt,
          freshUntil: expect.stringMatching(/Z$/),
          sha256: first!.sha256,
        },
      },
      expect.objectContaining({
        revision: 1,
        payload: vendorPlans(),
        changes: [expect.stringContaining("first time")],
      }),
    ]);
    expect(await entries(store, "release-macos")).toMatchObject([
      { revision: 1, payload: vendorRelease("macos"), changes: ["macos 3.1.0, for the first time"] },
    ]);
  });

  test("keeps at most `keep` changes, and none for 0", async () => {
    const { upstream, run, store } = await startCollector();
    for (const price of [1, 2, 3, 4]) {
      upstream.set("/plans", json(priced(price)));
      await anotherMillisecond();
      await run({ history: { ...history, keep: 2 } });
    }
    expect(revisions(await entries(store, "plans"))).toEqual([4, 3]);
    await run({ history: { ...history, keep: 0 } });
    expect(await listHistory(factsIn(store))).toEqual([]);
  });

  test("records a change that a crash left out after publishing", async () => {
    const { upstream, run, store } = await startCollector();
    await run({ history });
    await anotherMillisecond();
    upstream.set("/plans", json(priced(13)));
    await run();
    expect(revisions(await entries(store, "plans"))).toEqual([1]);
    await anotherMillisecond();
    // The next change comes before the missed one is kept.
    upstream.set("/plans", json(priced(14)));
    await run({ history });
    expect((await entries(store, "plans")).map(({ changes }) => changes[0])).toEqual([
      "plans: studio monthly 13 → 14",
      "plans: studio monthly 12.5 → 13",
      expect.stringContaining("first time"),
    ]);
  });

  test("rewrites a damaged newest change", async () => {
    const { directory, run, store, stored } = await startCollector();
    await run({ history });
    await writeFile(join(directory, historyPlaceOf(await stored("plans")).key), "{");
    expect(await entries(store, "plans")).toEqual([]);
    await run({ history });
    expect(revisions(await entries(store, "plans"))).toEqual([1]);
  });

  test("does not fail when the disk has no room for the history, and notes it", async () => {
    const { directory, run, store, stored } = await startCollector();
    const fs = steppedFs(async (step, call, args) => {
      if (step === "rename" && String(args[1]).includes("history")) throw systemError("ENOSPC", step);
      return call(...args);
    });
    const { plans } = await run({ history, store: openFileStore(directory, fs) });
    expect(plans).toMatchObject({
      result: "changed",
      notes: ["its history is not up to date: could not be written (ENOSPC)"],
    });
    expect((await stored("plans")).payload).toEqual(vendorPlans());
    expect((await readdir(directory)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect((await run({ history })).plans).toMatchObject({ result: "confirmed", notes: [] });
    expect(revisions(await entries(store))).toEqual([1, 1, 1]);
  });
});

describe("the history", () => {
  test("drops changes that are too old, but never the newest", async () => {
    const { store } = await storeWith(5);
    await pruneHistory(factsIn(store, { now: NOW }), "plans", { keep: 100, age: 2.5 * DAY });
    expect(revisions(await listHistory(factsIn(store)))).toEqual([5, 4, 3]);
    await pruneHistory(factsIn(store, { now: NOW + 1_000 * DAY }), "plans", { keep: 100, age: DAY });
    expect(revisions(await listHistory(factsIn(store)))).toEqual([5]);
  });

  const DAMAGES: [damage: string, damage: (text: string) => string | Uint8Array][] = [
    ["empty", () => ""],
    ["half written", (text) => text.slice(0, text.length / 2)],
    ["not UTF-8", () => Buffer.from([0xff, 0xfe])],
    ["of another revision", (text) => text.replace('"revision":2', '"revision":3')],
    ["of another time", (text) => text.replace(/"changedAt":"2026/, '"changedAt":"2025')],
    ["of another price", (text) => text.replace('"monthlyPrice":2', '"monthlyPrice":3')],
    ["of another shape", (text) => text.replace('"currency"', '"private"')],
    ["of a future format", (text) => text.replace('"format":1', '"format":2')],
    ["with terminal escape sequences", (text) => text.replace('"changes":["', '"changes":["\\u001b[2J')],
    ["endless", () => " ".repeat(3 * 1024 * 1024)],
  ];
  test.for(DAMAGES)("skips an entry that is %s", async ([, damage]) => {
    const { store, path } = await storeWith(3);
    const text = await readFile(path(2), "utf8");
    expect(damage(text)).not.toBe(text);
    await writeFile(path(2), damage(text));
    expect(revisions(await entries(store))).toEqual([3, 1]);
  });

  test("reads what it knows of an entry to which a newer version has added, and leaves the rest in the file", async () => {
    const { store, path } = await storeWith(3);
    const text = (await readFile(path(2), "utf8")).replace(
      '"format":1',
      '"format":1,"until":"2026-03-01","proof":"x.y.z"',
    );
    await writeFile(path(2), text);
    expect(revisions(await entries(store))).toEqual([3, 2, 1]);
    await pruneHistory(factsIn(store, { now: NOW }), "plans", { keep: 2, age: Infinity });
    await appendHistory(factsIn(store), plansSnapshot({ revision: 2, confirmedAt: NOW - DAY }));
    expect(await readFile(path(2), "utf8")).toBe(text);
  });

  test("ignores other files in its folder", async () => {
    const { directory, store } = await storeWith(1);
    for (const name of ["notes.txt", "plans-r1.json", "other-2026-01-01t00-00-00-000z-r1.json", ".plans.tmp"]) {
      await writeFile(join(directory, "history", name), "{}");
    }
    await mkdir(join(directory, "history/plans-2026-01-01t00-00-00-000z-r7.json"));
    expect(revisions(await entries(store))).toEqual([1]);
  });

  test("keeps only the description of a change if the payload is too large", async () => {
    const store = openStore(await temporaryDirectory());
    await appendHistory(factsIn(store), plansSnapshot({ revision: 1, plans: 10_000 }));
    const [large] = await entries(store);
    expect(large).toMatchObject({ revision: 1, payload: undefined });
    expect(large?.changes[0]?.length).toBeLessThanOrEqual(300);
    expect(large?.changes[0]).toMatch(/ …$/);
  });

  test("keeps a bounded number of lines", async () => {
    const store = openStore(await temporaryDirectory());
    for (const revision of [1, 2])
      await appendHistory(factsIn(store), plansSnapshot({ revision, plans: 30, confirmedAt: NOW + revision }));
    const [{ changes } = { changes: [] }] = await entries(store);
    expect(changes).toHaveLength(21);
    expect(changes.at(-1)).toMatch(/^and \d+ more$/);
  });

  test("has one entry for a snapshot that is recorded twice", async () => {
    const { directory, store } = await storeWith(2);
    const files = async () =>
      Promise.all([1, 2].map((revision) => readFile(pathOf(directory, revision, NOW - (2 - revision) * DAY))));
    const before = await files();
    await appendHistory(factsIn(store), plansSnapshot({ revision: 2 }));
    await appendHistory(factsIn(store), plansSnapshot({ revision: 1, confirmedAt: NOW - DAY }));
    expect(await files()).toEqual(before);
  });

  test("has the last confirmation only of the revision right before, whatever the previous copy is of", async () => {
    const store = openStore(await temporaryDirectory());
    const [first, second, third] = [1, 2, 3].map((revision) =>
      plansSnapshot({ revision, confirmedAt: NOW + revision }),
    );
    await appendHistory(factsIn(store), first!);
    await store.put(previousKey("plans"), encodeSnapshot(first!));
    await appendHistory(factsIn(store), second!);
    await appendHistory(factsIn(store), third!);
    expect((await entries(store)).map(({ before }) => before?.revision)).toEqual([undefined, 1, undefined]);
  });

  test("is complete or absent, whichever step of writing fails", async () => {
    for (let failAt = 1, finished = false; !finished; failAt++) {
      const { directory, store } = await storeWith(1);
      const { fs, steps } = faultyFs({ failAt, code: "EIO" });
      const next = plansSnapshot({ revision: 2, confirmedAt: NOW + 1 });
      const failure = await appendHistory(factsIn(openFileStore(directory, fs)), next).catch((error: unknown) => error);
      finished = steps.length < failAt;
      if (failure !== undefined) expect(failure, steps[failAt - 1]).toBeInstanceOf(StoreError);
      expect([[1], [2, 1]], steps[failAt - 1]).toContainEqual(revisions(await entries(store)));
      if (finished) expect(revisions(await entries(store))).toEqual([2, 1]);
    }
  });
});

test.for([
  "history/plans-2026-02-30t00-00-00-000z-r1.json",
  "history/plans-2026-01-01t00-00-00-000z-r0.json",
  "history/plans-2026-01-01t00-00-00-000z-r01.json",
  "history/secrets-2026-01-01t00-00-00-000z-r1.json",
  "plans.json",
])("%s is not a key of the history", (key) => {
  expect(parseHistoryPlace(key)).toBeUndefined();
});

describe("the commands", () => {
  /** Three prices, then another release of macOS. */
  async function vendor() {
    const { upstream, directory, facts } = await startVendor();
    await runInProcess(["collect"], directory);
    const store = openStore(facts);
    const change = async (name: SnapshotName, payload: Payload) => {
      const last = await readSnapshot(factsIn(store), name);
      if (last.state !== "found") throw new Error("nothing published");
      const next = resealed(last.snapshot, payload);
      next.revision++;
      next.changedAt = next.confirmedAt = new Date(Date.parse(last.snapshot.changedAt) + 60_000).toISOString();
      await publish(store, next, last);
      await appendHistory(factsIn(store), next);
    };
    await change("plans", priced(13));
    await change("plans", priced(14));
    const release = vendorRelease("macos");
    await change("release-macos", { ...release, latest: { ...release.latest, version: "3.2.0" } });
    const ask = async (...words: string[]) => typeInProcess(words, { directory });
    return { upstream, directory, facts, ask };
  }

  test("show the kept changes, as text and as JSON", async () => {
    const { ask, facts } = await vendor();
    const all = await ask("history");
    expect(all).toMatchObject({ code: 0, stderr: "" });
    expect(all.stdout).toMatch(/^ {2}time \(UTC\) +name +r +what changed\n/);
    expect(all.stdout).toMatch(/^ {2}\d{4}-\d\d-\d\d \d\d:\d\d {3}plans +3 {3}plans: studio monthly 13 → 14$/m);
    expect(all.stdout).toMatch(/macos +2 {3}macos 3\.1\.0 → 3\.2\.0$/m);
    const { changes } = JSON.parse((await ask("history", "plans", "--json")).stdout);
    expect(revisions(changes)).toEqual([3, 2, 1]);
    expect(changes[0]).toEqual({
      name: "plans",
      revision: 3,
      changedAt: expect.stringMatching(/Z$/),
      changes: ["plans: studio monthly 13 → 14"],
    });
    expect(JSON.parse((await ask("history", "--json")).stdout).changes).toHaveLength(6);

    const last = await ask("diff", "plans");
    expect(last).toMatchObject({ code: 0, stderr: "" });
    expect(last.stdout).toMatch(/^ {2}plans {3}2 \(.* UTC\) → 3 \(.* UTC\)\n {4}plans: studio monthly 13 → 14\n$/);
    expect((await ask("diff", "plans", "1")).stdout).toContain("plans: studio monthly 12.5 → 14");
    expect((await ask("diff", "plans", "r1", "2")).stdout).toContain("plans: studio monthly 12.5 → 13");
    expect((await ask("diff", "plans", "2", "2")).stdout).toContain("no difference");
    expect((await ask("diff", "macos")).stdout).toContain("macos 3.1.0 → 3.2.0");
    expect((await ask("diff", "release-windows")).stdout).toContain("windows 3.1.0, for the first time");
    const { differences } = JSON.parse((await ask("diff", "plans", "1", "2", "--json")).stdout);
    expect(differences).toMatchObject([
      { name: "plans", from: { revision: 1, payload: vendorPlans() }, to: { payload: priced(13) } },
    ]);
    const [first] = await listHistory(factsIn(openStore(facts)), "release-windows");
    const since = await ask("diff", new Date(Date.parse(first!.changedAt) + 1_000).toISOString());
    expect(since.stdout).toContain("plans: studio monthly 12.5 → 14");
    expect(since.stdout).toContain("no difference");
    const next = JSON.parse((await ask("diff", "--json")).stdout);
    expect(next.differences).toHaveLength(3);
  });

  test("compare with a time before the oldest entry", async () => {
    const { ask, facts } = await vendor();
    const since = await ask("diff", "plans", "2001-01-01");
    expect(since).toMatchObject({ code: 0, stderr: "" });
    expect(since.stdout).toMatch(/^ {2}plans {3}nothing → 3 \(.* UTC\)\n {4}plans: hobby, studio, for the first time/);
    const [newest, , first] = await listHistory(factsIn(openStore(facts)), "plans");
    await rm(join(facts, first!.key));
    const pruned = await ask("diff", "2001-01-01");
    expect(pruned).toMatchObject({ code: 0, stderr: "" });
    expect(pruned.stdout).toMatch(
      /^ {2}plans {3}2 .* → 3 .*\n {4}the history of plans does not reach back to 2001-01-01 00:00: compared with its oldest entry\n {4}plans: studio monthly 13 → 14$/m,
    );
    expect(pruned.stdout).toMatch(/^ {2}windows {3}nothing → 1 /m);
    const { differences } = JSON.parse((await ask("diff", "plans", "2001-01-01", newest!.changedAt, "--json")).stdout);
    expect(differences).toMatchObject([{ from: { revision: 2 }, to: { revision: 3 }, note: expect.any(String) }]);
  });

  test("list the alternatives for arguments that match nothing", async () => {
    const { ask, facts } = await vendor();
    const SLIPS: [words: string[], hint: RegExp][] = [
      [["diff", "plan"], /no snapshot is named "plan"; did you mean plans\? \(plans, macos, windows\)/],
      [["history", "linux"], /no snapshot is named "linux" \(plans, macos, windows\)/],
      [["diff", "plans", "7"], /revision 7 of plans is not kept; kept: 3 \(.*\), 2 \(.*\), 1 \(/],
      [
        ["diff", "plans", "2001-01-01", "2001-02-01"],
        /the history of plans does not reach back to 2001-02-01 00:00; kept: 3 \(/,
      ],
      [["history", "2026-01-01"], /"2026-01-01" is a date; use: .*diff (-- )?2026-01-01/m],
      [["history", "r3"], /"r3" is a revision; use: .*diff (-- )?plans r3/m],
      [["diff", "plans", "2026-02-30"], /"2026-02-30" is neither a revision nor a date/],
      [["diff", "plans", "0"], /"0" is neither a revision nor a date/],
      [["diff", "3"], /revision 3 of which snapshot\? \(.*diff (-- )?plans 3/],
      [["diff", "plans", "1", "2", "3"], /unexpected argument: diff takes 3 /],
      [["history", "plans", "3"], /unexpected argument: history takes 1 /],
      [["diff", "2026-01-01", "2026-01-02", "2026-01-03"], /at most two revisions or dates can be compared/],
    ];
    const ended = await Promise.all(SLIPS.map(async ([words]) => ask(...words)));
    for (const [index, { code, stdout, stderr }] of ended.entries()) {
      expect({ code, stdout }, SLIPS[index]![0].join(" ")).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(SLIPS[index]![1]);
    }
    const [newest] = await listHistory(factsIn(openStore(facts)), "plans");
    await writeFile(join(facts, newest!.key), "{");
    expect(await ask("diff", "plans", "3")).toMatchObject({ code: 2, stderr: expect.stringContaining("is damaged") });
    expect((await ask("diff", "plans")).stdout).toContain("plans: studio monthly 12.5 → 13");
    expect(await ask("history")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("1 of the files in history/ are damaged"),
    });
    for (const { key } of await listHistory(factsIn(openStore(facts)))) await writeFile(join(facts, key), "{");
    const damaged = await ask("history");
    expect(damaged).toMatchObject({ code: 0, stdout: "", stderr: expect.not.stringContaining("is empty") });
    await rm(join(facts, "history"), { recursive: true });
    expect(await ask("history")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("the history is empty"),
    });
    expect(JSON.parse((await ask("history", "--json")).stdout)).toEqual({ changes: [] });
    expect(await ask("diff")).toMatchObject({ code: 3, stdout: "" });
    const inJson = await ask("diff", "plans", "--json");
    expect([inJson.code, JSON.parse(inJson.stdout)]).toEqual([3, { problems: ["the history of plans is empty"] }]);
  });

  test("take a change back by its time, and show its place", async () => {
    const { ask, facts } = await vendor();
    const [present, mistake] = await listHistory(factsIn(openStore(facts)), "plans");
    const SLIPS: [place: string, hint: string][] = [
      ["plans", '"plans" is not NAME@TIME, such as plans@2026-11-01T09:30:00.000Z'],
      ["plans@2", '"plans@2" is not NAME@TIME'],
      ["plan@2026-11-01", 'no snapshot is named "plan"; did you mean plans?'],
      ["macos@2026-01-01", "no change is kept at macos@2026-01-01T00:00:00.000Z; kept: macos@20"],
      [`plans@${present!.changedAt}`, "is the present revision: it can be taken back when another one is published"],
    ];
    for (const [place, hint] of SLIPS) {
      const { code, stdout, stderr } = await ask("history", "--forget", place);
      expect({ code, stdout }, place).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(hint);
    }
    const claim = await openStore(facts).claim();
    const busy = await ask("history", "--forget", `plans@${mistake!.changedAt}`);
    expect(busy).toMatchObject({ code: 75, stderr: expect.stringContaining("another run is in progress") });
    await claim?.release();

    const done = await ask("history", "plans", "--forget", `plans@${mistake!.changedAt}`);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toMatch(/plans +2 {3}taken back\n/);
    expect(done.stdout).toContain("plans: studio monthly 12.5 → 14");
    expect(await ask("history", "--forget", `plans@${mistake!.changedAt}`)).toMatchObject({ code: 0 });
    for (const name of ["macos", "release-macos", "releases/macos"])
      expect((await ask("history", "--forget", `${name}@2026-01-01`)).stderr).toContain("no change is kept at macos@");
    expect(await ask("diff", "plans", "2")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("revision 2 of plans was taken back"),
    });
    expect((await ask("diff", "plans")).stdout).toContain("plans: studio monthly 12.5 → 14");
    const { changes } = JSON.parse((await ask("history", "plans", "--json")).stdout);
    expect(changes[1]).toEqual({
      name: "plans",
      revision: 2,
      changedAt: mistake!.changedAt,
      changes: [],
      takenBack: true,
    });
  });
});
