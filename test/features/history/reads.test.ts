// The past over HTTP: what was served at any time is found again, byte for byte, or nothing is.
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { historyPlaceOf } from "../../../snapshots/features/history/entry.ts";
import { appendHistory, pruneHistory, takeBack } from "../../../snapshots/features/history/history.ts";
import { listHistory } from "../../../snapshots/features/history/timeline.ts";
import type { Signing } from "../../../collector/hooks.ts";
import { verified } from "../../../snapshots/features/signatures/proof.ts";
import { decodeSnapshot, encodeSnapshot, factOf, sha256 as sha256Of } from "../../../snapshots/snapshot.ts";
import { Unreachable } from "../../../snapshots/store.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { json } from "../../support/collecting/upstream.ts";
import { startCollector } from "../../support/collecting/collector.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { SEED, seeded } from "../../support/random.ts";
import { isServed } from "../../support/serving/prepared-targets.ts";
import { ask, startServer } from "../../support/serving/server.ts";
import { ISSUER, newSigning } from "../../support/signing.ts";
import { factsIn, NOW, plansSnapshot } from "../../support/snapshot.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const PATH = "/history/plans";
const history = { keep: 100, age: 4_000 * DAY };
const iso = (time: number) => new Date(time).toISOString();

const time = z.iso.datetime().nullable();
const History = z.strictObject({
  revisions: z.array(
    z.strictObject({
      rev: z.int(),
      changedAt: z.iso.datetime(),
      confirmedAt: time,
      until: time,
      sha256: z.string().length(64).nullable(),
      url: z.url().nullable(),
      proof: z.string().nullable(),
      gaps: z.array(z.strictObject({ from: z.iso.datetime(), until: z.iso.datetime() })).optional(),
      takenBack: z.literal(true).optional(),
    }),
  ),
});

/** A collector and a server over one store, whose common clock is set in days after NOW. Facts are stale after a day. */
async function startTimeline(signing?: Signing) {
  const { upstream, directory, store, run } = await startCollector();
  const server = await startServer({ snapshots: [], store, trust: signing?.trust });
  const setClock = (day: number) => server.clock.set(NOW + day * DAY);
  return {
    ...server,
    store,
    directory,
    upstream,
    setClock,
    /** Collects at a day after NOW: this price, or nothing when the vendor is away. */
    async collect(day: number, price: number | "away") {
      const plans = vendorPlans();
      if (price === "away") upstream.set("/plans", (_, response) => response.writeHead(404).end());
      else {
        plans.plans[1]!.prices.monthly = price;
        upstream.set("/plans", json(plans));
      }
      setClock(day);
      await run({ history, signing, now: () => NOW + day * DAY, staleAfter: DAY });
      await server.refresh();
    },
    async revisions() {
      const { status, text } = await server.get(PATH);
      expect(status, text).toBe(200);
      return History.parse(JSON.parse(text)).revisions;
    },
    at: (day: number) => server.get(`${PATH}?at=${iso(NOW + day * DAY)}`),
    served: () => server.get("/api/v1/plans"),
  };
}

describe("at any time", () => {
  test.for([1, 2, 3])("the answer is that of then, through changes and outages: sequence %d", async (seed) => {
    const { collect, served, at, setClock, refresh, revisions } = await startTimeline();
    const random = seeded(SEED + seed);
    const seen: { day: number; status: number; text: string }[] = [];
    const look = async (day: number) => {
      setClock(day);
      await refresh();
      const { status, text } = await served();
      seen.push({ day, status, text });
    };
    let day = 0;
    for (let step = 0; step < 14; step++) {
      await collect(day, random() < 0.25 ? "away" : 10 + Math.floor(random() * 3));
      await look(day);
      const wait = random() < 0.3 ? 1.5 : 0.4;
      for (const part of [0.3, 0.7, 0.999]) await look(day + wait * part);
      day += wait;
    }
    await look(day);
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200, 502]));
    expect((await revisions()).length).toBeGreaterThan(3);
    for (const { day, status, text } of seen) {
      const past = await at(day);
      expect(past.status, `day ${day}`).toBe(status === 200 ? 200 : 404);
      if (status === 200) expect(past.text, `day ${day}`).toBe(text);
    }
  });

  test("a price that comes back is another revision", async () => {
    const { collect, revisions, at, get } = await startTimeline();
    for (const [day, price] of [
      [0, 10],
      [0.5, 11],
      [1, 10],
      [1.5, 10],
    ] as const)
      await collect(day, price);
    const all = await revisions();
    expect(all.map(({ rev, changedAt, confirmedAt, until }) => [rev, changedAt, confirmedAt, until])).toEqual([
      [3, iso(NOW + DAY), iso(NOW + 1.5 * DAY), iso(NOW + 2.5 * DAY)],
      [2, iso(NOW + 0.5 * DAY), iso(NOW + 0.5 * DAY), iso(NOW + DAY)],
      [1, iso(NOW), iso(NOW), iso(NOW + 0.5 * DAY)],
    ]);
    expect(all[0]!.sha256).toBe(all[2]!.sha256);
    expect(all[1]!.sha256).not.toBe(all[2]!.sha256);
    expect((await at(0.7)).text).toContain('"monthly":11');
    for (const { url, sha256 } of all) {
      const { status, headers, text } = await get(new URL(url!).pathname + new URL(url!).search);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("application/json");
      expect(sha256Of(text)).toBe(sha256);
    }
  });

  test("an emptied store counts from 1 again, and of what it lost nothing is guessed", async () => {
    const { collect, revisions, at, directory } = await startTimeline();
    await collect(0, 10);
    await collect(0.5, 11);
    for (const file of ["plans.json", "plans.json.prev"]) await rm(join(directory, file));
    await collect(0.9, 12);
    await collect(1, 13);
    expect((await revisions()).map(({ rev, until }) => [rev, until])).toEqual([
      [2, iso(NOW + 2 * DAY)],
      [1, iso(NOW + DAY)],
      [2, null],
      [1, iso(NOW + 0.5 * DAY)],
    ]);
    expect((await at(0.95)).text).toContain('"monthly":12');
    expect((await at(0.5)).text).toContain('"monthly":11');
    const unknown = await at(0.6);
    expect(unknown.status).toBe(404);
    expect(unknown.json()).toEqual({
      error: `It is not known for how long the revision of ${iso(NOW + 0.5 * DAY)} was confirmed.`,
    });
  });

  test("what a wrong clock dated into the future is not believed when that time has come", async () => {
    const { collect, revisions, at } = await startTimeline();
    await collect(0, 10);
    await collect(0.9, 11);
    // The clock of the collector is set right: its last snapshot counts as damaged.
    await collect(0.1, 12);
    expect((await at(0.1)).text).toContain('"monthly":12');
    await collect(1, 13);
    expect((await revisions()).map(({ changedAt }) => changedAt)).not.toContain(iso(NOW + 0.9 * DAY));
    expect((await at(0.95)).text).toContain('"monthly":12');
  });
});

describe("a change that was taken back", () => {
  /** Revisions with the prices 10, 4711 and 12, of which the second was a mistake. */
  async function withMistake() {
    const timeline = await startTimeline();
    for (const [day, price] of [
      [0, 10],
      [0.4, 4711],
      [0.8, 12],
    ] as const)
      await timeline.collect(day, price);
    const mistaken = (await listHistory(factsIn(timeline.store), "plans"))[1]!;
    return { ...timeline, mistaken };
  }
  test("is gone from the store and from every answer, and its place says so", async () => {
    const { store, directory, mistaken, refresh, revisions, at, get } = await withMistake();
    expect(await everything(directory)).toContain("4711");
    expect((await get("/changes.json")).text).toContain("4711");
    await takeBack(factsIn(store), mistaken);
    await refresh();
    expect(await everything(directory)).not.toContain("4711");
    const [, place] = await revisions();
    expect(place).toEqual({
      rev: 2,
      changedAt: iso(NOW + 0.4 * DAY),
      confirmedAt: iso(NOW + 0.4 * DAY),
      until: iso(NOW + 0.8 * DAY),
      sha256: null,
      url: null,
      proof: null,
      takenBack: true,
    });
    const gone = await at(0.5);
    expect(gone.status).toBe(404);
    expect(gone.json()).toEqual({ error: "What was served at this time has been taken back." });
    expect((await at(0.3)).text).toContain('"monthly":10');
    expect((await at(0.8)).text).toContain('"monthly":12');
    for (const path of ["/", "/changes.json", "/changes.atom"]) expect((await get(path)).text).not.toContain("4711");
    expect((await get("/changes.json")).text).toContain("Studio monthly 10 → 12");
  });

  test("stays away through the next runs, also when it is the same price again", async () => {
    const { store, mistaken, collect, revisions, at } = await withMistake();
    await takeBack(factsIn(store), mistaken);
    await collect(1, 12);
    await collect(1.2, 4711);
    await collect(1.4, 4711);
    expect((await revisions()).map(({ rev, takenBack }) => [rev, takenBack])).toEqual([
      [4, undefined],
      [3, undefined],
      [2, true],
      [1, undefined],
    ]);
    expect((await at(0.5)).status).toBe(404);
    expect((await at(1.3)).text).toContain("4711");
    await pruneHistory(factsIn(store, { now: NOW }), "plans", { keep: 2, age: Infinity });
    expect((await listHistory(factsIn(store), "plans")).map(({ revision }) => revision)).toEqual([4, 3]);
  });

  test("is not written again when a backup of the snapshots brings it back", async () => {
    const { store, directory, mistaken, collect, revisions } = await withMistake();
    const [snapshot, entry] = [join(directory, "plans.json"), join(directory, mistaken.key)];
    const backup = decodeSnapshot(await readFile(snapshot), "plans");
    const { payload, changedAt, revision } = JSON.parse(await readFile(entry, "utf8"));
    await takeBack(factsIn(store), mistaken);
    await writeFile(
      snapshot,
      encodeSnapshot({ ...backup, ...factOf(payload), revision, changedAt, confirmedAt: changedAt }),
    );
    await collect(1, 4711);
    expect((await listHistory(factsIn(store), "plans")).map(({ isTakenBack }) => isTakenBack)).toEqual([
      undefined,
      true,
      undefined,
    ]);
    await expect(readFile(entry)).rejects.toThrow("ENOENT");
    expect((await revisions())[0]).toMatchObject({ rev: 2, url: expect.any(String) });
  });

  test("keeps out no later revision of its number, from which an emptied store counts again", async () => {
    const { store, directory, mistaken, collect, revisions } = await withMistake();
    await takeBack(factsIn(store), mistaken);
    await rm(join(directory, "plans.json"));
    for (const day of [1, 1.2, 1.4]) await collect(day, 20 + day);
    expect((await revisions()).map(({ rev, takenBack }) => [rev, takenBack])).toEqual([
      [3, undefined],
      [2, undefined],
      [1, undefined],
      [3, undefined],
      [2, true],
      [1, undefined],
    ]);
  });

  test("and the one before it leave no trace, in either order", async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { store, directory, collect, refresh, get } = await withMistake();
      await collect(1, 13);
      const places = (await listHistory(factsIn(store), "plans")).slice(1, 3);
      for (const index of order) await takeBack(factsIn(store), places[index]!);
      await refresh();
      expect(await everything(directory)).not.toMatch(/4711|"monthly":12\b/);
      expect((await get("/changes.json")).text).toContain("Studio monthly 10 → 13");
    }
  });

  test("is hidden from the first step on, if a crash comes before the last", async () => {
    const { store, directory, mistaken, refresh, revisions, at } = await withMistake();
    const file = join(directory, mistaken.key);
    await rename(file, `${file}.kept`);
    await takeBack(factsIn(store), mistaken);
    await rename(`${file}.kept`, file);
    await refresh();
    expect((await revisions()).map(({ rev }) => rev)).toEqual([3, 2, 1]);
    expect((await at(0.5)).status).toBe(404);
    const [, place] = await listHistory(factsIn(store), "plans");
    await takeBack(factsIn(store), place!);
    expect(await everything(directory)).not.toContain("4711");
  });

  test("does not come back when its place is pruned after such a crash", async () => {
    const { store, directory, mistaken } = await withMistake();
    const entry = await readFile(join(directory, mistaken.key));
    await takeBack(factsIn(store), mistaken);
    await writeFile(join(directory, mistaken.key), entry);
    await pruneHistory(factsIn(store, { now: NOW }), "plans", { keep: 1, age: Infinity });
    expect((await listHistory(factsIn(store), "plans")).map(({ revision }) => revision)).toEqual([3]);
  });
});

describe("the answers", () => {
  test("are refused without one time, and with anything else", async () => {
    const { collect, get } = await startTimeline();
    await collect(0, 10);
    for (const query of [
      "at",
      "at=",
      "at=yesterday",
      "at=2026-02-30",
      "at=1772366400",
      "at=2026-03-01T12:00:00",
      "at=2026-03-01&at=2026-03-01",
      "at=2026-03-01&rev=1",
      "date=2026-03-01",
      "rev=1",
      "at=%00",
    ]) {
      const { status, headers, text } = await get(`${PATH}?${query}`);
      expect([status, headers["cache-control"]], query).toEqual([400, "no-store"]);
      expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(/^Use at once, with a date/) });
    }
  });

  test("do not reach before the first revision, nor into the future", async () => {
    const { collect, get, setClock } = await startTimeline();
    await collect(0, 10);
    const ask = async (at: string) => {
      const { status, text } = await get(`${PATH}?at=${at}`);
      return [status, status === 200 ? "" : JSON.parse(text).error];
    };
    expect(await ask("2026-03-01")).toEqual([404, `Nothing is kept from before ${iso(NOW)}.`]);
    expect(await ask("2026-03-01T12:00Z")).toEqual([200, ""]);
    for (const plus of ["%2B", "+"]) expect(await ask(`2026-03-01T13:00${plus}01:00`)).toEqual([200, ""]);
    expect(await ask("2026-03-02")).toEqual([404, "This time is in the future."]);
    setClock(0.5);
    expect(await ask("2026-03-02")).toEqual([200, ""]);
    setClock(2);
    expect(await ask("2026-03-03")).toEqual([
      404,
      "Nothing was served at this time: what had been confirmed last was out of date.",
    ]);
  });

  test("are kept by caches for a minute, and have an etag", async () => {
    const { collect, get, port } = await startTimeline();
    await collect(0, 10);
    for (const target of [PATH, `${PATH}?at=${iso(NOW)}`]) {
      const { status, headers, bytes } = await get(target);
      expect(status).toBe(200);
      expect(headers["cache-control"]).toBe("public, max-age=60");
      expect(headers["access-control-allow-origin"]).toBe("*");
      expect((await get(target, { "if-none-match": headers.etag! })).status).toBe(304);
      const head = await ask(port, target, { method: "HEAD" });
      expect([head.status, head.headers["content-length"], head.text]).toEqual([200, String(bytes.length), ""]);
      const posted = await ask(port, target, { method: "POST" });
      expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
    for (const path of ["/openapi.json", "/api/v1"].filter(isServed))
      expect((await get(path)).text).not.toContain("/history/");
    for (const path of ["/", "/llms.txt"].filter(isServed)) {
      expect((await get(path)).text).toContain("/history/releases/windows");
    }
  });

  test("are 502 while the store is away, and before all of it is read", async () => {
    const directory = (await startTimeline()).directory;
    const store = openStore(directory);
    for (let revision = 1; revision <= 100; revision++)
      await appendHistory(factsIn(store), plansSnapshot({ revision, confirmedAt: NOW - (100 - revision) * HOUR }));
    let isAway = false;
    let isForbidden = false;
    const list = (folder: string) => (isAway ? Promise.reject(new Unreachable("away")) : store.list(folder));
    const read = (key: string, ifNot?: string) =>
      isForbidden ? Promise.reject(new Unreachable("away")) : store.get(key, ifNot);
    const { get, refresh } = await startServer({ store: { ...store, list, get: read } });
    expect((await get(PATH)).status).toBe(502);
    await refresh();
    expect(History.parse((await get(PATH)).json()).revisions).toHaveLength(100);
    isAway = true;
    await refresh();
    for (const target of [PATH, `${PATH}?at=2026-03-01`]) expect((await get(target)).status).toBe(502);
    expect((await get("/changes.json")).status).toBe(200);
    isAway = false;
    await refresh();
    expect((await get(PATH)).status).toBe(200);
    isForbidden = true;
    await refresh();
    expect((await get(PATH)).status).toBe(502);
  });

  test("are none that are damaged while only their entries cannot be reached", async () => {
    const { store, collect } = await startTimeline();
    await collect(0, 10);
    let isAway = true;
    const read = (key: string, ifNot?: string) =>
      isAway && key.startsWith("history/") ? Promise.reject(new Unreachable("away")) : store.get(key, ifNot);
    const { get, refresh } = await startServer({ store: { ...store, get: read } });
    expect((await get(PATH)).status).toBe(502);
    isAway = false;
    await refresh();
    expect((await get(`${PATH}?at=${iso(NOW)}`)).text).toContain('"monthly":10');
    isAway = true;
    await collect(0.5, 11);
    await refresh();
    expect((await get(PATH)).status).toBe(502);
  });

  test("say where a payload was too large to keep, or is damaged", async () => {
    const { store, directory, setClock, refresh, revisions, at } = await startTimeline();
    const append = (revision: number, plans: number) =>
      appendHistory(factsIn(store), plansSnapshot({ revision, plans, confirmedAt: NOW + revision * DAY }));
    const damaged = plansSnapshot({ confirmedAt: NOW + DAY });
    await mkdir(join(directory, "history"));
    await writeFile(join(directory, historyPlaceOf(damaged).key), "{");
    await append(2, 10_000);
    await append(3, 2);
    setClock(4);
    await refresh();
    expect((await revisions()).map(({ rev, url, sha256 }) => [rev, url !== null, sha256 !== null])).toEqual([
      [3, true, true],
      [2, false, true],
      [1, false, false],
    ]);
    const told = await Promise.all([1, 2, 3].map(async (day) => (await at(day)).text));
    expect(told[0]).toContain("damaged");
    expect(told[1]).toContain("too large to keep");
    expect(told[2]).toContain("plans");
  });

  test("come from memory, however many are asked for", async () => {
    const { directory, collect } = await startTimeline();
    for (const [day, price] of [
      [0, 10],
      [0.1, 11],
      [0.2, 12],
    ] as const)
      await collect(day, price);
    const store = openStore(directory);
    let gets = 0;
    const get = (key: string, ifNot?: string) => {
      if (key.startsWith("history/")) gets++;
      return store.get(key, ifNot);
    };
    const server = await startServer({ store: { ...store, get } });
    server.clock.pass(DAY);
    await server.refresh();
    const read = gets;
    expect(read).toBeGreaterThan(3);
    for (let second = 0; second < 200; second++)
      expect((await server.get(`${PATH}?at=${iso(NOW + second * 60_000)}`)).status).toBe(200);
    expect(gets).toBe(read);
  });

  test("of a vendor without history have the present", async () => {
    const { get } = await startServer();
    const { revisions } = History.parse((await get(PATH)).json());
    expect(revisions).toMatchObject([{ rev: 1, until: iso(NOW + DAY), url: expect.stringContaining("?at=") }]);
    expect((await get(`${PATH}?at=${iso(NOW)}`)).json()).toEqual(plansSnapshot().payload);
  });

  test("hold no more memory for hundreds of readers who read nothing", async () => {
    const { store, directory, setClock, refresh, port } = await startTimeline();
    expect(directory).not.toBe("");
    for (let revision = 1; revision <= 40; revision++)
      await appendHistory(factsIn(store), plansSnapshot({ revision, plans: 900, confirmedAt: NOW + revision * HOUR }));
    setClock(3);
    await refresh();
    const before = process.memoryUsage();
    const sockets = Array.from({ length: 300 }, (_, index) => {
      const socket = connect(port, "127.0.0.1");
      const target = `${PATH}?at=${iso(NOW + (1 + (index % 40)) * HOUR)}`;
      socket.pause().write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
      return socket;
    });
    await refresh();
    expect((await ask(port, "/healthz")).status).toBe(200);
    const after = process.memoryUsage();
    for (const socket of sockets) socket.destroy();
    expect((after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed) / 300).toBeLessThan(64 * 1024);
  });
});

describe("signed", () => {
  async function signedTimeline() {
    const signing = newSigning();
    const timeline = await startTimeline(signing);
    for (const [day, price] of [
      [0, 10],
      [0.3, 10],
      [0.5, 11],
      [0.9, 12],
    ] as const)
      await timeline.collect(day, price);
    return { ...timeline, signing };
  }

  test("each revision has its last token, which says what was served from when to when", async () => {
    const { revisions, get, signing } = await signedTimeline();
    const all = await revisions();
    expect(all.map(({ rev }) => rev)).toEqual([3, 2, 1]);
    for (const { rev, changedAt, confirmedAt, url, sha256, proof } of all) {
      const keys = { keys: [signing.key.publicKey], issuers: [ISSUER], subject: "plans" };
      const { claims } = verified(proof!, keys);
      const seconds = (time: string | null) => Math.floor(Date.parse(time!) / 1000);
      expect(claims).toMatchObject({ rev, sha256, changed: seconds(changedAt), iat: seconds(confirmedAt) });
      const { pathname, search } = new URL(url!);
      expect(sha256Of((await get(pathname + search)).text)).toBe(claims.sha256);
    }
    expect(all[2]!.confirmedAt).toBe(iso(NOW + 0.3 * DAY));
  });

  test("the token of a change that was taken back is gone, too", async () => {
    const { store, directory, revisions, refresh } = await signedTimeline();
    const [, { proof }] = (await revisions()) as [unknown, { proof: string }];
    expect(await everything(directory)).toContain(proof);
    const [, mistaken] = await listHistory(factsIn(store), "plans");
    await takeBack(factsIn(store), mistaken!);
    await refresh();
    expect(await everything(directory)).not.toContain(proof);
    expect((await revisions()).map(({ rev, takenBack }) => [rev, takenBack ?? false])).toEqual([
      [3, false],
      [2, true],
      [1, false],
    ]);
  });

  const LIES: [lie: string, edit: (text: string) => string, trusted: number][] = [
    ["another price", (text) => resealedEntry(text, (payload) => payload.replace('"monthly":10', '"monthly":1')), 3],
    ["another time", (text) => text.replaceAll("2026-03-01T12:00:00.000Z", "2026-03-01T11:00:00.000Z"), 2],
  ];
  test.for(LIES)("a store with %s in the past is not believed", async ([, edit, trusted]) => {
    const { directory, store, signing } = await signedTimeline();
    const [, , first] = await listHistory(factsIn(store), "plans");
    const text = await readFile(join(directory, first!.key), "utf8");
    const changed = edit(text);
    expect(changed).not.toBe(text);
    await rm(join(directory, first!.key));
    const { changedAt } = JSON.parse(changed);
    await writeFile(join(directory, historyPlaceOf({ ...first!, changedAt }).key), changed);
    const forTrusting = await startServer({ store, trust: signing.trust, snapshots: [] });
    const forAny = await startServer({ store, snapshots: [] });
    const found: number[] = [];
    for (const { clock, refresh, get } of [forTrusting, forAny]) {
      clock.pass(DAY);
      await refresh();
      found.push(History.parse((await get(PATH)).json()).revisions.length);
      if (found.length === 1) expect((await get(`${PATH}?at=${changedAt}`)).status).toBe(404);
    }
    expect(found).toEqual([trusted, 3]);
  });

  test("an edited entry hides what it had, and nothing before or after it", async () => {
    const { directory, store, signing } = await signedTimeline();
    const [, second] = await listHistory(factsIn(store), "plans");
    const path = join(directory, second!.key);
    const edited = resealedEntry(await readFile(path, "utf8"), (payload) =>
      payload.replace('"monthly":11', '"monthly":1'),
    );
    await writeFile(path, edited);
    const { clock, refresh, get } = await startServer({ store, trust: signing.trust, snapshots: [] });
    clock.set(NOW + 0.95 * DAY);
    await refresh();
    const rows = History.parse((await get(PATH)).json()).revisions;
    expect(rows.map(({ rev, url }) => [rev, url !== null])).toEqual([
      [3, true],
      [2, false],
      [1, true],
    ]);
    expect(JSON.parse(edited).sha256).not.toBe(rows[1]!.sha256);
    for (const [day, said] of [
      [0.4, '"monthly":10'],
      [0.6, "damaged"],
      [0.9, '"monthly":12'],
    ] as const)
      expect((await get(`${PATH}?at=${iso(NOW + day * DAY)}`)).text).toContain(said);
    expect((await get("/changes.json")).text).not.toMatch(/→ .?1[12]/);
  });

  test("until the entry of a change is written, a server that saw the change knows the past, and a new one does not guess", async () => {
    const { directory, store, signing, at, collect, refresh, revisions } = await signedTimeline();
    const before = await revisions();
    await collect(1, 13);
    const [last] = await listHistory(factsIn(store), "plans");
    await rm(join(directory, last!.key));
    await refresh();
    expect((await revisions()).slice(1)).toEqual([{ ...before[0], until: iso(NOW + DAY) }, ...before.slice(1)]);
    expect((await at(0.95)).text).toContain('"monthly":12');
    const later = await startServer({ store, trust: signing.trust, snapshots: [] });
    later.clock.set(NOW + 1.1 * DAY);
    await later.refresh();
    expect((await later.get("/api/v1/plans")).status).toBe(200);
    expect((await later.get(PATH)).status).toBe(502);
    expect((await later.get("/changes.json")).text).toMatch(/11 → .?12/);
    await collect(1.1, 13);
    await later.refresh();
    expect((await later.get(PATH)).status).toBe(200);
  });
});

test("a directory that was emptied, as by a volume that is not mounted, is no past without revisions", async () => {
  const { directory, collect, at, refresh, get, revisions } = await startTimeline();
  for (const [day, price] of [
    [0, 10],
    [0.5, 11],
  ] as const)
    await collect(day, price);
  await rename(directory, `${directory}.away`);
  await mkdir(directory);
  await refresh();
  expect((await get("/api/v1/plans")).status).toBe(200);
  expect([(await get(PATH)).status, (await at(0.4)).status]).toEqual([502, 502]);
  await rm(directory, { recursive: true });
  await rename(`${directory}.away`, directory);
  await refresh();
  expect(await revisions()).toHaveLength(2);
});

/** The entry with another payload, and the checksum for it. */
function resealedEntry(text: string, edit: (payload: string) => string): string {
  const entry = JSON.parse(text);
  const payload = edit(JSON.stringify(entry.payload));
  return JSON.stringify({ ...entry, sha256: sha256Of(payload), payload: JSON.parse(payload) });
}

/** All that lies in a store. */
async function everything(directory: string): Promise<string> {
  const files = (await readdir(directory, { recursive: true })).filter((name) => /json/.test(name));
  return (await Promise.all(files.map((name) => readFile(join(directory, name), "utf8")))).join("\n");
}
