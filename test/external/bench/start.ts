// Measures the time from the start of a program to its first 200: `vitrine serve`, built and from source, and bare node:http.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../support/port.ts";
import { FILE_SOURCES } from "../../support/program/settings.ts";
import { ask, isOk } from "../../support/serving/server.ts";
import { print, printTable, spread } from "./statistics.ts";

const TIMES = 7;
const ROOT = join(import.meta.dirname, "../../..");

/** `plans`: a store with plans in it. `answer`: the file with the answer of the peers. */
export async function measureStart(plans: string, answer: string): Promise<void> {
  const programs = {
    "as published: node dist/vitrine.mjs serve": ["dist/vitrine.mjs", "serve"],
    "from source: node --import tsx cli/main.ts serve": ["--import", "tsx", "cli/main.ts", "serve"],
    "bare node:http": [join(import.meta.dirname, "servers/bare.mjs"), answer],
  };
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: "inherit" });
  // Without settings it would serve the demo, which has its own snapshots.
  const settings = `${plans}.config.json`;
  writeFileSync(settings, JSON.stringify({ snapshots: plans, ...FILE_SOURCES }));
  const taken = Object.entries(programs).map(([name, args]) => ({ name, args, times: [] as number[] }));
  for (let time = 0; time < TIMES; time++) {
    for (const { args, times } of taken) times.push(await timeToFirstAnswer(args, { VITRINE_CONFIG: settings }));
  }
  print(`\nFrom start to first 200, ms, ${TIMES} times: median [quartiles]`);
  printTable([["program", "ms"], ...taken.map(({ name, times }) => [name, spread(times, 0)])]);
}

/** From the start of a program in the project's folder, in ms. */
async function timeToFirstAnswer(args: readonly string[], environment: Record<string, string>): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, HOST: "127.0.0.1", PORT: String(port), ...environment };
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "ignore", "inherit"] });
  const exited = once(child, "exit");
  while (!isOk(await ask(port, "/api/v1/plans").catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error("it ended before it answered");
    await sleep(2);
  }
  const taken = performance.now() - start;
  child.kill("SIGKILL");
  await exited;
  return taken;
}
