// How often upstreams are asked: not before a requested pause is over, conditionally, and each on its own schedule. A
// restart keeps all of it.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fingerprintsOf } from "../../../collector/settings.ts";
import { requestedPause } from "../../../collector/http/errors.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { readReport } from "../../../snapshots/records.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { startCollector, type RunChanges } from "../../support/collecting/collector.ts";
import { KINDS } from "../../support/collecting/kinds.ts";
import { KEY } from "../../support/collecting/stripe.ts";
import { isIn } from "../../support/program/feature.ts";
import { runInProcess } from "../../support/program/in-process.ts";
import { launch } from "../../support/program/run.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { inTurn, json, startUpstream, status } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../../support/collecting/vendor.ts";
import { factsIn } from "../../support/snapshot.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const others = new Map(SNAPSHOT_NAMES.map((name) => [name, "other settings"]));

/** A collector with a clock that the test sets. Between its runs, only the store keeps anything. */
async function startRestarting() {
  const collector = await startCollector();
  let time = Date.now() - 2 * DAY;
  const { upstream, run } = collector;
  return {
    ...collector,
    pass: (milliseconds: number) => void (time += milliseconds),
    run: (changes: RunChanges = {}) => run({ staleAfter: DAY, now: () => time, ...changes }),
    asked: () => upstream.requests.filter(({ path }) => path === "/plans").length,
  };
}

describe("an upstream that asks for a pause (collector/features/upstream-state/upstream-state.ts)", () => {
  test("is skipped by the next runs, which keep its snapshot, and then asked again", async () => {
    const { upstream, run, pass, asked, files } = await startRestarting();
    await run();
    const before = await files();
    upstream.set("/plans", inTurn(status(503, { "retry-after": "600" }), json(vendorPlans())));
    expect((await run()).plans).toMatchObject({ result: "failed", reason: "answered 503", isKept: true });
    expect(asked()).toBe(2);
    pass(9 * MINUTE);
    const skipped = await run();
    expect(skipped.plans).toMatchObject({ result: "failed", isKept: true, isPaused: true });
    expect(skipped.plans).toHaveProperty(
      "reason",
      expect.stringMatching(/^skipped: the upstream asks to wait until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
    );
    expect(skipped["release-macos"].result).toBe("confirmed");
    expect(asked()).toBe(2);
    expect((await files())["plans.json"]).toBe(before["plans.json"]);
    pass(MINUTE + 1);
    expect((await run()).plans.result).toBe("confirmed");
    expect(asked()).toBe(3);
  });

  test("is asked if an operator wants it now, and keeps its pause if that fails", async () => {
    const { upstream, run, pass, asked } = await startRestarting();
    const now = (name: SnapshotName) => ({ askNow: new Set([name]) });
    upstream.set(
      "/plans",
      inTurn(
        status(503, { "retry-after": "600" }),
        status(404),
        status(429, { "retry-after": "1200" }),
        json(vendorPlans()),
      ),
    );
    await run();
    expect((await run(now("release-macos"))).plans).toHaveProperty("reason", expect.stringContaining("skipped"));
    expect(asked()).toBe(1);
    expect((await run(now("plans"))).plans).toHaveProperty("reason", "answered 404: nothing is at this address");
    expect((await run()).plans).toHaveProperty("reason", expect.stringContaining("skipped"));
    expect(asked()).toBe(2);
    await run(now("plans"));
    pass(11 * MINUTE);
    expect((await run()).plans).toHaveProperty("reason", expect.stringContaining("skipped"));
    expect(asked()).toBe(3);
    expect((await run(now("plans"))).plans.result).toBe("changed");
    expect((await run()).plans.result).toBe("confirmed");
    expect(asked()).toBe(5);
  });

  test("without an end is asked again after a day", async () => {
    const { upstream, run, pass, asked } = await startRestarting();
    upstream.set("/plans", status(503, { "retry-after": "9".repeat(400) }));
    await run();
    pass(DAY - MINUTE);
    await run();
    expect(asked()).toBe(1);
    pass(MINUTE + 1);
    await run();
    expect(asked()).toBe(2);
  });

  test("while the clock was far ahead is asked once the clock is right", async () => {
    const { upstream, run, pass, asked } = await startRestarting();
    upstream.set("/plans", status(503, { "retry-after": "600" }));
    await run();
    pass(-2 * DAY);
    await run();
    expect(asked()).toBe(2);
  });

  test("is asked at once with other settings", async () => {
    const { upstream, run, asked } = await startRestarting();
    upstream.set("/plans", status(503, { "retry-after": "600" }));
    await run();
    await run({ fingerprints: others });
    expect(asked()).toBe(2);
  });
});

test("an upstream's pause is observed in the next process, too", async () => {
  const upstream = await startUpstream();
  const directory = await settingsDirectory({
    plans: KINDS.stripe!.source(upstream.origin),
    releases: { macos: "none", windows: "none" },
  });
  upstream.set("/v1/prices", status(403, { "retry-after": "600" }));
  const collect = (...flags: string[]) => runInProcess(["collect", ...flags], directory, { THE_SECRET: KEY });
  expect((await collect()).stdout).toMatch(/plans +failed: .*answered 403: too many requests, try again in 10 min;/);
  expect((await collect()).stdout).toMatch(
    /plans +failed: skipped: the upstream asks to wait until .* UTC \(to ask now: .*collect .*--now plans\);/,
  );
  expect(upstream.requests).toHaveLength(1);
  expect((await collect("--now", "plans")).stdout).toMatch(/plans +failed: .*answered 403/);
  expect(upstream.requests).toHaveLength(2);
});

test.each<[Record<string, string>, number | undefined]>([
  [{ "retry-after": "30" }, 30_000],
  [{ "retry-after": "99999999999" }, DAY],
  [{ ratelimit: '"default";r=0;t=99999999' }, DAY],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
  [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225630" }, 30_000],
  [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225000" }, 0],
  [{ "x-ratelimit-remaining": "7", "x-ratelimit-reset": "1767225630" }, undefined],
  [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "999999999999" }, DAY],
  [{ "ratelimit-remaining": "0", "ratelimit-reset": "30" }, 30_000],
  [{ ratelimit: '"default";r=0;t=30' }, 30_000],
  [{ ratelimit: '"default";r=50;t=30' }, undefined],
  [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon" }, undefined],
  [{}, undefined],
])("the headers %j ask for a pause of %s ms", (headers, pause) => {
  expect(requestedPause((name) => headers[name], Date.UTC(2026, 0, 1))).toBe(pause);
});

test("fingerprints contain no URL and no secret, and differ between settings and versions", () => {
  const plans = { from: "json" as const, url: "https://acme.example/x", headers: { "x-key": "k" }, timeout: 1 };
  const settings = { plans, releases: plans };
  const sums = [...fingerprintsOf(settings, "1").values()];
  for (const sum of sums) expect(sum).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(sums).size).toBe(2);
  expect(fingerprintsOf(settings, "2").get("plans")).not.toBe(sums[0]);
  const moved = { ...settings, plans: { ...plans, url: "https://acme.example/y" } };
  expect(fingerprintsOf(moved, "1").get("plans")).not.toBe(sums[0]);
});

test("a source with its own schedule is asked on that, the others on the common one; the report includes all", async () => {
  const upstream = await startUpstream();
  upstream.set("/plans", json(vendorPlans()));
  upstream.set("/releases", json(vendorReleases()));
  const directory = await settingsDirectory({
    schedule: "0 0 1 1 *",
    plans: { from: "json", url: upstream.url("/plans"), schedule: "* * * * * *" },
    releases: { from: "json", url: upstream.url("/releases") },
  });
  const watching = launch("vitrine", ["collect", "--watch"], { directory });
  await watching.printed(/( plans .*[^]*){3}/);
  await watching.printed(/ macos /);
  expect(await watching.stop("SIGTERM")).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      isIn("check") ? /^! plans.schedule has six fields.*\n! releases waits up to .*502 in between.*\n$/ : /^$/,
    ),
  });
  const paths = upstream.requests.map(({ path }) => path);
  expect(paths.filter((path) => path === "/releases")).toHaveLength(1);
  expect(paths.filter((path) => path === "/plans").length).toBeGreaterThanOrEqual(3);
  const report = await readReport(factsIn(openStore(join(directory, "facts"))));
  expect(report?.outcomes.map(({ name }) => name).toSorted()).toEqual([...SNAPSHOT_NAMES]);
});
