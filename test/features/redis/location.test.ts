// Locations of stores in Redis: which are accepted, and that a refusal repeats nothing of them.
import { describe, expect, test } from "vitest";
import { openReader } from "../../../snapshots/stores/open-store.ts";
import { redisPlace } from "../../../snapshots/features/redis/location.ts";

const NOTHING = { port: 6379, hasTls: false, database: 0, name: "vitrine", credentials: [] };

describe("a location (snapshots/features/redis/location.ts)", () => {
  test.for<[location: string, place: object]>([
    ["redis://host", { ...NOTHING, host: "host" }],
    ["redis://host/", { ...NOTHING, host: "host" }],
    ["redis://[::1]:1234/7", { ...NOTHING, host: "::1", port: 1234, database: 7 }],
    ["rediss://host:6380/0/acme:facts", { ...NOTHING, host: "host", port: 6380, hasTls: true, name: "acme:facts" }],
    ["valkey://host/0/acme", { ...NOTHING, host: "host", name: "acme" }],
    ["valkeys://host/0/acme", { ...NOTHING, host: "host", hasTls: true, name: "acme" }],
    ["redis://:p%40ss%2Fword@host", { ...NOTHING, host: "host", credentials: ["p@ss/word"] }],
    ["redis://user:word@host/0/acme", { ...NOTHING, host: "host", name: "acme", credentials: ["user", "word"] }],
  ])("%s", ([location, place]) => {
    expect(redisPlace(new URL(location), {})).toEqual(place);
  });

  test("user name and password come from the environment, unless the location has its own", () => {
    const environment = { REDIS_USERNAME: "of environment", REDIS_PASSWORD: "p%40ss" };
    const credentials = (location: string) => redisPlace(new URL(location), environment).credentials;
    expect(credentials("redis://host")).toEqual(["of environment", "p%40ss"]);
    expect(credentials("redis://:own@host")).toEqual(["own"]);
    expect(redisPlace(new URL("redis://host"), { REDIS_PASSWORD: "only" }).credentials).toEqual(["only"]);
  });

  test("a password is taken without the line end of its file, and no other white space", () => {
    expect(redisPlace(new URL("redis://host"), { REDIS_PASSWORD: " hush \r\n" }).credentials).toEqual([" hush "]);
  });

  test("replicas ask each five seconds, give or take 15 %, and not together", () => {
    const paces = Array.from({ length: 100 }, () => openReader("redis://host").pace);
    expect(Math.min(...paces)).toBeGreaterThanOrEqual(4_250);
    expect(Math.max(...paces)).toBeLessThanOrEqual(5_750);
    expect(new Set(paces).size).toBeGreaterThan(50);
  });

  describe("is refused without a word of it", () => {
    test.for([
      "redis://:hush/hush@host/0/acme",
      "redis://:hush#hush@host/0/acme",
      "redis://:hush?hush@host/0/acme",
      "redis://:%ff-hush@host/0/acme",
      "redis://host/0/hush#claim",
      "redis://host/hush",
      "redis://host/0/hush/more",
      "redis://host/0/hush%20hush",
      "redis://host?db=hush",
      "redis:///0/hush",
      "redis:hush@host",
      "valkey://:hush/hush@host/0/acme",
      "hush://host",
    ])("%s", (location) => {
      const refusal = /^must (look like redis:|be the path of a directory, or a URL)/;
      expect(() => openReader(location)).toThrow(refusal);
      expect(() => openReader(location)).not.toThrow("hush");
    });
  });

  test.for([
    "redis+sentinel://host:26379/mymaster/0",
    "redis-sentinel://host:26379?master=mymaster",
    "rediss+cluster://host/0/acme",
    "redis+unix:///run/redis.sock",
    "redis+socket:///run/redis.sock",
    "unix:///run/redis.sock",
    "redis:///run/redis.sock",
    "redis://host?sentinelMasterId=mymaster",
    "redis://one:6379,two:6379/0/acme",
    "redis://user:word@one,two:6379/0/acme",
    "valkey+sentinel://host:26379/mymaster/0",
    "valkeys://one:6379,two:6379/0/acme",
  ])("%s is refused by name", (location) => {
    expect(() => openReader(location)).toThrow(
      /^must look like .*Sentinel, Cluster, several addresses and unix sockets are not supported/,
    );
  });

  test("a program that only reads has a history", () => {
    expect(openReader("rediss://host").canList ?? true).toBe(true);
    expect(openReader("valkey://host").canList ?? true).toBe(true);
  });
});
