// Stores in a Redis that refuses, is silent, is cut off or comes back: each operation ends with one clear error, and the store works
// again as soon as the engine does.
import dns from "node:dns/promises";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test, type TestContext } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { StoreError, Unreachable, type Store, MAX_VALUE_BYTES } from "../../../snapshots/store.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { freePort } from "../../support/port.ts";
import { NO_REDIS, startRedis } from "../../support/redis.ts";
import { startProxy } from "../../support/tcp-proxy.ts";

const KEY = "plans.json";
const IN_SCRIPT = "ERR Error running script (call to f_1): @user_script: 3: -READONLY You can't write";
const bytes = (text: string) => Buffer.from(text);

type OnFinished = TestContext["onTestFinished"];

function open(onTestFinished: OnFinished, location: string, environment = {}): Store {
  const store = openStore(location, environment);
  onTestFinished(() => store.close());
  return store;
}

/** Resolves at the next hint. */
function nextHint(store: Store): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.watch(() => {
      stop();
      resolve();
    });
  });
}

/** Every operation of a store, and how each fails: the kind of error and its message. */
async function failures(store: Store): Promise<Record<string, string>> {
  const operations = {
    get: () => store.get(KEY),
    list: () => store.list("history"),
    put: () => store.put(KEY, bytes("new")),
    remove: () => store.remove(KEY),
    claim: () => store.claim(),
  };
  const failed = Object.entries(operations).map(async ([name, operation]) => {
    const error = await operation().then(
      () => "succeeded",
      (error: unknown) => (error instanceof StoreError ? `${error.name}: ${error.message}` : `bug: ${String(error)}`),
    );
    return [name, error] as const;
  });
  return Object.fromEntries(await Promise.all(failed));
}

// Most of their time is waiting.
describe.skipIf(NO_REDIS !== undefined).concurrent("Redis errors (snapshots/features/redis/faults.ts)", () => {
  test.for<[code: string, settings: string[], problem: string]>([
    ["NOAUTH", ["--requirepass", "secret"], "asks for a password"],
    ["WRONGPASS", ["--requirepass", "other"], "refuses user name or password"],
    ["ERR", ["--databases", "1"], "has no database of this number"],
    ["ERR", [], "has no password"],
    ["CLUSTERDOWN", ["--cluster-enabled", "yes"], "is a cluster"],
    ["MASTERDOWN", ["--replicaof", "127.0.0.1", "1", "--replica-serve-stale-data", "no"], "is a replica that has lost"],
  ])("%s is one clear error of every operation: %s", async ([code, settings, problem], { onTestFinished }) => {
    const redis = await startRedis(onTestFinished, { settings });
    const location = problem.includes("database") ? redis.location().replace("/0/", "/9/") : redis.location();
    const environment = problem.match(/has no pass|refuses/) ? { REDIS_PASSWORD: "secret" } : {};
    const found = await failures(open(onTestFinished, location, environment));
    const expected = expect.stringMatching(new RegExp(`^Unreachable: Redis ${problem}[^()]* \\(${code}\\): [^()]+$`));
    expect(found).toEqual({ get: expected, list: expected, put: expected, remove: expected, claim: expected });
  });

  test("a Sentinel is not taken for the engine that it watches", async ({ onTestFinished }) => {
    const path = join(await temporaryDirectory(onTestFinished), "sentinel.conf");
    await writeFile(path, "");
    const sentinel = await startRedis(onTestFinished, { settings: [path, "--sentinel"] });
    const store = open(onTestFinished, sentinel.location());
    const refusal = "Redis is a Sentinel (ERR): give the address of its primary, or one that follows it";
    await expect(store.get(KEY)).rejects.toThrow(refusal);
    await expect(store.list("history")).rejects.toThrow(refusal);
    await expect(store.claim()).rejects.toThrow(refusal);
    const withPassword = open(onTestFinished, sentinel.location(), { REDIS_PASSWORD: "secret" });
    await expect(withPassword.get(KEY)).rejects.toThrow("a Sentinel answers so, too: give the address of its primary");
  });

  test("an engine that takes no writes can be read", async ({ onTestFinished }) => {
    const redis = await startRedis(onTestFinished);
    const store = open(onTestFinished, redis.location());
    const version = await store.put(KEY, bytes("old"));
    await redis.command("CONFIG", "SET", "maxmemory", "1");
    await expect(store.put(KEY, bytes("new"))).rejects.toThrow("Redis is out of memory (OOM): raise its maxmemory");
    await redis.command("REPLICAOF", "127.0.0.1", "1");
    await expect(store.put(KEY, bytes("new"))).rejects.toThrow("Redis is a replica, which takes no writes (READONLY)");
    await expect(store.claim()).rejects.not.toThrow(Unreachable);
    expect(await store.get(KEY)).toMatchObject({ bytes: bytes("old"), version });
  });

  test("an engine that is stopped fails every operation, and answers when it goes on", async ({ onTestFinished }) => {
    const redis = await startRedis(onTestFinished);
    const [store, other] = [open(onTestFinished, redis.location("same")), open(onTestFinished, redis.location("same"))];
    await store.put(KEY, bytes("old"));
    process.kill(redis.pid, "SIGSTOP");
    const silent = expect.stringMatching(/^Unreachable: Redis does not answer \(ETIMEDOUT\): /);
    const all = { get: silent, list: silent, put: silent, remove: silent, claim: silent };
    const since = performance.now();
    expect(await Promise.all([failures(store), failures(other)])).toEqual([all, all]);
    expect(performance.now() - since).toBeLessThan(4_000);
    const hint = nextHint(other);
    process.kill(redis.pid, "SIGCONT");
    await hint;
    // Operations that had no answer may have had an effect.
    const version = await store.put(KEY, bytes("newest"));
    expect(await store.get(KEY)).toMatchObject({ bytes: bytes("newest"), version });
  });

  test("an engine that comes back empty is read as empty, and readers are told", async ({ onTestFinished }) => {
    const redis = await startRedis(onTestFinished);
    const store = open(onTestFinished, redis.location("same"));
    const version = await store.put(KEY, bytes("old"));
    await nextHint(store);
    await redis.kill();
    await expect(store.get(KEY)).rejects.toThrow(Unreachable);
    await expect(store.put("report.json", bytes("late"))).rejects.toThrow(Unreachable);
    const hint = nextHint(store);
    await startRedis(onTestFinished, redis);
    await hint;
    // A write that has failed is not made up for.
    expect(await redis.command("EXISTS", "same")).toBe(":0");
    expect(await store.get(KEY, version)).toBeUndefined();
    await store.put(KEY, bytes("new"), { ifVersion: null });
  });

  test("a partition that loses packets fails calls, and is over for readers once it is over", async ({
    onTestFinished,
  }) => {
    const redis = await startRedis(onTestFinished);
    const proxy = await startProxy(redis.port, onTestFinished);
    const [near, far] = [
      open(onTestFinished, redis.location("same")),
      open(onTestFinished, `redis://127.0.0.1:${proxy.port}/0/same`),
    ];
    await near.put(KEY, bytes("before"));
    const hints = { count: 0, next: () => {} };
    far.watch(() => {
      hints.count++;
      hints.next();
    });
    await new Promise<void>((resolve) => (hints.next = resolve));
    await far.get(KEY);
    proxy.drop();
    await expect(far.get(KEY)).rejects.toThrow("Redis does not answer (ETIMEDOUT)");
    const version = await near.put(KEY, bytes("after"));
    const hint = new Promise<void>((resolve) => (hints.next = resolve));
    proxy.restore();
    await hint;
    expect(await far.get(KEY)).toMatchObject({ bytes: bytes("after"), version });
  });

  test("connections that are cut are opened again, for hints, too", async ({ expect, onTestFinished }) => {
    const redis = await startRedis(onTestFinished);
    const proxy = await startProxy(redis.port, onTestFinished);
    const store = open(onTestFinished, `redis://127.0.0.1:${proxy.port}/0/same`);
    await nextHint(store);
    const version = await store.put(KEY, bytes("before"));
    await nextHint(store);
    proxy.cut();
    await expect.poll(() => store.get(KEY, version).catch(() => "lost")).toBe("unchanged");
    await nextHint(store);
  });

  test("after a fail-over behind one address, one write fails, and the next one reaches the new primary", async ({
    expect,
    onTestFinished,
  }) => {
    const next = await startRedis(onTestFinished, { settings: ["--repl-diskless-sync-delay", "0"] });
    const old = await startRedis(onTestFinished);
    const proxy = await startProxy(old.port, onTestFinished);
    const location = `redis://127.0.0.1:${proxy.port}/0/same`;
    const [writer, reader] = [open(onTestFinished, location), open(onTestFinished, location)];
    let onHint = () => {};
    await new Promise<void>((resolve) => reader.watch(() => (resolve(), onHint())));
    await writer.put(KEY, bytes("before"));
    await reader.get(KEY);
    proxy.lead(next.port);
    // The old primary lives on, and ends no connection.
    await old.command("REPLICAOF", "127.0.0.1", String(next.port));
    await expect(writer.claim()).rejects.toThrow("Redis is a replica, which takes no writes (READONLY)");
    expect(await writer.claim()).toBeDefined();
    // The reader's connections stay, and the replica has the value and its hint from the new primary.
    await expect.poll(() => reader.get(KEY).catch(() => "loading"), { timeout: 20_000 }).toBe(undefined);
    const hint = new Promise<void>((resolve) => (onHint = resolve));
    const version = await writer.put(KEY, bytes("after"));
    await hint;
    await expect.poll(() => reader.get(KEY)).toMatchObject({ bytes: bytes("after"), version });
  });

  test("a claim whose reply was lost is recognised as one's own, and keeps others out until then", async ({
    expect,
    onTestFinished,
  }) => {
    const redis = await startRedis(onTestFinished);
    const [store, other] = [open(onTestFinished, redis.location("same")), open(onTestFinished, redis.location("same"))];
    await store.list("history");
    process.kill(redis.pid, "SIGSTOP");
    await expect(store.claim()).rejects.toThrow("Redis does not answer (ETIMEDOUT)");
    process.kill(redis.pid, "SIGCONT");
    await expect.poll(() => redis.command("EXISTS", "same#claim")).toBe(":1");
    expect(await other.claim()).toBeUndefined();
    const claim = await store.claim();
    expect(claim).toBeDefined();
    expect(await store.claim()).toBeUndefined();
    await claim?.release();
    expect(await other.claim()).toBeDefined();
  });

  test("a claim is kept beyond its lease, and an engine that has lost it gets it again", async ({
    expect,
    onTestFinished,
  }) => {
    const redis = await startRedis(onTestFinished);
    const [store, other] = [open(onTestFinished, redis.location("same")), open(onTestFinished, redis.location("same"))];
    const claim = await store.claim();
    const lease = async () => Number((await redis.command("PTTL", "same#claim")).slice(1));
    expect(await lease()).toBeGreaterThan(20_000);
    expect(await lease()).toBeLessThanOrEqual(30_000);
    await redis.command("DEL", "same#claim");
    await expect.poll(lease, { timeout: 20_000 }).toBeGreaterThan(20_000);
    expect(await other.claim()).toBeUndefined();
    await claim?.release();
    expect(await other.claim()).toBeDefined();
  });
});

describe("without a Redis", () => {
  test("an address where nothing listens", async ({ onTestFinished }) => {
    const refused = expect.stringMatching(/^Unreachable: Redis does not answer \(ECONNREFUSED\): /);
    const all = { get: refused, list: refused, put: refused, remove: refused, claim: refused };
    expect(await failures(open(onTestFinished, `redis://127.0.0.1:${await freePort()}`))).toEqual(all);
  });

  test.for<[answer: string, bytes: string, message: RegExp]>([
    ["another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n", /does not speak its protocol \(EBADMSG\)/],
    ["a reply to no command", "+PONG\r\n+OK\r\n+OK\r\n:1\r\n", /does not speak its protocol \(EBADMSG\)/],
    [
      "a code that is not known",
      "-NEWCODE for user hush\r\n",
      /^Redis refuses a command \(ERR\): (?!.*(hush|NEWCODE))/,
    ],
    ["an error in a script, as Redis 6 has it", `-${IN_SCRIPT}\r\n`, /takes no writes \(READONLY\): /],
    ["no end", "+PONG", /does not answer \(ETIMEDOUT\)/],
  ])("an engine that answers with %s", async ([, answer, message], { onTestFinished }) => {
    const server = createServer((socket) => {
      socket.on("error", () => {}).once("data", () => socket.write(answer));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const store = open(onTestFinished, `redis://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await expect(store.get(KEY)).rejects.toThrow(message);
  });

  test("a resolver that is silent is asked once, however often the store is", async ({ onTestFinished }) => {
    const { lookup } = dns;
    const answers: (() => void)[] = [];
    dns.lookup = (() => new Promise((resolve) => answers.push(() => resolve([])))) as never;
    syncBuiltinESMExports();
    onTestFinished(() => {
      dns.lookup = lookup;
      syncBuiltinESMExports();
      for (const answer of answers) answer();
    });
    const store = open(onTestFinished, "redis://silent.example");
    await expect(store.get(KEY)).rejects.toThrow("Redis does not answer (ETIMEDOUT)");
    await expect(store.get(KEY)).rejects.toThrow("Redis does not answer (ETIMEDOUT)");
    expect(answers).toHaveLength(1);
  });

  test("a store that is closed, even before its first use", async ({ onTestFinished }) => {
    const store = open(onTestFinished, "redis://127.0.0.1:1");
    await store.close();
    await expect(store.get(KEY)).rejects.toThrow("the store is closed");
  });
});

test("each message is a hint, on the same connection", async ({ onTestFinished }) => {
  const array = (...words: string[]) =>
    `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`;
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket
      .on("error", () => {})
      .on("data", (command) => {
        if (!command.includes("subscribe")) return void socket.write("+PONG\r\n");
        const message = array("message", "vitrine", KEY);
        socket.write(array("subscribe", "vitrine", "1") + message + message);
      });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const store = open(onTestFinished, `redis://127.0.0.1:${(server.address() as AddressInfo).port}`);
  let hints = 0;
  await new Promise<void>((resolve) => store.watch(() => ++hints === 3 && resolve()));
  expect(connections).toBe(1);
});

describe.skipIf(NO_REDIS !== undefined)("a value that Vitrine has not written", () => {
  test("is damage if it is too large or has no version, and the others are read", async ({ onTestFinished }) => {
    const redis = await startRedis(onTestFinished);
    const store = open(onTestFinished, redis.location("odd"));
    const version = await store.put(KEY, Buffer.alloc(MAX_VALUE_BYTES + 1));
    const failure = await store.get(KEY).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "StoreError", message: `over ${MAX_VALUE_BYTES} bytes`, version });
    await redis.command("HSET", "odd", "report.json", "{}");
    const healthy = await store.put("release-macos.json", bytes("healthy"));
    const reads = await Promise.allSettled([KEY, "report.json", "release-macos.json"].map((key) => store.get(key)));
    expect(reads).toMatchObject([
      { reason: { name: "StoreError" } },
      { reason: { name: "StoreError", message: "has no version, so something else wrote it" } },
      { value: { version: healthy } },
    ]);
    await store.put("report.json", bytes("healed"), { ifVersion: null });
    expect(await store.get("report.json")).toMatchObject({ bytes: bytes("healed") });
  });

  test("of another type under the name of the store is left alone", async ({ onTestFinished }) => {
    const redis = await startRedis(onTestFinished);
    await redis.command("SET", "taken", "by something else");
    const taken = expect.stringMatching(/^Unreachable: Redis keeps something else under this name \(WRONGTYPE\): /);
    const { claim, ...found } = await failures(open(onTestFinished, redis.location("taken")));
    expect(found).toEqual({ get: taken, list: taken, put: taken, remove: taken });
    expect(claim).toBe("succeeded");
    expect(await redis.command("GET", "taken")).toBe("$17");
  });

  test("in a hash with far more keys is not listed", async ({ onTestFinished }) => {
    const redis = await startRedis(onTestFinished);
    const fields = Array.from({ length: 20_001 }, (_, index) => [`history/plans-${index}.json`, "{}"]);
    await redis.command("HSET", "full", ...fields.flat());
    await expect(open(onTestFinished, redis.location("full")).list("history")).rejects.toThrow("keeps too much");
  });
});
