// Redis: a store in Redis or an engine with its protocol, such as Valkey, for a collector and servers on several computers.
// A location redis:// or rediss:// chooses it, or valkey:// or valkeys://, which mean the same; the registry of engines uses it.
// Removed with it: these locations, the variables REDIS_USERNAME and REDIS_PASSWORD, and the packages ioredis and debug.
// after: connections
import type { Engine } from "../../stores/engine.ts";
import { REDIS_FORM, redisPlace } from "./location.ts";

export const redis: Engine = {
  schemes: ["redis", "rediss", "valkey", "valkeys"],
  pace: 5_000,
  // Redis behind Sentinel, in a cluster, or on a unix socket: `redis+sentinel://`, `redis://h1:6379,h2`, `unix://`.
  unsupported: { like: /^((redis|valkey)s?[+-].*:|(redis|valkey)s?:\/\/[^/?#]*,|unix:)/i, error: REDIS_FORM },
  prepare(url, environment) {
    const place = redisPlace(url, environment);
    return async () => (await import("./redis-store.ts")).openRedisStore(place);
  },
};
