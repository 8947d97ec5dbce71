// Two engines behind one address, of which the second takes over while the first lives on.
import { redisPlace } from "../../snapshots/features/redis/location.ts";
import { openRedisStore } from "../../snapshots/features/redis/redis-store.ts";
import type { LoadedStore } from "../../snapshots/store.ts";
import { startRedis, type RedisServer } from "./redis.ts";
import { startProxy } from "./tcp-proxy.ts";

export const KEY = "plans.json";

export type OnFinished = (cleanUp: () => Promise<void>) => void;

/** A store whose connections are replaced after `maxAgeMs`. */
export function openAging(onFinished: OnFinished, location: string, maxAgeMs: number): LoadedStore {
  const store = openRedisStore(redisPlace(new URL(location), {}), maxAgeMs);
  onFinished(() => store.close());
  return store;
}

/** Starts engines with different values, which know nothing of each other. The proxy leads to the first. */
export async function startRedisPair(onFinished: OnFinished) {
  const [old, next] = await Promise.all([startRedis(onFinished), startRedis(onFinished)]);
  const at = (port: number) => `redis://127.0.0.1:${port}/0/same`;
  const fill = async ({ port }: RedisServer, text: string) => {
    const store = openRedisStore(redisPlace(new URL(at(port)), {}));
    const version = await store.put(KEY, Buffer.from(text));
    await store.close();
    return version;
  };
  await fill(old, "old");
  const version = await fill(next, "new");
  const proxy = await startProxy(old.port, onFinished);
  /** `version`: of the value in the second. */
  return { old, next, proxy, version, location: at(proxy.port) };
}

/** The value in a store. */
export async function textAt(store: LoadedStore): Promise<string> {
  const stored = await store.get(KEY);
  return typeof stored === "object" ? String(stored.bytes) : String(stored);
}

/** A number in what an engine says of itself. */
export async function numberIn({ info }: RedisServer, name: string): Promise<number> {
  return Number(new RegExp(`^${name}:(\\d+)`, "m").exec(await info("all"))?.[1]);
}
