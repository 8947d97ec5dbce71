// The operator learns of a snapshot's age before readers do: once past half of its lifetime, once when it is stale, and
// once when it is fresh again; /status reports the same.
import { describe, expect, test } from "vitest";
import { writeReport } from "../../../snapshots/records.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { isIn } from "../../support/program/feature.ts";
import { startServer, pollUntil } from "../../support/serving/server.ts";
import { factsIn, NOW, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const HOUR = 3_600_000;

interface MonitorRow {
  name: string;
  state: string;
  aging?: boolean;
  lastOutcome?: { result: string; finishedAt: string };
}

async function status({ get }: Pick<Awaited<ReturnType<typeof startServer>>, "get">): Promise<MonitorRow[]> {
  return ((await get("/status")).json() as { snapshots: MonitorRow[] }).snapshots;
}

describe("the age of a snapshot (server/mirror/freshness-monitor.ts)", () => {
  test("each change of a snapshot's condition is reported once, and the condition at the start is no change", async () => {
    const { clock, refresh, conditions, publish } = await startServer({
      snapshots: [plansSnapshot(), { ...releaseSnapshot("macos"), freshUntil: new Date(NOW).toISOString() }],
    });
    clock.pass(12 * HOUR);
    await refresh();
    expect(conditions).toEqual([]);
    clock.pass(1);
    await refresh();
    await refresh();
    expect(conditions).toEqual(["plans aging"]);
    clock.pass(12 * HOUR);
    await refresh();
    expect(conditions).toEqual(["plans aging", "plans stale"]);
    await publish(plansSnapshot({ confirmedAt: NOW + 24 * HOUR }));
    await publish(releaseSnapshot("windows", { confirmedAt: NOW + 24 * HOUR }));
    await refresh();
    expect(conditions).toEqual(["plans aging", "plans stale", "plans fresh"]);
  });

  test("the passage of time is reported without any request", async () => {
    const { clock, conditions } = await startServer();
    clock.pass(13 * HOUR);
    await pollUntil(
      () => Promise.resolve(conditions.length),
      (count) => count === 3,
    );
    expect(conditions).toEqual(["plans aging", "release-macos aging", "release-windows aging"]);
  });

  test.runIf(isIn("probes"))(
    "/status reports that a snapshot is aging, and the result of the last collection, but no reason",
    async () => {
      const server = await startServer();
      expect((await status(server))[0]).not.toHaveProperty("lastOutcome");
      const store = openStore(server.directory);
      await writeReport(factsIn(store), [
        { name: "plans", result: "failed", reason: "answered 503", milliseconds: 12 },
      ]);
      server.clock.pass(13 * HOUR);
      await server.refresh();
      const [plans, macos] = await status(server);
      expect(plans).toMatchObject({ state: "fresh", aging: true, lastOutcome: { result: "failed" } });
      expect(Date.parse(plans?.lastOutcome?.finishedAt ?? "")).not.toBeNaN();
      expect(macos).not.toHaveProperty("lastOutcome");
      expect((await server.get("/status")).text).not.toContain("answered");
    },
  );

  test.runIf(isIn("probes"))("an unreadable report leaves the last known collection in place", async () => {
    const server = await startServer();
    const store = openStore(server.directory);
    await writeReport(factsIn(store), [{ name: "plans", result: "changed", milliseconds: 12 }]);
    await server.refresh();
    await store.put("last-run.json", Buffer.from("{"));
    await server.refresh();
    expect((await status(server))[0]).toMatchObject({ lastOutcome: { result: "changed" } });
  });
});
