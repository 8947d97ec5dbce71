// A connection to Redis has an age. After a fail-over or a move, the old engine may live on and end no connection: readers reach the new
// one all the same, and no read fails on the way.
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, test } from "vitest";
import { freePort } from "../../support/port.ts";
import { KEY, numberIn, openAging, startRedisPair, textAt } from "../../support/redis-pair.ts";
import { NO_REDIS, type RedisServer } from "../../support/redis.ts";

const MAX_AGE_MS = 200;

/** The number of connections that an engine has, without that of the question. */
async function clientsOf(engine: RedisServer): Promise<number> {
  return (await numberIn(engine, "connected_clients")) - 1;
}

describe.skipIf(NO_REDIS !== undefined).concurrent("an old connection (snapshots/features/redis/client.ts)", () => {
  test("is replaced, no read fails, and no connection to the old engine is left", async ({
    expect,
    onTestFinished,
  }) => {
    const { old, next, proxy, location } = await startRedisPair(onTestFinished);
    const store = openAging(onTestFinished, location, MAX_AGE_MS);
    const stop = store.watch(() => {});
    const seen: string[] = [];
    const readUntil = async (text: string) => {
      while (seen.at(-1) !== text) {
        seen.push(...(await Promise.all([textAt(store), textAt(store), textAt(store)])));
        await sleep(5);
      }
    };
    await readUntil("old");
    proxy.lead(next.port);
    await readUntil("new");
    expect(new Set(seen)).toEqual(new Set(["old", "new"]));
    // Never back.
    expect(seen.lastIndexOf("old")).toBeLessThan(seen.indexOf("new") + 3);
    await expect.poll(() => clientsOf(old)).toBe(0);
    stop();
  });

  test("ends after the command that is in flight on it", async ({ expect, onTestFinished }) => {
    const { old, next, proxy, location } = await startRedisPair(onTestFinished);
    const store = openAging(onTestFinished, location, 1_000);
    expect(await textAt(store)).toBe("old");
    process.kill(old.pid, "SIGSTOP");
    const inFlight = textAt(store);
    proxy.lead(next.port);
    await sleep(1_000);
    expect(await textAt(store)).toBe("new");
    process.kill(old.pid, "SIGCONT");
    expect(await inFlight).toBe("old");
    await expect.poll(() => clientsOf(old)).toBe(0);
  });

  test("stays while its address leads nowhere, and is tried again", async ({ expect, onTestFinished }) => {
    const { old, next, proxy, location } = await startRedisPair(onTestFinished);
    const store = openAging(onTestFinished, location, MAX_AGE_MS);
    expect(await textAt(store)).toBe("old");
    proxy.lead(await freePort());
    await sleep(MAX_AGE_MS);
    for (let count = 0; count < 20; count++) expect(await textAt(store)).toBe("old");
    expect(await clientsOf(old)).toBe(1);
    proxy.lead(next.port);
    await expect.poll(() => textAt(store), { timeout: 20_000 }).toBe("new");
  });

  test("is followed by one to the address that its name has then", async ({ expect, onTestFinished, skip }) => {
    const { old, next } = await startRedisPair(onTestFinished);
    // The new engine at the port of the old one, on another address.
    const forward = createServer((near) => {
      const far = connect(next.port, "127.0.0.1");
      for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
        socket.on("data", (chunk) => other.write(chunk));
        socket.on("error", () => {}).on("close", () => other.destroy());
      }
    });
    const isThere = await new Promise<boolean>((resolve) => {
      forward.on("error", () => resolve(false)).listen(old.port, "127.0.0.2", () => resolve(true));
    });
    if (!isThere) return skip("this system has no 127.0.0.2");
    onTestFinished(() => void forward.close());
    const { lookup } = dns;
    let address = "127.0.0.1";
    dns.lookup = ((name: string) =>
      name === "moving.example" ? Promise.resolve([{ address, family: 4 }]) : lookup(name, { all: true })) as never;
    syncBuiltinESMExports();
    onTestFinished(() => {
      dns.lookup = lookup;
      syncBuiltinESMExports();
    });
    const store = openAging(onTestFinished, `redis://moving.example:${old.port}/0/same`, MAX_AGE_MS);
    expect(await textAt(store)).toBe("old");
    address = "127.0.0.2";
    await expect.poll(() => textAt(store)).toBe("new");
  });

  test("that a hint keeps open is replaced, too, and no hint is lost", async ({ expect, onTestFinished }) => {
    const { next, proxy, version, location } = await startRedisPair(onTestFinished);
    const store = openAging(onTestFinished, location, MAX_AGE_MS);
    let hints = 0;
    onTestFinished(store.watch(() => void hints++));
    await expect.poll(() => hints).toBeGreaterThan(0);
    proxy.lead(next.port);
    await expect.poll(() => textAt(store)).toBe("new");
    // The first hint of the next subscription.
    const before = hints;
    await expect.poll(() => hints).toBeGreaterThan(before);
    expect(await store.get(KEY, version)).toBe("unchanged");
  });
});
