// The real collector, killed at any moment of a run, leaves whole snapshots, and the next run is not blocked.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { readSnapshot } from "../../snapshots/facts.ts";
import { SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { launch, vitrine } from "../support/program/run.ts";
import { factsIn } from "../support/snapshot.ts";

const KILLS = Number(process.env.CRASH_RUNS ?? 4);

test("a collector killed in the middle of a run leaves whole snapshots, and the next run collects", async () => {
  const directory = await temporaryDirectory();
  const environment = { SNAPSHOTS: directory };
  const store = openStore(`${directory}/demo`);
  for (let kill = 1; kill <= KILLS; kill++) {
    const { stdout, ended, stop } = launch("vitrine", ["collect", "--demo"], { directory, environment });
    // The first output comes in the middle of publishing: some snapshots exist, others do not.
    await Promise.race([once(stdout, "data"), ended]);
    await sleep(kill % 4);
    await stop("SIGKILL");
    for (const name of SNAPSHOT_NAMES) expect((await readSnapshot(factsIn(store), name)).damage).toBeUndefined();
  }
  expect(await vitrine(["collect", "--demo"], { directory, environment })).toMatchObject({ code: 0 });
  for (const name of SNAPSHOT_NAMES) expect((await readSnapshot(factsIn(store), name)).state).toBe("found");
});
