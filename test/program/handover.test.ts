// A socket held by a supervisor outlives the processes behind it: a restart under load loses no request.
import { spawnSync } from "node:child_process";
import { Agent } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../support/directory.ts";
import { startTalking } from "../support/program/child.ts";
import { PROGRAM, startProgram } from "../support/program/program.ts";
import { startAsking } from "../support/serving/asking.ts";
import { ask } from "../support/serving/server.ts";

const RESTARTS = 3;
const CLIENTS = 10;
/** Answers before the next restart. */
const BETWEEN_RESTARTS = 100;

/** A supervisor, and `next`, which replaces the server behind its socket. */
async function startSupervisor(directory: string) {
  const supervisor = join(import.meta.dirname, "../support/program/supervisor.py");
  const program = [process.execPath, ...PROGRAM, "serve", "--demo"];
  const { line, ask, end } = startTalking(["python3", supervisor, ...program], directory);
  // It stops the server, too.
  onTestFinished(end);
  return { port: Number(await line()), next: () => ask("next") };
}

test("restarts under busy clients lose no request", { timeout: 120_000 }, async ({ skip }) => {
  if (spawnSync("python3", ["--version"]).status !== 0) skip("python3, which plays the supervisor, is not installed");
  const { port, next } = await startSupervisor(await temporaryDirectory());
  expect(await next()).toBe("up None");
  const agents = Array.from({ length: CLIENTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const asking = (client: number) => ask(port, "/healthz", { agent: agents[client] ?? false });
  const { seen, end } = startAsking(asking, { clients: CLIENTS, pauseMs: 2 });
  for (let restart = 0; restart < RESTARTS; restart++) {
    const enough = seen.count + BETWEEN_RESTARTS;
    await expect.poll(() => seen.count, { timeout: 20_000 }).toBeGreaterThan(enough);
    expect(await next()).toBe("up 0");
  }
  expect((await end()).others).toEqual([]);
  for (const agent of agents) agent.destroy();
});

test("a socket that was passed on to another process is left to it", async () => {
  const environment = { LISTEN_FDS: "1", LISTEN_PID: "1" };
  const { get } = await startProgram(["serve", "--demo"], { directory: await temporaryDirectory(), environment });
  expect((await get("/healthz")).status).toBe(200);
});
