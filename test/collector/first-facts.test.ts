// The guard compares with the newest trace of earlier facts, wherever one is left. Only where there is none are the facts the first.
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { appendHistory } from "../../snapshots/history.ts";
import type { CollectRun } from "../../collector/run/collect.ts";
import { dryRun } from "../../collector/run/dry-run.ts";
import { startCollector } from "../support/collecting/collector.ts";
import { json } from "../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../support/collecting/vendor.ts";
import { startServer } from "../support/serving/server.ts";

const GUARD = { confirm: 3, over: 60_000, releaseOver: 60_000, priceFactor: 5, off: [] };
const HISTORY = { keep: 10, age: 60_000 };
const FIRST = "first facts: nothing to compare with";

/** Publishes twice, with or without a history; then the upstream has an accident with every fact. */
async function startAccident({ history }: { history?: CollectRun["history"] } = {}) {
  const collector = await startCollector();
  const collect = (more: Partial<CollectRun> = {}) => collector.run({ guard: GUARD, history, ...more });
  const first = await collect();
  for (const outcome of Object.values(first)) expect(outcome).toMatchObject({ result: "changed", notes: [FIRST] });
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
      expect(outcomes.plans).toMatchObject({ result: "held", reason: "the currency would change" });
      expect(outcomes["release-macos"]).toMatchObject({ result: "held", reason: "the release would vanish" });
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

test("with no trace left, the collector publishes and says so; so does the dry run", async () => {
  const { collect, remove, sources, store } = await startAccident({ history: HISTORY });
  await remove(() => true);
  const empty = await startServer({ snapshots: [] });
  const known = { mirrored: empty.lastPayload };
  const findings = await dryRun({ sources, store, guard: GUARD, known, signal: new AbortController().signal });
  for (const finding of findings) expect(finding).toMatchObject({ result: "changed", reason: FIRST });
  const outcomes = await collect({ known });
  for (const outcome of Object.values(outcomes)) expect(outcome).toMatchObject({ result: "changed", notes: [FIRST] });
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
  await appendHistory(store, later);
  const entries = (await readdir(join(directory, "history"))).filter((file) => file.startsWith("plans-"));
  await writeFile(join(directory, "history", entries.toSorted().at(-1) ?? ""), "{");
  await remove((file) => file !== "history");
  expect((await collect()).plans.result).toBe("held");
});
