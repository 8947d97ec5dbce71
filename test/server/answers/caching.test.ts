// What readers behind caches get: soon after a publication nobody gets the old answer, and no outage of the server costs an answer
// while its facts last.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createHandler } from "../../../server/edge/handler.ts";
import { appendHistory } from "../../../snapshots/history.ts";
import { type Snapshot } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { startCacheDouble, type CachedReply } from "../../support/serving/cache-double.ts";
import { BADGES, DOWNLOADS, FACTS, PAGE, SHARED } from "../../support/serving/prepared-targets.ts";
import { startServer, type TestServer } from "../../support/serving/server.ts";
import { NOW, plansSnapshot, releaseSnapshot, resealed } from "../../support/snapshot.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
const EDGE = "https://facts.example";
const FEEDS = ["/changes.atom", "/changes.json", "/changes.json?since=2026-01-01"];
/** Everything that shows a fact. */
const SHOWN = [...FACTS, PAGE, ...SHARED, ...BADGES, ...DOWNLOADS, ...FEEDS];

/** A snapshot of each name, whose every form differs by revision. */
function everything(revision: number, confirmedAt: number): Snapshot[] {
  const wanted = { revision, confirmedAt };
  const releases = (["macos", "windows"] as const).map((platform) => {
    const snapshot = releaseSnapshot(platform, wanted);
    return resealed(snapshot, JSON.parse(snapshot.text.replaceAll("notes-", `notes-${revision}-`)));
  });
  return [plansSnapshot(wanted), ...releases];
}

async function publishEverything(server: TestServer, revision: number): Promise<void> {
  for (const snapshot of everything(revision, server.clock.wall())) {
    await server.publish(snapshot);
    await appendHistory(openStore(server.directory), snapshot);
  }
  await server.refresh();
}

/** A server with the first revision, and its answers as a CDN fetches them. `away`: whether it is out of reach. */
async function startOrigin() {
  const server = await startServer({ snapshots: [], share: true });
  await publishEverything(server, 1);
  const state = { isAway: false, isEmpty: false };
  const fetch = async (path: string): Promise<CachedReply> => {
    if (state.isAway) throw new Error("out of reach");
    return server.get(path);
  };
  return { server, state, fetch };
}

/** What a reader sees of an answer. */
function seen({ text, headers }: CachedReply): string {
  return `${String(headers.location)} ${text}`;
}

test("two minutes after a publication nobody gets the old answer, however many caches lie between and whenever they were asked", async () => {
  const { server, fetch } = await startOrigin();
  const now = () => server.clock.wall();
  const old = new Map<string, string>();
  for (const path of SHOWN) old.set(path, seen(await server.get(path)));

  // Seconds from the publication to the question, each in a chain of its own; the last one is asked all the time.
  const moments = [1, 20, 58, 62, 88, 92, 118, 121, 200, 3_000, 60_000];
  const chains = [...moments, undefined].map((moment) => {
    const shield = startCacheDouble(fetch, now);
    return { moment, shield, edge: startCacheDouble(shield.get, now) };
  });
  for (const { edge } of chains) for (const path of SHOWN) await edge.get(path);
  await publishEverything(server, 2);

  const isOldLate: string[] = [];
  let last = 0;
  for (const moment of moments) {
    server.clock.pass((moment - last) * SECOND);
    last = moment;
    for (const chain of chains.filter((one) => one.moment === moment || one.moment === undefined)) {
      for (const path of SHOWN) {
        const reply = await chain.edge.get(path);
        expect(reply.status, path).toBeLessThan(400);
        // The caches do keep something.
        if (moment < 60 && chain.moment === moment && !path.startsWith("/snapshots/"))
          expect(seen(reply), path).toBe(old.get(path));
        if (moment > 120 && seen(reply) === old.get(path)) isOldLate.push(`${path} after ${moment} s`);
      }
      await Promise.all([chain.shield.settled(), chain.edge.settled()]);
    }
  }
  expect(isOldLate).toEqual([]);
});

describe("an outage behind a CDN", () => {
  test.for([5, 40, 61, 95, 600])("of a minute costs no answer, from %i s after the last question", async (from) => {
    const { server, state, fetch } = await startOrigin();
    const cdn = startCacheDouble(fetch, () => server.clock.wall());
    for (const path of SHOWN) await cdn.get(path);
    server.clock.pass(from * SECOND);
    state.isAway = true;
    for (let passed = 0; passed <= 60; passed += 4) {
      for (const path of SHOWN) expect((await cdn.get(path)).status, `${path} ${passed}`).toBeLessThan(400);
      server.clock.pass(4 * SECOND);
    }
    await cdn.settled();
    state.isAway = false;
    await publishEverything(server, 2);
    server.clock.pass(120 * SECOND);
    for (const path of FACTS) expect((await cdn.get(path)).text).toBe((await server.get(path)).text);
  });

  test("that outlasts the facts is an error from their end on", async () => {
    const { server, state, fetch } = await startOrigin();
    const cdn = startCacheDouble(fetch, () => server.clock.wall());
    const facts = [...FACTS, ...SHARED, ...DOWNLOADS];
    for (const path of facts) await cdn.get(path);
    state.isAway = true;
    server.clock.pass(DAY - 3 * SECOND);
    for (const path of facts) expect((await cdn.get(path)).status, path).toBeLessThan(400);
    server.clock.pass(3 * SECOND);
    for (const path of facts) expect((await cdn.get(path)).status, path).toBe(504);
  });
});

describe("stale-while-revalidate", () => {
  const parts = (reply: CachedReply) => {
    const [, ...seconds] =
      /^public, max-age=(\d+), stale-while-revalidate=(\d+), stale-if-error=(\d+)$/.exec(
        String(reply.headers["cache-control"]),
      ) ?? [];
    return seconds.map(Number) as [maxAge: number, whileRevalidating: number, ifError: number];
  };

  test("is at most half a minute and never past the end, through every door and at the edge, with 200 and 304, in every encoding", async () => {
    const { server } = await startOrigin();
    const get = (key: string) => readFile(join(server.directory, key)).catch(() => undefined);
    const edge = createHandler({ store: { get }, base: EDGE, share: true }, server.clock);
    for (const left of [
      DAY - SECOND,
      120.5 * SECOND,
      91 * SECOND,
      80 * SECOND,
      62.5 * SECOND,
      30 * SECOND,
      3_001,
      999,
    ]) {
      server.clock.pass(NOW + DAY - left - server.clock.wall());
      for (const path of [...FACTS, PAGE, ...SHARED, ...BADGES, ...DOWNLOADS]) {
        const whole = Math.max(0, Math.floor(left / SECOND) - 2);
        const { etag } = (await server.get(path)).headers;
        // Another spelling leads to h3, Expect to node:http, the rest to the express lane.
        for (const [target, headers] of [
          [path, {}],
          [path, { "accept-encoding": "br" }],
          [path, { "accept-encoding": "gzip", expect: "100-continue" }],
          [`${path.replace(/\?.*/, "")}/${path.replace(/^[^?]*/, "")}`.replace(/^\/\//, "/?x"), {}],
          ...(etag === undefined ? [] : ([[path, { "if-none-match": etag }]] as const)),
        ] as const) {
          const look = async () => parts(await server.get(target, headers));
          await vi.waitFor(async () => {
            const [maxAge, whileRevalidating, ifError] = await look();
            expect(maxAge + ifError, `${target} at ${left}`).toBe(path === PAGE ? Math.min(3_598, whole) : whole);
            expect(whileRevalidating, target).toBe(Math.min(30, ifError));
          });
        }
        const here = (await server.get(path)).headers["cache-control"];
        expect((await edge(new Request(EDGE + path))).headers.get("cache-control"), path).toBe(here);
      }
    }
  });
});
