// The engines under check, with the ways in which they can be away.
import { openStore } from "../../../snapshots/stores/open-store.ts";
import type { Store } from "../../../snapshots/store.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { startRedis } from "../../support/redis.ts";
import { startProxy } from "../../support/tcp-proxy.ts";
import type { Target } from "../bench/targets.ts";
import type { OnFinished } from "./clean-up.ts";

export interface Outage {
  title: string;
  begin(): unknown;
  /** Resolves when the engine can answer again. */
  end(): unknown;
}

export interface Engine {
  title: string;
  /** The environment of each replica. */
  replicas: readonly Readonly<Record<string, string>>[];
  /** Opens the store for a writer. */
  open(): Store;
  /** The replicas follow a server with this store. */
  isFollowed?: boolean;
  outages: readonly Outage[];
  /** From a publication to a replica (p99), and from the end of an outage until all have what is published then, in ms. */
  delay: Target;
  recovery: Target;
}

export const REPLICAS = 6;
export const REDIS_TARGETS = { delay: { target: 50, limit: 5_000 }, recovery: { target: 3_000, limit: 15_000 } };

/** The pace of an engine without hints, with its spread, in ms. */
const PACE_MS = 1.15 * 15_000;
export const POLLED_TARGETS = {
  delay: { target: PACE_MS + 100, limit: 3 * PACE_MS },
  recovery: { target: PACE_MS + 2_000, limit: 3 * PACE_MS },
};

/** A directory, which is never away. */
export async function filesEngine(onFinished: OnFinished): Promise<Engine> {
  const SNAPSHOTS = await temporaryDirectory(onFinished);
  return {
    title: "files",
    replicas: Array.from({ length: REPLICAS }, () => ({ SNAPSHOTS })),
    open: () => openStore(SNAPSHOTS),
    outages: [],
    ...REDIS_TARGETS,
  };
}

export async function redisEngine(onFinished: OnFinished): Promise<Engine> {
  let redis = await startRedis(onFinished);
  const SNAPSHOTS = redis.location();
  const killed: Outage = {
    title: "killed, back empty",
    begin: () => redis.kill(),
    end: async () => (redis = await startRedis(onFinished, redis)),
  };
  const stopped: Outage = {
    title: "stopped",
    begin: () => process.kill(redis.pid, "SIGSTOP"),
    end: () => process.kill(redis.pid, "SIGCONT"),
  };
  return {
    title: "Redis",
    replicas: Array.from({ length: REPLICAS }, () => ({ SNAPSHOTS })),
    open: () => openStore(SNAPSHOTS),
    outages: [killed, stopped],
    ...REDIS_TARGETS,
  };
}

/** A Redis whose replicas can be cut off by dropped packets, while a writer still reaches it. */
export async function partitionedRedisEngine(onFinished: OnFinished): Promise<Engine> {
  const redis = await startRedis(onFinished);
  const proxy = await startProxy(redis.port, onFinished);
  const location = redis.location();
  const SNAPSHOTS = location.replace(`:${redis.port}/`, `:${proxy.port}/`);
  const dropped: Outage = { title: "packets dropped", begin: () => proxy.drop(), end: () => proxy.restore() };
  return {
    title: "Redis",
    replicas: Array.from({ length: REPLICAS }, () => ({ SNAPSHOTS })),
    open: () => openStore(location),
    outages: [dropped],
    ...REDIS_TARGETS,
  };
}
