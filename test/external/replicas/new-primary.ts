// A fail-over behind one address: a replica becomes the primary, the address leads to it, and the old primary lives on as its
// replica, with all its connections. The collector may fail once; servers must not notice.
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { startRedis } from "../../support/redis.ts";
import { startProxy } from "../../support/tcp-proxy.ts";
import type { Target, Verdicts } from "../bench/targets.ts";
import type { OnFinished } from "./clean-up.ts";
import { REDIS_TARGETS, REPLICAS, type Engine } from "./engines.ts";
import { SLOT_MS, startCollector, startRisingUpstream, watchPrice } from "./fail-over.ts";
import { limited } from "./measures.ts";
import { startSteadyLoad } from "./steady-load.ts";
import { startSubject } from "./subject.ts";

const FAILED_RUNS: Target = { target: 1, limit: 1 };
const OTHER_ANSWERS: Target = { target: 0, limit: 0 };
/** The slot that fails, the next one, and its run. */
const BACK_MS: Target = { target: 2 * SLOT_MS + 2_000, limit: 6 * SLOT_MS };

export const NEW_PRIMARY_HEADING = [
  "a new primary behind one address",
  "failed runs",
  "requests",
  "other than 200",
  "in all replicas again, ms",
  "target",
];

export async function measureNewPrimary(verdicts: Verdicts, onFinished: OnFinished): Promise<string[]> {
  const { engine, failOver } = await twoEngines(onFinished);
  const subject = await startSubject(engine, onFinished);
  const upstream = await startRisingUpstream(onFinished);
  let log = "";
  const onOutput = (text: string) => void (log += text);
  await startCollector("one", { subject, origin: upstream.origin, onFinished, onOutput });
  const before = await upstream.nextRun(() => true);
  await Promise.all(subject.ports.map((port) => watchPrice(port).until(before.price)));
  const endLoad = startSteadyLoad(subject.ports);
  await failOver();
  const since = performance.now();
  const published = async () => {
    const next = await upstream.nextRun(() => true);
    await Promise.all(subject.ports.map((port) => watchPrice(port).until(next.price)));
    return performance.now() - since;
  };
  const back = await Promise.race([published(), sleep(BACK_MS.limit, Infinity, { ref: false })]);
  const { requests, others } = await endLoad();
  const failed = log.match(/READONLY/g)?.length ?? 0;
  return [
    engine.title,
    verdicts.judge("Redis: a new primary, failed runs", failed, FAILED_RUNS),
    String(requests),
    verdicts.judge("Redis: a new primary, other than 200", others, OTHER_ANSWERS),
    verdicts.judge("Redis: a new primary, in all replicas again, ms", back, BACK_MS),
    limited(BACK_MS),
  ];
}

/** A primary and its replica behind a proxy. */
async function twoEngines(onFinished: OnFinished): Promise<{ engine: Engine; failOver(): Promise<void> }> {
  const settings = ["--repl-diskless-sync-delay", "0"];
  const [old, next] = [await startRedis(onFinished, { settings }), await startRedis(onFinished, { settings })];
  await next.command("REPLICAOF", "127.0.0.1", String(old.port));
  const proxy = await startProxy(old.port, onFinished);
  const SNAPSHOTS = old.location().replace(`:${old.port}/`, `:${proxy.port}/`);
  return {
    engine: {
      title: "Redis",
      replicas: Array.from({ length: REPLICAS }, () => ({ SNAPSHOTS })),
      open: () => openStore(SNAPSHOTS),
      outages: [],
      ...REDIS_TARGETS,
    },
    async failOver() {
      await next.command("REPLICAOF", "NO", "ONE");
      proxy.lead(next.port);
      await old.command("REPLICAOF", "127.0.0.1", String(next.port));
    },
  };
}
