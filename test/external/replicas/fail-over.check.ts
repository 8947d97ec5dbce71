// Two built collectors on one store: one run in each slot, and the other collector goes on after the one at work is killed.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { json, startUpstream } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../../support/collecting/vendor.ts";
import { startProgram } from "../../support/program/program.ts";
import { launch } from "../../support/program/run.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { NO_REDIS, startRedis } from "../../support/redis.ts";

const SLOT_MS = 5_000;
/** Slots with both collectors. */
const SLOTS = 3;
/** A claim lasts 30 s without a sign, and the next slot begins at most 5 s later. The rest is for a busy machine. */
const FAIL_OVER_MS = 60_000;
/** How long the upstream takes, so that two runs of a slot overlap. */
const UPSTREAM_MS = 500;
const NAMES = ["one", "two"] as const;

test.skipIf(NO_REDIS !== undefined)("two collectors make one run in each slot, and one goes on alone", async () => {
  const redis = await startRedis(onTestFinished);
  const environment = { SNAPSHOTS: redis.location() };
  const upstream = await startRisingUpstream();
  const settingsOf = (name: string) => {
    const from = (path: string) => ({ from: "json", url: upstream.url(path), headers: { "x-collector": name } });
    const schedule = `*/${SLOT_MS / 1_000} * * * * *`;
    return { product: "acme-notes", plans: from("/plans"), releases: from("/releases"), schedule, guard: false };
  };
  const collectors = new Map<string, ReturnType<typeof launch>>();
  for (const name of NAMES) {
    const directory = await settingsDirectory(settingsOf(name));
    const collector = launch("vitrine", ["collect", "--watch"], { directory, environment });
    collectors.set(name, collector);
    const said = () => collector.output.stdout + collector.output.stderr;
    await expect.poll(said, { timeout: FAIL_OVER_MS }).toMatch(/Collected in|run skipped/);
  }
  const { get } = await startProgram(["serve"], {
    directory: await settingsDirectory(settingsOf("server")),
    environment,
  });

  const firstSlot = slotOf(Date.now()) + 1;
  const last = await upstream.nextRun(({ at }) => slotOf(at) >= firstSlot + SLOTS);
  // It holds the claim.
  await collectors.get(last.by)?.stop("SIGKILL");
  const slots = upstream.runs.map(({ at }) => slotOf(at)).filter((slot) => slot >= firstSlot);
  expect(slots).toEqual([...new Set(slots)]);

  let next: Run | undefined;
  void upstream.nextRun(({ by }) => by !== last.by).then((run) => (next = run));
  const latest = Date.now() + FAIL_OVER_MS;
  for (let before = 0; next === undefined || before < next.price; await sleep(20)) {
    expect(Date.now(), "the other collector has published").toBeLessThan(latest);
    const { plans } = (await get("/api/v1/plans")).json() as { plans: { monthlyPrice: number }[] };
    expect(plans[0]?.monthlyPrice).toBeGreaterThanOrEqual(before);
    before = plans[0]?.monthlyPrice ?? 0;
  }
});

/** `at`: in ms since the epoch. `price`: published if the run succeeds. `by`: the collector. */
interface Run {
  at: number;
  price: number;
  by: string;
}

function slotOf(time: number): number {
  return Math.floor(time / SLOT_MS);
}

/** An upstream whose price rises with each run. */
async function startRisingUpstream() {
  const runs: Run[] = [];
  const waiting = new Set<(run: Run) => void>();
  const upstream = await startUpstream();
  upstream.set("/plans", (incoming, response) => {
    const run = { at: Date.now(), price: runs.length + 1, by: String(incoming.headers["x-collector"]) };
    runs.push(run);
    for (const look of waiting) look(run);
    const { plans, ...rest } = vendorPlans();
    const answer = json({ ...rest, plans: plans.map((plan) => ({ ...plan, monthlyPrice: run.price })) });
    setTimeout(() => answer(incoming, response), UPSTREAM_MS);
  });
  upstream.set("/releases", json(vendorReleases()));
  /** The next run for which `isWanted` holds. */
  const nextRun = (isWanted: (run: Run) => boolean): Promise<Run> =>
    new Promise((resolve) => {
      const look = (run: Run) => void (isWanted(run) && waiting.delete(look) && resolve(run));
      waiting.add(look);
    });
  return { url: upstream.url, runs, nextRun };
}
