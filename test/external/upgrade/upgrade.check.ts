// Servers, followers and collectors of different versions over one store, replaced one by one in both orders while clients ask:
// nothing but 200. The versions: that of the first commit that writes format 3, this one, and a collector of one to come, whose
// documents have fields that neither knows.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { collect } from "../../../collector/run/collect.ts";
import { openSources } from "../../../collector/settings.ts";
import { productOf } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { afterTests } from "../../support/clean-up.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { newerStore } from "../../support/newer-store.ts";
import { freePort } from "../../support/port.ts";
import { PROGRAM, startProgram, type Program } from "../../support/program/program.ts";
import { launch } from "../../support/program/run.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { NO_REDIS, startRedis } from "../../support/redis.ts";
import { startAsking } from "../../support/serving/asking.ts";
import { FACTS, SHARED } from "../../support/serving/prepared-targets.ts";
import { isOk, pollUntil } from "../../support/serving/server.ts";
import { partsOf } from "../../support/collecting/parts.ts";
import { factsIn } from "../../support/snapshot.ts";
import { vendorPlans, vendorReleases } from "../../support/collecting/vendor.ts";
import { print } from "../bench/statistics.ts";
import { firstVersion } from "./first-version.ts";

type Version = "first" | "this" | "to come";
/** Programs are replaced, also by the same version, which is a restart. */
type Step = { servers: Exclude<Version, "to come"> } | { collect: Version };

const ORDERS: Record<string, readonly Step[]> = {
  "servers first": [
    { servers: "this" },
    { collect: "first" },
    { collect: "this" },
    { servers: "this" },
    { collect: "to come" },
    { servers: "this" },
  ],
  "the collector first, and back again": [
    { collect: "this" },
    { servers: "first" },
    { collect: "to come" },
    { servers: "first" },
    { servers: "this" },
    { collect: "first" },
    { servers: "this" },
    { servers: "first" },
  ],
};
const STORES = {
  files: () => temporaryDirectory(),
  Redis: async () => (await startRedis(onTestFinished)).location(),
};
const TARGETS = [...FACTS, ...SHARED];
const NAME = "Acme Notes";

const onFinished = afterTests();
/** Node's arguments that run them. */
const programs = { this: PROGRAM, first: PROGRAM };
let missing: string | undefined;
beforeAll(async () => {
  const first = await firstVersion(onFinished);
  if ("missing" in first) missing = first.missing;
  else programs.first = first.program;
  print(
    missing === undefined
      ? `the first version with format 3: ${"commit" in first ? first.commit : ""}`
      : `skipped: ${missing}`,
  );
}, 300_000);

/** Two servers over a store, a third that they do not know, and a server that follows that one; all are asked all the time. */
async function startFleet(SNAPSHOTS: string) {
  const settings = { api: { name: NAME }, share: true, guard: false };
  const file = (path: string) => ({ from: "file" as const, path });
  const sources = { plans: file("plans.json"), releases: file("releases.json") };
  const directory = await settingsDirectory({ ...settings, ...sources });
  const port = String(await freePort());
  const start = (version: "first" | "this", environment: Record<string, string>) =>
    startProgram(["serve"], { directory, environment, program: programs[version] });
  const followed = { SNAPSHOTS: `http://127.0.0.1:${port}/snapshots/` };
  /** Those that clients ask. */
  const live: Program[] = [];
  let shared: Program | undefined;

  const underWay = new Set<Promise<unknown>>();
  const ask = (_: number, count: number) => {
    const asked = live[count % live.length]!.get(TARGETS[count % TARGETS.length]!);
    underWay.add(asked);
    return asked.finally(() => underWay.delete(asked));
  };

  let revision = 0;
  const fleet = {
    /** Runs a collector that publishes something new, and waits until the servers over the store have it. */
    async collect(version: Version) {
      const price = ++revision;
      const { plans, ...rest } = vendorPlans();
      const priced = { ...rest, plans: plans.map((plan) => ({ ...plan, annualPrice: price })) };
      await writeFile(join(directory, "plans.json"), JSON.stringify(priced));
      await writeFile(join(directory, "releases.json"), JSON.stringify(vendorReleases()));
      if (version === "to come") await collectNewer();
      else expect(await run(version, "collect")).toMatchObject({ code: 0, stderr: "" });
      for (const program of live.slice(0, 2)) {
        await pollUntil(
          () => program.get("/api/v1/plans"),
          ({ text }) => text.includes(`"annualPrice":${price},`),
        );
      }
    },
    /** Replaces every server: the new one first gets all facts, then the requests; the old one finishes what it has begun. */
    async replaceAll(version: "first" | "this") {
      shared?.signal("SIGTERM");
      await shared?.exited;
      shared = await start(version, { SNAPSHOTS, PORT: port });
      for (const [index, environment] of [{ SNAPSHOTS }, { SNAPSHOTS }, followed].entries()) {
        const old = live[index];
        const program = await start(version, environment);
        await pollUntil(() => program.get("/healthz"), isOk);
        const before = [...underWay];
        live[index] = program;
        await Promise.allSettled(before);
        old?.signal("SIGTERM");
        if (old) expect([await old.exited, old.errors()]).toEqual([0, ""]);
      }
    },
    /** Both versions read all that is in the store. */
    async expectReadable() {
      for (const version of ["first", "this"] as const) {
        const status = await run(version, "status", "--json");
        expect({ ...status, stdout: status.stdout.match(/damage|lastError|"result"/g) }).toEqual({
          code: 0,
          stdout: Array(3).fill('"result"'),
          stderr: "",
        });
        const { stdout } = await run(version, "history", "plans", "--json");
        expect(stdout.match(/"revision"/g)).toHaveLength(revision);
      }
    },
    startAsking: () => startAsking(ask, { clients: 4, pauseMs: 2 }),
    live,
  };

  function run(version: "first" | "this", ...words: string[]) {
    const [script = "", ...before] = programs[version];
    return launch(script, [...before, ...words], { directory, environment: { SNAPSHOTS } }).ended;
  }

  async function collectNewer() {
    const store = newerStore(openStore(SNAPSHOTS));
    const facts = factsIn(store, { product: productOf(NAME) });
    const opened = openSources(sources, { directory, environment: {}, file: "vitrine.config.json" });
    const parts = partsOf({ history: { keep: 10, age: 1e9 } });
    const common = { facts, staleAfter: 60_000, ...parts, onOutcome: () => {} };
    const outcomes = await collect({ ...common, sources: opened, signal: new AbortController().signal });
    expect(outcomes).not.toContainEqual(expect.objectContaining({ result: "failed" }));
    await store.close();
  }
  return fleet;
}

describe.for(Object.entries(STORES).filter(([name]) => name === "files" || NO_REDIS === undefined))(
  "over %s",
  ([, location]) => {
    test.for(Object.entries(ORDERS))("%s: nothing but 200", async ([, steps], { skip }) => {
      if (missing !== undefined) skip(missing);
      const fleet = await startFleet(await location());
      await fleet.collect("first");
      await fleet.replaceAll("first");
      const { end } = fleet.startAsking();
      for (const step of steps) {
        if ("servers" in step) await fleet.replaceAll(step.servers);
        else {
          await fleet.collect(step.collect);
          await fleet.expectReadable();
        }
      }
      const { count, others } = await end();
      expect(others).toEqual([]);
      expect(count).toBeGreaterThan(100);
      for (const program of fleet.live) expect(program.errors()).toBe("");
    });
  },
);
