// Built servers over an engine behind one address that leads to another engine from some moment on, while the first one lives on: after a
// fail-over as an isolated primary, after a planned move as a copy that is behind.
import { beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { afterTests } from "../../support/clean-up.ts";
import type { Program } from "../../support/program/program.ts";
import { NO_REDIS, startRedis, type RedisServer } from "../../support/redis.ts";
import { startAsking } from "../../support/serving/asking.ts";
import { FACTS } from "../../support/serving/prepared-targets.ts";
import { pollUntil } from "../../support/serving/server.ts";
import { startProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { priceIn, pricesOf, publishPrice, SERVERS, startServers } from "./six-servers.ts";

/** A connection is used for 60 s, and asked each 5 s. The rest is for a busy machine. */
const MOVE_MS = 90_000;
const PROMPT_MS = 15_000;
const [PLANS] = FACTS;

describe.skipIf(NO_REDIS !== undefined)("six servers over one address", () => {
  const onFinished = afterTests();
  let price = 0;
  let engine: RedisServer;
  let proxy: TcpProxy;
  let servers: Program[];

  beforeAll(async () => {
    engine = await startRedis(onFinished);
    proxy = await startProxy(engine.port, onFinished);
    await publishInto(engine);
    servers = await startServers(`redis://127.0.0.1:${proxy.port}/0/facts`, onFinished);
    expect(await pricesOf(servers, price, PROMPT_MS)).toEqual(Array(SERVERS).fill(price));
  });

  /** Publishes another price in an engine itself. */
  async function publishInto({ location }: RedisServer): Promise<void> {
    const store = openStore(location("facts"));
    await publishPrice(store, ++price).finally(() => store.close());
  }

  /** An engine that has all that the present one has, and is a primary from then on. */
  async function startCopy(): Promise<RedisServer> {
    const copy = await startRedis(onFinished);
    await engine.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
    await copy.command("REPLICAOF", "127.0.0.1", String(engine.port));
    await pollUntil(
      () => copy.info("replication"),
      (text) => text.includes("master_link_status:up"),
    );
    await copy.command("REPLICAOF", "NO", "ONE");
    return copy;
  }

  /** Asks each server while something happens. Each answer must be 200, and no price lower than one before. */
  async function whileAsking(happens: () => Promise<void>): Promise<void> {
    const newest = servers.map(() => 0);
    const back: string[] = [];
    const ask = async (client: number) => {
      const reply = await servers[client]!.get(PLANS);
      const seen = priceIn(reply.text) ?? 0;
      if (seen < newest[client]!) back.push(`${newest[client]} → ${seen}`);
      newest[client] = seen;
      return reply;
    };
    const { end } = startAsking(ask, { clients: SERVERS, pauseMs: 20 });
    await happens();
    const { count, others } = await end();
    expect({ others, back }).toEqual({ others: [], back: [] });
    expect(count).toBeGreaterThan(1_000);
  }

  const changes = () =>
    servers.map((server) => server.errors().split("the engine of the store has changed").length - 1);

  test("that fails over while the old primary lives on alone: all have the newest within 90 s, and say so", async () => {
    const next = await startCopy();
    await whileAsking(async () => {
      proxy.lead(next.port);
      await publishInto(next);
      expect(await pricesOf(servers, price, MOVE_MS)).toEqual(Array(SERVERS).fill(price));
    });
    await pollUntil(
      async () => changes(),
      (counts) => counts.every((count) => count > 0),
    );
    expect(changes()).toEqual(Array(SERVERS).fill(1));
    expect(await engine.info("replication")).toContain("role:master");
    engine = next;
  });

  test("that moves to a copy that is behind: none has anything older, and all have the next within 90 s", async () => {
    const next = await startCopy();
    await publishInto(engine);
    expect(await pricesOf(servers, price, PROMPT_MS)).toEqual(Array(SERVERS).fill(price));
    await whileAsking(async () => {
      proxy.lead(next.port);
      // The old one goes on as a copy without a link, which takes no writes.
      await engine.command("REPLICAOF", "127.0.0.1", "1");
      await pollUntil(
        async () => changes(),
        (counts) => counts.every((count) => count > 1),
      );
      expect(await pricesOf(servers, price, 0)).toEqual(Array(SERVERS).fill(price));
      await publishInto(next);
      expect(await pricesOf(servers, price, PROMPT_MS)).toEqual(Array(SERVERS).fill(price));
    });
    expect(changes()).toEqual(Array(SERVERS).fill(2));
  });
});
