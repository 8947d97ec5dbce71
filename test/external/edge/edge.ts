// `npm run edge`: the handler on Node.js, Bun, Deno and workerd, compared with the server. The runtimes are for Linux on x64.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled } from "../../support/install.ts";
import { describeMachine, print, printTable } from "../bench/statistics.ts";
import { withCleanUp, type OnFinished } from "../replicas/clean-up.ts";
import { bundleInto } from "./bundle.ts";
import { DIFFERENCES, type Difference } from "./differences.ts";
import { compare } from "./differential.ts";
import { runExamples } from "./examples.ts";
import { RUNTIMES, start } from "./runtimes.ts";
import { runTests } from "./tests/run.ts";

const problems: string[] = [];
const MAX_PROBLEMS = 40;

async function main(onFinished: OnFinished): Promise<void> {
  ensureInstalled(import.meta.dirname);
  const folder = await mkdtemp(join(tmpdir(), "vitrine-edge-"));
  onFinished(() => rm(folder, { recursive: true, force: true }));
  await bundleInto(folder);
  await compareAll(folder);
  problems.push(...runExamples());
}

async function compareAll(folder: string): Promise<void> {
  const rows: string[][] = [
    ["compared with the server", "requests", "other answers", "listed", "tests passed", "left out", "failed", "s"],
  ];
  const listed = new Set<Difference>();
  for (const name of RUNTIMES) {
    const seen = await withCleanUp(async (onFinished) => {
      const { port, stop } = await start(name, join(folder, "worker.mjs"));
      onFinished(stop);
      return compare(name, port, onFinished);
    });
    const { passed, leftOut, seconds, ...tests } = await runTests(name, folder);
    for (const difference of seen.listed) listed.add(difference);
    problems.push(...seen.unlisted, ...tests.problems);
    const counts = [seen.requests, seen.unlisted.length, seen.listed.size, passed, leftOut, tests.problems.length];
    rows.push([name, ...counts.map(String), seconds.toFixed(0)]);
  }
  printTable(rows);
  for (const difference of DIFFERENCES) {
    const line = `${difference.on.join(", ")}: ${difference.says}`;
    if (listed.has(difference)) print(`  listed: ${line}`);
    else problems.push(`listed, but not seen: ${line}`);
  }
}

print(describeMachine());
await withCleanUp(main);
for (const problem of problems.slice(0, MAX_PROBLEMS)) print(problem);
// Connections to the servers that have ended may still be open.
process.exit(problems.length > 0 ? 1 : 0);
