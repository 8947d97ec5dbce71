// How long facts are served, even after accidents to their files.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Mirror, type Lookup } from "../../../server/mirror/mirror.ts";
import { currentKey } from "../../../snapshots/facts.ts";
import { encodeSnapshot, type Snapshot } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import type { Store } from "../../../snapshots/store.ts";
import { startCollector } from "../../support/collecting/collector.ts";
import { json } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { isIn } from "../../support/program/feature.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { startInProcess } from "../../support/program/in-process.ts";
import { pollUntil, publishOver, startServer, TestClock } from "../../support/serving/server.ts";
import { factsIn, NOW, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PLANS = "/api/v1/plans";
const MACOS = "/api/v1/releases/latest?platform=macos";
const WINDOWS = "/api/v1/releases/latest?platform=windows";

test("a new snapshot is served though its store has given no hint of it", async () => {
  const store = openStore(await temporaryDirectory());
  await publishOver(store, plansSnapshot());
  const { get } = await startServer({ store: { ...store, watch: () => () => {} } });
  const { text: first } = await get(PLANS);
  await publishOver(store, plansSnapshot({ revision: 2 }));
  await pollUntil(
    () => get(PLANS),
    ({ text }) => text !== first,
  );
});

describe("by the clock (server/mirror/mirror.ts)", () => {
  test("facts turn from 200 to 502 when they expire, although no file has changed", async () => {
    const { get, clock } = await startServer();
    clock.pass(DAY - 1);
    expect((await get(PLANS)).status).toBe(200);
    clock.pass(1);
    for (const path of [PLANS, MACOS, WINDOWS]) expect((await get(path)).status).toBe(502);
    if (isIn("discovery")) expect((await get("/api/v1")).status).toBe(200);
    if (isIn("probes")) expect((await get("/readyz")).status).toBe(503);
  });

  test("only the facts that are confirmed come back", async () => {
    const { get, clock, publish, refresh } = await startServer();
    clock.pass(DAY);
    await publish(plansSnapshot({ confirmedAt: NOW + DAY }));
    await refresh();
    expect((await get(PLANS)).status).toBe(200);
    expect((await get(MACOS)).status).toBe(502);
  });

  test("a clock that is set back does not make facts younger", async () => {
    const { get, clock } = await startServer();
    clock.pass(DAY - 3_000);
    clock.set(NOW - DAY);
    expect((await get(PLANS)).headers["cache-control"]).toContain("max-age=1,");
    clock.pass(3_000);
    expect((await get(PLANS)).status).toBe(502);
    clock.set(NOW);
    expect((await get(PLANS)).status).toBe(502);
  });

  test("nor does one that is set back during a read", async () => {
    const store = openStore(await temporaryDirectory());
    const clock = new TestClock();
    let interfere = () => {};
    const get: Store["get"] = (key) => {
      interfere();
      return store.get(key);
    };
    const mirror = new Mirror(factsIn({ ...store, get }, { clock }), { warn: () => {} });
    onTestFinished(() => mirror.stop());
    await publishOver(store, plansSnapshot({ revision: 1 }));
    await mirror.start();
    interfere = () => {
      clock.set(NOW - DAY);
      mirror.timeLeft("plans");
    };
    const seen: Lookup[] = [];
    mirror.onChange(() => {
      clock.pass(10);
      seen.push(mirror.get("plans"));
    });
    await publishOver(store, plansSnapshot({ revision: 2 }));
    await mirror.refresh();
    expect(seen).toMatchObject([{ state: "fresh", snapshot: { revision: 2 }, timeLeft: DAY - 10 }]);
  });

  test("facts dated by a clock that was ahead are replaced as soon as the clock is right", async () => {
    const { get, clock, publish, refresh, directory } = await startServer({ snapshots: [] });
    clock.set(NOW + 2 * DAY);
    await publish(plansSnapshot({ revision: 3, confirmedAt: NOW + 2 * DAY }));
    await refresh();
    const { status, headers } = await get(PLANS);
    expect(status).toBe(200);
    clock.set(NOW);
    await rm(join(directory, currentKey("plans")));
    await publish(plansSnapshot({ revision: 1, confirmedAt: NOW }));
    await refresh();
    expect((await get(PLANS)).json()).toEqual(plansSnapshot({ revision: 1 }).payload);
    expect((await get(PLANS)).headers["last-modified"]).not.toBe(headers["last-modified"]);
  });

  test.runIf(isIn("probes"))(
    "facts confirmed again after a clock that was a little ahead was corrected are served as long as they were",
    async () => {
      const ahead = plansSnapshot({ confirmedAt: NOW + 4 * MINUTE });
      const { get, clock, publish, refresh } = await startServer({ snapshots: [ahead] });
      // Confirmed at a right time, by a collector that moves no `confirmedAt` backwards.
      for (const confirmed of [NOW + 1_000, NOW + MINUTE]) {
        const freshUntil = new Date(confirmed + HOUR).toISOString();
        await publish({ ...ahead, freshUntil });
        await refresh();
        expect((await get("/status")).text).toContain(freshUntil);
      }
      clock.pass(HOUR + MINUTE - 1);
      expect((await get(PLANS)).status).toBe(200);
      clock.pass(1);
      expect((await get(PLANS)).status).toBe(502);
    },
  );

  test("a clock that is set ahead makes them older", async () => {
    const { get, clock } = await startServer();
    clock.set(NOW + DAY);
    expect((await get(PLANS)).status).toBe(502);
  });
});

interface Accident {
  what: string;
  /** Puts something in the place of the file of plans at `path`, which is gone. */
  put: (path: string) => unknown;
}

const later = plansSnapshot({ revision: 3, plans: 2 });
const text = Buffer.from(encodeSnapshot(later)).toString();
const stored = (snapshot: Parameters<typeof encodeSnapshot>[0]) => write(encodeSnapshot(snapshot));
const write = (content: string | Uint8Array) => (path: string) => writeFile(path, content);

/** What else damages a file is in test/snapshots/damage.test.ts. */
const DAMAGES: Accident[] = [
  { what: "an empty file", put: write("") },
  { what: "a wrong checksum", put: write(text.replace("EUR", "USD")) },
  {
    what: "a snapshot from the future",
    put: stored(plansSnapshot({ revision: 3, confirmedAt: NOW + DAY })),
  },
  { what: "a directory", put: (path) => mkdir(path) },
];

async function replaceFile(directory: string, put: Accident["put"]): Promise<void> {
  const path = join(directory, currentKey("plans"));
  await rm(path, { force: true });
  await put(path);
}

test("a store that has come back empty changes nothing, and is not called damaged", async () => {
  const server = await startServer();
  await Promise.all(
    (await readdir(server.directory)).map((name) => rm(join(server.directory, name), { recursive: true })),
  );
  await server.refresh();
  const warning = "snapshot plans: no longer in the store; the last good copy is served until it is stale";
  expect(server.warnings).toContain(warning);
  expect((await server.get(PLANS)).status).toBe(200);
});

describe.for(DAMAGES)("$what", ({ what, put }) => {
  test("at the start means 502 for these facts alone, until good ones are published", async () => {
    const prepare = (directory: string) => replaceFile(directory, put);
    const server = await startServer({ prepare });
    expect((await server.get(PLANS)).status).toBe(502);
    expect((await server.get(MACOS)).status).toBe(200);
    expect((await server.get(WINDOWS)).status).toBe(200);
    expect(server.warnings).toEqual([
      expect.stringMatching(/^snapshot plans(?: is damaged|: confirmed in the future)/),
    ]);
    // Not even a collector can put a file in a directory's place.
    if (what === "a directory") await rm(join(server.directory, currentKey("plans")), { recursive: true });
    await server.publish(plansSnapshot());
    await server.refresh();
    expect((await server.get(PLANS)).status).toBe(200);
  });

  test("while serving leaves the last good facts in place until they expire", async () => {
    const server = await startServer();
    const before = await server.get(PLANS);
    await replaceFile(server.directory, put);
    await server.refresh();
    expect(server.warnings).not.toEqual([]);
    expect(await server.get(PLANS)).toMatchObject({ status: 200, text: before.text });
    server.clock.pass(DAY);
    expect((await server.get(PLANS)).status).toBe(502);
  });
});

const OLDER: Accident[] = [
  { what: "nothing at all", put: () => {} },
  { what: "an older snapshot", put: stored(plansSnapshot({ revision: 1, confirmedAt: NOW - 1 })) },
];

test.for(OLDER)("$what in place of the facts leaves them unchanged", async ({ put }) => {
  const snapshots = [plansSnapshot({ revision: 2 }), releaseSnapshot("windows")];
  const server = await startServer({ snapshots });
  const before = await server.get(PLANS);
  await replaceFile(server.directory, put);
  await server.refresh();
  expect(await server.get(PLANS)).toMatchObject({ status: 200, text: before.text });
});

describe("a backup that is restored", () => {
  /** Older facts that were to be served for longer, of a revision that does not matter. */
  const backup = (revision: number, confirmedAt = NOW - HOUR): Snapshot => ({
    ...plansSnapshot({ revision, confirmedAt }),
    freshUntil: new Date(NOW + 30 * DAY).toISOString(),
  });
  const OLDER_SEEN = /^snapshot plans in the store was confirmed at .*, before the one in memory \(.*\), which stays; /;

  test.for([1, 2, 9])("under a running server never replaces what it has seen (revision %i)", async (revision) => {
    const server = await startServer({ snapshots: [plansSnapshot({ revision: 2 })] });
    const { text } = await server.get(PLANS);
    const store = openStore(server.directory);
    const restore = (snapshot: Snapshot) => store.put(currentKey("plans"), encodeSnapshot(snapshot));
    await restore(backup(revision));
    for (let time = 0; time < 3; time++) await server.refresh();
    expect(await server.get(PLANS)).toMatchObject({ status: 200, text });
    server.clock.pass(DAY);
    expect((await server.get(PLANS)).status).toBe(502);
    await restore({ ...backup(revision), source: "restored again" });
    await server.refresh();
    expect((await server.get(PLANS)).status).toBe(502);
    expect(server.warnings).toEqual([expect.stringMatching(OLDER_SEEN)]);

    await restore(backup(3, NOW));
    await server.refresh();
    expect((await server.get(PLANS)).json()).toEqual(backup(3).payload);
  });

  test("is served after a restart, which knows nothing newer, for as long as it is fresh", async () => {
    const { get, clock } = await startServer({ snapshots: [backup(1)] });
    expect((await get(PLANS)).status).toBe(200);
    clock.pass(30 * DAY);
    expect((await get(PLANS)).status).toBe(502);
  });

  test("is healed by the next run, also if the last one was of a clock that was a little ahead", async () => {
    const collector = await startCollector();
    const server = await startServer({ store: collector.store });
    const collect = (now: number) => collector.run({ now: () => now, staleAfter: DAY });
    for (const [ahead, second, third] of [[0, "USD", "CHF"] as const, [4 * MINUTE, "SEK", "NOK"] as const]) {
      const begun = server.clock.wall();
      await collect(begun);
      const old = await readFile(join(collector.directory, currentKey("plans")));
      server.clock.pass(HOUR);
      collector.upstream.set("/plans", json({ ...vendorPlans(), currency: second }));
      await collect(server.clock.wall() + ahead);
      await server.refresh();
      const current = (await server.get(PLANS)).text;
      await collector.store.put(currentKey("plans"), old);
      await server.refresh();
      expect((await server.get(PLANS)).text).toBe(current);

      collector.upstream.set("/plans", json({ ...vendorPlans(), currency: third }));
      server.clock.pass(MINUTE);
      expect((await collect(server.clock.wall())).plans).toMatchObject({ result: "changed" });
      server.clock.pass(ahead);
      expect((await collect(server.clock.wall())).plans).toMatchObject({ result: "confirmed" });
      await server.refresh();
      expect((await server.get(PLANS)).text).toContain(third);
      server.clock.pass(HOUR);
    }
  });
});

test("a snapshot directory that vanishes leaves all facts in place, and is followed again when it is back", async () => {
  const server = await startServer();
  await rm(server.directory, { recursive: true });
  await server.publish(plansSnapshot({ revision: 2 }));
  // Without being told: by its own poll or hint.
  await pollUntil(
    () => server.get(PLANS),
    ({ text }) => text.includes('"monthlyPrice":2'),
  );
  expect((await server.get(MACOS)).status).toBe(200);
});

test("damage is reported once, not at every read", async () => {
  const server = await startServer();
  await replaceFile(server.directory, write("damaged"));
  await server.refresh();
  await server.refresh();
  expect(server.warnings.filter((warning) => warning.includes("not JSON"))).toHaveLength(1);
});

test("the running program stops serving facts when they expire, and serves them again once confirmed", async () => {
  const directory = await temporaryDirectory();
  const store = openStore(join(directory, "demo"));
  const fresh = (revision: number, milliseconds: number): Snapshot => {
    const snapshot = releaseSnapshot("macos", { revision, confirmedAt: Date.now() });
    return { ...snapshot, freshUntil: new Date(Date.now() + milliseconds).toISOString() };
  };
  await publishOver(store, fresh(1, DAY));
  const { get } = await startInProcess(["serve", "--demo", "--snapshots", directory], { directory });
  expect((await get(MACOS)).status).toBe(200);

  const short = fresh(2, 1_500);
  await publishOver(store, short);
  let lastServed = 0;
  const asked = async () => {
    const askedAt = Date.now();
    const reply = await get(MACOS);
    if (reply.text.includes("1.0.2")) lastServed = askedAt;
    return reply;
  };
  await pollUntil(asked, ({ status }) => status === 502);
  expect(lastServed).toBeLessThan(Date.parse(short.freshUntil));

  await publishOver(store, { ...fresh(2, DAY), changedAt: short.changedAt });
  await pollUntil(asked, ({ status }) => status === 200);
});

test("hints that never end make a server read at most 50 times a second", async () => {
  const directory = await temporaryDirectory();
  const files = openStore(directory);
  let reads = 0;
  let hint = () => {};
  const store = {
    ...files,
    get: (...words: Parameters<Store["get"]>) => (reads++, files.get(...words)),
    watch: (listener: () => void) => ((hint = listener), () => {}),
  };
  const mirror = new Mirror(factsIn(store, { now: NOW }), { warn: () => {} });
  await mirror.start();
  onTestFinished(() => mirror.stop());
  const [before, began] = [reads, performance.now()];
  // Of three snapshots, of each the value and its previous copy.
  while (reads < before + 10 * 6) await new Promise<void>((resolve) => setImmediate(() => resolve(hint())));
  // At least half of the pauses of 20 ms, as timers are exact to a millisecond only; without them it takes 5 ms.
  expect(performance.now() - began).toBeGreaterThan(5 * 20);
});
