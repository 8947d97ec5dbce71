// What a platform and an operator ask a server: whether it has begun, whether all can be served, and the state of each fact.
import { describe, expect, onTestFinished, test } from "vitest";
import { encodeSnapshot, type Snapshot } from "../../../snapshots/snapshot.ts";
import { openFileStore } from "../../../snapshots/stores/files/file-store.ts";
import { openReader, openStore } from "../../../snapshots/stores/open-store.ts";
import { body, reset, startUpstream, status } from "../../support/collecting/upstream.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { steppedFs, systemError } from "../../support/faulty-fs.ts";
import { isIn } from "../../support/program/feature.ts";
import { allSnapshots, startServer } from "../../support/serving/server.ts";
import { NOW, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const STARTED = { status: 200, text: '{"status":"started"}' };
const BACK = { status: 503, text: '{"error":"The store was away, and has not all facts yet."}' };
const WAITING = { status: 503, text: '{"error":"The store has not answered yet."}' };

/** A host of snapshots that is away, and a server that follows it. `lastCopy`: a directory of the server's own. */
async function startFollower({ lastCopy = "", now = NOW } = {}) {
  const host = await startUpstream();
  const setAll = (behaviour: Parameters<typeof host.set>[1]) => {
    for (const { name } of allSnapshots()) host.set(`/snapshots/${name}.json`, behaviour);
  };
  const offer = (snapshot: Snapshot) => host.set(`/snapshots/${snapshot.name}.json`, body(encodeSnapshot(snapshot)));
  setAll(reset());
  const store = openReader(host.url("/snapshots/"));
  onTestFinished(() => store.close());
  const server = await startServer({ store, now, ...(lastCopy !== "" && { lastCopy: openStore(lastCopy) }) });
  return { server, setAll, offer };
}

describe("/startupz (server/features/probes/probes.ts)", () => {
  test("is 200 once the store has answered that it has nothing", async () => {
    const { get } = await startServer({ snapshots: [] });
    expect(await get("/startupz")).toMatchObject(STARTED);
  });

  test.runIf(isIn("follow"))(
    "is 503 until a followed server has answered, and 200 from then on, whatever happens to it",
    async () => {
      const { server, setAll, offer } = await startFollower();
      expect(await server.get("/startupz")).toMatchObject({ ...WAITING, headers: { "cache-control": "no-store" } });
      // As a proxy answers whose server is away.
      setAll(status(502));
      await server.refresh();
      expect(await server.get("/startupz")).toMatchObject(WAITING);
      for (const snapshot of allSnapshots()) offer(snapshot);
      await server.refresh();
      expect(await server.get("/startupz")).toMatchObject(STARTED);
      setAll(reset());
      server.clock.pass(2 * DAY);
      await server.refresh();
      expect((await server.get("/readyz")).status).toBe(503);
      expect(await server.get("/startupz")).toMatchObject(STARTED);
    },
  );

  test.runIf(isIn("follow"))(
    "is 503 for 15 s more while a store that was away lacks a fact, and 200 from then on",
    async () => {
      const { server, offer } = await startFollower();
      expect(await server.get("/startupz")).toMatchObject(WAITING);
      offer(plansSnapshot());
      await server.refresh();
      for (const seconds of [0, 14]) {
        server.clock.pass(seconds * 1_000);
        expect(await server.get("/startupz")).toMatchObject(BACK);
      }
      server.clock.pass(1_000);
      expect(await server.get("/startupz")).toMatchObject(STARTED);
    },
  );

  test("is 503 while this user may not read the directory", async () => {
    let isForbidden = true;
    const fs = steppedFs((step, run, args) =>
      isForbidden ? Promise.reject(systemError("EACCES", step)) : run(...args),
    );
    const server = await startServer({ store: openFileStore(await temporaryDirectory(), fs) });
    expect(await server.get("/startupz")).toMatchObject(WAITING);
    isForbidden = false;
    await server.refresh();
    expect(await server.get("/startupz")).toMatchObject(BACK);
    server.clock.pass(MINUTE);
    expect(await server.get("/startupz")).toMatchObject(STARTED);
  });

  test.runIf(isIn("follow")).for<[what: string, expected: object, snapshots: readonly Snapshot[]]>([
    ["all facts fresh", STARTED, allSnapshots()],
    ["a fact missing", WAITING, [plansSnapshot(), releaseSnapshot("macos")]],
    ["a stale fact", WAITING, [...allSnapshots().slice(1), plansSnapshot({ confirmedAt: NOW - DAY })]],
  ])("while the store is away, a last copy with %s answers for it", async ([, expected, snapshots]) => {
    const lastCopy = await temporaryDirectory();
    for (const snapshot of snapshots) await openStore(lastCopy).put(`${snapshot.name}.json`, encodeSnapshot(snapshot));
    const { server } = await startFollower({ lastCopy });
    expect(await server.get("/startupz")).toMatchObject(expected);
    server.clock.pass(DAY);
    expect(await server.get("/startupz")).toMatchObject(expected);
  });
});

test("/readyz is 200 if every snapshot can be served, and otherwise names the others", async () => {
  const server = await startServer();
  expect(await server.get("/readyz")).toMatchObject({ status: 200, text: '{"status":"ready"}' });
  const { get } = await startServer({ snapshots: [releaseSnapshot("macos")] });
  const reply = await get("/readyz");
  expect(reply).toMatchObject({ status: 503, headers: { "cache-control": "no-store" } });
  expect(reply.json()).toEqual({
    error: "Some snapshots are stale or missing.",
    unavailable: ["plans", "release-windows"],
  });
});

test("/status reports the state and the times of every snapshot", async () => {
  const stale = { ...releaseSnapshot("macos", { revision: 7 }), freshUntil: new Date(NOW).toISOString() };
  const { get } = await startServer({ snapshots: [plansSnapshot(), stale] });
  const reply = await get("/status");
  expect(reply).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
  const time = "2026-03-01T12:00:00.000Z";
  expect(reply.json()).toEqual({
    snapshots: [
      {
        name: "plans",
        state: "fresh",
        revision: 1,
        changedAt: time,
        confirmedAt: time,
        freshUntil: "2026-03-02T12:00:00.000Z",
      },
      { name: "release-macos", state: "stale", revision: 7, changedAt: time, confirmedAt: time, freshUntil: time },
      { name: "release-windows", state: "missing" },
    ],
  });
});

describe("a store without a report of a collection for more than two intervals (server/features/probes/silence.ts)", () => {
  const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();

  /** A server over a store whose collector has run at these minutes, and a function that adds a run. */
  async function startCollected(minutes: readonly number[]) {
    const server = await startServer();
    const runs = [...minutes];
    const run = async (...more: number[]) => {
      runs.push(...more);
      const collections = { plans: runs.map((minute) => ({ at: at(minute), result: "confirmed" })) };
      const report = JSON.stringify({ format: 2, outcomes: [], collections });
      await openStore(server.directory).put("last-run.json", Buffer.from(report));
      await settled();
    };
    /** Reads the report, and then looks at it. */
    const settled = async () => {
      await server.refresh();
      await server.refresh();
    };
    await run();
    const silentSince = async () => ((await server.get("/status")).json() as { silentSince?: string }).silentSince;
    return { server, run, settled, silentSince };
  }

  test("is named once in the log and in /status, until there is one", async () => {
    const { server, run, settled, silentSince } = await startCollected([-45, -30, -15, 0]);
    server.clock.pass(30 * MINUTE);
    await settled();
    expect(await silentSince()).toBeUndefined();
    expect(server.warnings).toEqual([]);
    server.clock.pass(1);
    await settled();
    await settled();
    expect(await silentSince()).toBe(at(0));
    const advice = "see whether the collector runs, and whether this is the store that it writes to";
    const silent = `the store has no report of a collection since ${at(0)}, 30 min ago: ${advice}`;
    expect(server.warnings).toEqual([silent]);
    const shown = async () => (await server.get("/status", { accept: "text/html" })).text;
    if (isIn("page")) expect(await shown()).toContain("No collection since 1 Mar 2026, 12:00 UTC");
    await run(30);
    expect(await silentSince()).toBeUndefined();
    expect(server.warnings).toEqual([silent, "the store has reports of collections again"]);
    expect(await shown()).not.toContain("No collection since");
  });

  test("is not one whose collector was run by hand a few times", async () => {
    const { server, settled, silentSince } = await startCollected([-0.3, -0.2, -0.1, 0]);
    server.clock.pass(10 * MINUTE);
    await settled();
    expect(await silentSince()).toBeUndefined();
    server.clock.pass(1);
    expect(await silentSince()).toBe(at(0));
  });

  test("is not one with a single report, or with none", async () => {
    for (const minutes of [[], [0]]) {
      const { server, settled, silentSince } = await startCollected(minutes);
      server.clock.pass(DAY / 2);
      await settled();
      expect(await silentSince()).toBeUndefined();
      expect(server.warnings).toEqual([]);
    }
  });

  test("is no warning in the first minute, in which a collector that starts beside the server reports", async () => {
    const { server, run, settled, silentSince } = await startCollected([-90, -75, -60]);
    expect(await silentSince()).toBe(at(-60));
    server.clock.pass(MINUTE - 1);
    await settled();
    await run(0);
    server.clock.pass(1);
    await settled();
    expect(server.warnings).toEqual([]);
  });
});
