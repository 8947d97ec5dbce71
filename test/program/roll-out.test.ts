// Servers are replaced while their engine is away, as an orchestrator does it: each new one is started first, and an old one stops once
// the new one says that it has started.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { publish } from "../../snapshots/facts.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { isIn } from "../support/program/feature.ts";
import { startProgram, type Program } from "../support/program/program.ts";
import { FILE_SOURCES, settingsDirectory } from "../support/program/settings.ts";
import { NO_REDIS, startRedis } from "../support/redis.ts";
import { startAsking } from "../support/serving/asking.ts";
import { FACTS } from "../support/serving/prepared-targets.ts";
import { allSnapshots, isOk, pollUntil } from "../support/serving/server.ts";
import { startProxy } from "../support/tcp-proxy.ts";

/** Probes of a new server while the engine is away. */
const PROBES = 5;
const PROBE_MS = 100;

describe.skipIf(NO_REDIS !== undefined || !isIn("redis", "probes"))(
  "a roll-out (server/features/probes/probes.ts)",
  () => {
    test("waits while the engine is away, and no answer is lost", async () => {
      const redis = await startRedis(onTestFinished);
      const proxy = await startProxy(redis.port);
      const SNAPSHOTS = redis.location("facts");
      const store = openStore(SNAPSHOTS);
      onTestFinished(() => store.close());
      for (const facts of allSnapshots({ confirmedAt: Date.now() }))
        await publish(store, facts, { version: undefined });
      const directory = await settingsDirectory(FILE_SOURCES);
      const environment = { SNAPSHOTS: SNAPSHOTS.replace(`:${redis.port}/`, `:${proxy.port}/`) };
      const start = () => startProgram(["serve"], { directory, environment });

      /** Those that the orchestrator sends requests to. */
      const inRotation: Program[] = await Promise.all([start(), start()]);
      for (const { get } of inRotation) await pollUntil(() => get("/startupz"), isOk);
      const { end: endAsking } = startAsking(
        (client, count) => inRotation[client % inRotation.length]!.get(FACTS[count % FACTS.length]!),
        { clients: 4, pauseMs: 50 },
      );

      proxy.drop();
      const next = await start();
      await pollUntil(
        async () => next.errors(),
        (lines) => lines.includes("the store cannot be read"),
      );
      for (let probe = 0; probe < PROBES; probe++) {
        expect(await next.get("/healthz")).toMatchObject({ status: 200 });
        expect(await next.get("/startupz")).toMatchObject({ status: 503 });
        await sleep(PROBE_MS);
      }
      // What a request would get there.
      expect((await next.get(FACTS[0])).status).toBe(502);
      proxy.restore();
      await pollUntil(() => next.get("/startupz"), isOk);
      const [old] = inRotation.splice(0, 1, next);
      old?.signal("SIGTERM");
      expect(await old?.exited).toBe(0);
      const { count, others } = await endAsking();
      expect(others).toEqual([]);
      expect(count).toBeGreaterThan(20);
    }, 60_000);
  },
);
