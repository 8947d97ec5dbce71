// Built servers over one Redis that is killed, stopped or cut off while clients ask: only the collector notices, until the
// facts end. `SECONDS=60 npm run external -- replicas` keeps it away for a minute each time.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import type { Store } from "../../../snapshots/store.ts";
import { afterTests } from "../../support/clean-up.ts";
import type { Program } from "../../support/program/program.ts";
import { NO_REDIS, startRedis, type RedisServer } from "../../support/redis.ts";
import { startAsking } from "../../support/serving/asking.ts";
import { FACTS } from "../../support/serving/prepared-targets.ts";
import { startProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { pricesOf, publishPrice, SERVERS, startServers } from "./six-servers.ts";

const AWAY_MS = 1_000 * Number(process.env.SECONDS ?? 5);
/** From the return of the engine until all servers have the next publication: at once, on a busy machine later. */
const RECOVERY_MS = 15_000;
/** Before the facts end, all servers have them and the engine is away. */
const LIFE_MS = 10_000;
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
    const location = redis.location("facts").replace(`:${redis.port}/`, `:${proxy.port}/`);
    servers = await startServers(location, onFinished);
    await untilAllHave(price);
  });

  /** Publishes facts that differ from all before. */
  const publishAll = (life?: number) => publishPrice(store, ++price, life);

  async function untilAllHave(published: number): Promise<void> {
    expect(await pricesOf(servers, published, RECOVERY_MS)).toEqual(servers.map(() => published));
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
