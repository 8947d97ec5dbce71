// A server notices that another engine answers behind the address of its store, and that a new connection is no new engine.
import { describe, test, type ExpectStatic } from "vitest";
import { StoreWatch } from "../../../server/features/probes/store-watch.ts";
import { CollectorReport } from "../../../server/mirror/collector-report.ts";
import { numberIn, openAging, startRedisPair, textAt, type OnFinished } from "../../support/redis-pair.ts";
import { NO_REDIS, type RedisServer } from "../../support/redis.ts";
import { factsIn } from "../../support/snapshot.ts";

describe.skipIf(NO_REDIS !== undefined).concurrent("the engine (server/features/probes/store-watch.ts)", () => {
  /** A follower of a store whose connections are replaced all the time, and what it warns of. */
  function watch(onTestFinished: OnFinished, location: string) {
    const warnings: string[] = [];
    const store = openAging(onTestFinished, location, 50);
    const facts = factsIn({ pace: 20, ...store });
    const watched = { facts, collector: new CollectorReport(facts), warn: (line: string) => void warnings.push(line) };
    const follower = new StoreWatch(watched);
    onTestFinished(async () => follower.stop());
    return { warnings, follower, store };
  }

  test("is named once when it has changed, and not because of a new connection", async ({ expect, onTestFinished }) => {
    const { old, next, proxy, location } = await startRedisPair(onTestFinished);
    const { warnings, follower } = watch(onTestFinished, location);
    const nameOf = async (engine: RedisServer) => /run_id:(.{8})/.exec(await engine.info("server"))?.[1];
    await follower.start();
    let questions = 0;
    const connected = async (engine: RedisServer) =>
      (await numberIn(engine, "total_connections_received")) - ++questions;
    const first = await connected(old);
    await expect.poll(() => connected(old), { timeout: 10_000 }).toBeGreaterThan(first + 4);
    expect(warnings).toEqual([]);
    proxy.lead(next.port);
    await expect.poll(() => warnings.length).toBe(1);
    const names = `${await nameOf(old)} → ${await nameOf(next)}`;
    const expected = "expected after a restart, a fail-over or a move";
    expect(warnings[0]).toBe(`the engine of the store has changed (${names}): ${expected}`);
    const later = await connected(next);
    await expect.poll(() => connected(next), { timeout: 10_000 }).toBeGreaterThan(later + 4);
    expect(warnings).toHaveLength(1);
  });

  /** Lets one engine replicate another. */
  async function replicate(expect: ExpectStatic, replica: RedisServer, primary: RedisServer): Promise<void> {
    await primary.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
    await replica.command("REPLICAOF", "127.0.0.1", String(primary.port));
    await expect.poll(() => replica.info("replication"), { timeout: 20_000 }).toContain("master_link_status:up");
  }

  test("is the same for a primary and its replicas", async ({ expect, onTestFinished }) => {
    const { old, next, proxy, location } = await startRedisPair(onTestFinished);
    await replicate(expect, next, old);
    const { warnings, follower } = watch(onTestFinished, location);
    await follower.start();
    proxy.lead(next.port);
    // That of the question.
    await expect.poll(() => numberIn(old, "connected_clients"), { timeout: 10_000 }).toBe(1);
    await follower.refresh();
    expect(warnings).toEqual([]);
  });

  test("is named if it was the replica to which the last one failed over, and a primary's first replica is nothing", async ({
    expect,
    onTestFinished,
  }) => {
    const { old, next, proxy, location } = await startRedisPair(onTestFinished);
    const { warnings, follower } = watch(onTestFinished, location);
    await follower.start();
    await replicate(expect, next, old);
    await follower.refresh();
    expect(warnings).toEqual([]);
    await next.command("REPLICAOF", "NO", "ONE");
    // The last one lives on, with the data of the next one.
    await replicate(expect, old, next);
    await follower.refresh();
    expect(warnings).toEqual([]);
    proxy.lead(next.port);
    await expect
      .poll(() => warnings, { timeout: 10_000 })
      .toEqual([expect.stringContaining("engine of the store has")]);
  });

  test("that does not say what it is, is no matter", async ({ expect, onTestFinished }) => {
    const { old, next, proxy, location } = await startRedisPair(onTestFinished);
    for (const engine of [old, next]) expect(await engine.command("ACL", "SETUSER", "default", "-info")).toBe("+OK");
    const { warnings, follower, store } = watch(onTestFinished, location);
    await follower.start();
    proxy.lead(next.port);
    await expect.poll(() => textAt(store)).toBe("new");
    await follower.refresh();
    expect(warnings).toEqual([]);
  });
});
