// `npm run edge`: the handler on Node.js, Bun, Deno and workerd, compared with the server, and with every fault of its origin.
// Then the examples with the platforms' own tools (examples.check.ts). The runtimes are for Linux on x64.
import { join } from "node:path";
import { temporaryDirectory } from "../../support/directory.ts";
import { ensureInstalled } from "../../support/install.ts";
import { describeMachine, print, printTable } from "../bench/statistics.ts";
import { withCleanUp, type OnFinished } from "../../support/check.ts";
import { bundleInto } from "./bundle.ts";
import { compare } from "./differential.ts";
import { FAULTS_HEADING, measureFaults } from "./faults.ts";
import { RUNTIMES, start, type Running } from "./runtimes.ts";

const MAX_PROBLEMS = 40;

async function main(onFinished: OnFinished): Promise<string[]> {
  ensureInstalled();
  const folder = await temporaryDirectory(onFinished);
  await bundleInto(folder);
  const runtimes: Running[] = [];
  for (const name of RUNTIMES) runtimes.push(await start(name, join(folder, "worker.mjs"), onFinished));
  const { requests, unlisted } = await compare(runtimes, onFinished);
  print(`${requests} requests to the server and to each of ${RUNTIMES.join(", ")}: ${unlisted.length} other answers\n`);
  // At the same time, because they mostly wait.
  const faults = await Promise.all(runtimes.map((running) => measureFaults(running, onFinished)));
  printTable([FAULTS_HEADING, ...faults.map(({ row }) => row)]);
  return [...unlisted, ...faults.flatMap(({ problems }) => problems)];
}

print(describeMachine());
const problems = await withCleanUp(main);
for (const problem of problems.slice(0, MAX_PROBLEMS)) print(problem);
// Connections to the servers that have ended may still be open.
process.exit(problems.length > 0 ? 1 : 0);
