// A socket held by a supervisor outlives the processes behind it: a restart under load loses no request.
import { spawnSync } from "node:child_process";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../support/directory.ts";
import { startTalking } from "../support/program/child.ts";
import { PROGRAM } from "../support/program/program.ts";

const RESTARTS = 3;
const CLIENTS = 10;
/** Answers before the next restart. */
const BETWEEN_RESTARTS = 100;
/** Pause of a client between requests, so that a server can start beside them. */
const PAUSE_MS = 2;

/** A supervisor, and `next`, which replaces the server behind its socket. */
async function startSupervisor(directory: string) {
  const supervisor = join(import.meta.dirname, "../support/program/supervisor.py");
  const program = [process.execPath, ...PROGRAM, "serve", "--demo"];
  const { line, ask, end } = startTalking(["python3", supervisor, ...program], directory);
  // It stops the server, too.
  onTestFinished(end);
  return { port: Number(await line()), next: () => ask("next") };
}

interface Tally {
  answered: number;
  failures: string[];
  isOver: boolean;
}

/** Sends requests on a keep-alive connection until `isOver`. */
async function keepAsking(port: number, tally: Tally): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!tally.isOver) {
    const status = await new Promise<number | string>((resolve) => {
      get({ port, host: "127.0.0.1", path: "/api/v1", agent }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
        response.on("error", (error) => resolve(error.message));
      }).on("error", (error) => resolve(error.message));
    });
    if (status === 200) tally.answered++;
    else tally.failures.push(String(status));
    await sleep(PAUSE_MS);
  }
  agent.destroy();
}

test("restarts under busy clients lose no request", { timeout: 120_000 }, async ({ skip }) => {
  if (spawnSync("python3", ["--version"]).status !== 0) skip("python3, which plays the supervisor, is not installed");
  const { port, next } = await startSupervisor(await temporaryDirectory());
  expect(await next()).toBe("up None");
  const tally: Tally = { answered: 0, failures: [], isOver: false };
  const clients = Array.from({ length: CLIENTS }, () => keepAsking(port, tally));
  for (let restart = 0; restart < RESTARTS; restart++) {
    const enough = tally.answered + BETWEEN_RESTARTS;
    await expect.poll(() => tally.answered, { timeout: 20_000 }).toBeGreaterThan(enough);
    expect(await next()).toBe("up 0");
  }
  tally.isOver = true;
  await Promise.all(clients);
  expect(tally.failures).toEqual([]);
});
