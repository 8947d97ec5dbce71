// Built servers over one Redis that is killed, stopped or cut off while clients ask: only the collector notices, until the
// facts end. `SECONDS=60 npm run external -- replicas` keeps it away for a minute each time.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { publish, readSnapshot } from "../../../snapshots/facts.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import type { Store } from "../../../snapshots/store.ts";
import { afterTests } from "../../support/clean-up.ts";
import { startProgram, type Program } from "../../support/program/program.ts";
import { FILE_SOURCES, settingsDirectory } from "../../support/program/settings.ts";
import { NO_REDIS, startRedis, type RedisServer } from "../../support/redis.ts";
import { startAsking } from "../../support/serving/asking.ts";
import { FACTS } from "../../support/serving/prepared-targets.ts";
import { allSnapshots, pollUntil } from "../../support/serving/server.ts";
import { factsIn, plansSnapshot } from "../../support/snapshot.ts";
import { startProxy, type TcpProxy } from "../../support/tcp-proxy.ts";

const SERVERS = 6;
const AWAY_MS = 1_000 * Number(process.env.SECONDS ?? 5);
/** From the return of the engine until all servers have the next publication: at once, on a busy machine later. */
const RECOVERY_MS = 15_000;
/** Before the facts end, all servers have them and the engine is away. */
const LIFE_MS = 10_000;
const DAY_MS = 24 * 60 * 60_000;
const [PLANS] = FACTS;

describe.skipIf(NO_REDIS !== undefined)("six servers over one Redis", () => {
  let redis: RedisServer;
  let proxy: TcpProxy;
  let store: Store;
  let servers: Program[];
  let price = 0;
  const onFinished = afterTests();

  beforeAll(async () => {
    redis = await startRedis(onFinished);
    // The writer does not pass through it.
    proxy = await startProxy(redis.port, onFinished);
    store = openStore(redis.location("facts"));
    onFinished(() => store.close());
    await publishAll();
    const directory = await settingsDirectory(FILE_SOURCES, onFinished);
    const environment = { SNAPSHOTS: redis.location("facts").replace(`:${redis.port}/`, `:${proxy.port}/`) };
    const start = () => startProgram(["serve"], { directory, environment, onFinished });
    servers = await Promise.all(Array.from({ length: SERVERS }, start));
    await untilAllHave(price);
  });

  /** Publishes facts that differ from all before, as a collector does: revisions begin again in a store that is back empty. */
  async function publishAll(life = DAY_MS): Promise<number> {
    price += 1;
    const now = Date.now();
    const [confirmedAt, freshUntil] = [new Date(now).toISOString(), new Date(now + life).toISOString()];
    for (const facts of [plansSnapshot({ revision: price }), ...allSnapshots().slice(1)]) {
      const last = await readSnapshot(factsIn(store, { now: Infinity }), facts.name);
      const revision = last.state === "found" ? last.snapshot.revision + 1 : 1;
      await publish(store, { ...facts, revision, changedAt: confirmedAt, confirmedAt, freshUntil }, last);
    }
    return now + life;
  }

  async function untilAllHave(published: number): Promise<void> {
    const latest = performance.now() + RECOVERY_MS;
    const isNew = (text: string) => text.includes(`"monthlyPrice":${published},`);
    const texts = await pollUntil(
      () => Promise.all(servers.map(async ({ get }) => (await get(PLANS)).text)),
      (seen) => seen.every(isNew) || performance.now() > latest,
    );
    expect(texts.filter((text) => !isNew(text))).toEqual([]);
  }

  test.for<[what: string, begin: () => unknown, end: () => unknown]>([
    ["killed, and back empty", () => redis.kill(), async () => (redis = await startRedis(onFinished, redis))],
    ["stopped", () => process.kill(redis.pid, "SIGSTOP"), () => process.kill(redis.pid, "SIGCONT")],
    ["cut off by lost packets", () => proxy.drop(), () => proxy.restore()],
  ])("that is %s: nothing but 200, and all have the next publication soon after its return", async ([, begin, end]) => {
    const ask = (client: number, count: number) => servers[client % SERVERS]!.get(FACTS[count % FACTS.length]!);
    const { end: endAsking } = startAsking(ask, { clients: 2 * SERVERS, pauseMs: 20 });
    await begin();
    await sleep(AWAY_MS);
    await end();
    await publishAll();
    await untilAllHave(price);
    const { count, others } = await endAsking();
    expect(others).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  test("that is away when the facts end: 200 until then, and 502 within a second", async () => {
    const freshUntil = await publishAll(LIFE_MS);
    await untilAllHave(price);
    process.kill(redis.pid, "SIGSTOP");
    onTestFinished(async () => {
      process.kill(redis.pid, "SIGCONT");
      await publishAll();
      await untilAllHave(price);
    });
    const firstOther = async ({ get }: Program) => {
      for (;;) {
        const { status } = await get(PLANS);
        if (status !== 200 || Date.now() > freshUntil + 1_000) return { status, isOver: Date.now() >= freshUntil };
        await sleep(5);
      }
    };
    expect(await Promise.all(servers.map(firstOther))).toEqual(servers.map(() => ({ status: 502, isOver: true })));
  });
});
