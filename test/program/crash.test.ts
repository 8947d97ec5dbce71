// The real collector, killed at any moment of a run, leaves whole snapshots, and the next run is not blocked.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readSnapshot, SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { PROGRAM } from "../support/program/program.ts";

const KILLS = Number(process.env.CRASH_RUNS ?? 4);

test("a collector killed in the middle of a run leaves whole snapshots, and the next run collects", async () => {
  const directory = await temporaryDirectory();
  const env = { PATH: process.env.PATH, SNAPSHOTS: directory };
  const store = openStore(`${directory}/demo`);
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = spawn(process.execPath, [...PROGRAM, "collect", "--demo"], { cwd: directory, env, stdio: "pipe" });
    // The first output comes in the middle of publishing: some snapshots exist, others do not.
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    await sleep(kill % 4);
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    for (const name of SNAPSHOT_NAMES) expect((await readSnapshot(store, name, Date.now())).damage).toBeUndefined();
  }
  await promisify(execFile)(process.execPath, [...PROGRAM, "collect", "--demo"], { cwd: directory, env });
  for (const name of SNAPSHOT_NAMES) expect((await readSnapshot(store, name, Date.now())).state).toBe("found");
});
