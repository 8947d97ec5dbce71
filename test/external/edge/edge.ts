// `npm run edge`: the handler on Node.js, Bun, Deno and workerd, compared with the server. The runtimes are for Linux on x64.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ensureInstalled } from "../../support/install.ts";
import { describeMachine, print, printTable } from "../bench/statistics.ts";
import { Verdicts, type Target } from "../bench/targets.ts";
import { withCleanUp, type OnFinished } from "../replicas/clean-up.ts";
import { askAsClient, buildFor, CLIENTS_HEADING, startBrowser } from "./clients.ts";
import { bundleInto } from "./bundle.ts";
import { DIFFERENCES, type Difference } from "./differences.ts";
import { compare } from "./differential.ts";
import { runExamples } from "./examples.ts";
import { FAULTS_HEADING, measureFaults } from "./faults.ts";
import { FIGURES_HEADING, FIGURES_TARGETS, measureFigures } from "./figures.ts";
import { RUNTIMES, start } from "./runtimes.ts";
import { runTests } from "./tests/run.ts";

const problems: string[] = [];
const verdicts = new Verdicts();
/** Minified, and with gzip. */
const SIZES_KB: readonly Target[] = [
  { target: 450, limit: 450 },
  { target: 140, limit: 140 },
];
const MAX_PROBLEMS = 40;

async function main(onFinished: OnFinished): Promise<void> {
  ensureInstalled();
  const folder = await mkdtemp(join(tmpdir(), "vitrine-edge-"));
  onFinished(() => rm(folder, { recursive: true, force: true }));
  await bundleInto(folder);
  await compareAll(folder);
  await measureAll(join(folder, "origins.mjs"));
  await visitAll(await buildFor(folder, onFinished), onFinished);
  problems.push(...runExamples());
  const minified = await readFile(join(folder, "edge.mjs"));
  const sizes = [minified, gzipSync(minified)].map(({ byteLength }) => byteLength / 1_000) as [number, number];
  const [size, compressed] = sizes.map((kilobytes, index) => verdicts.judge("size, kB", kilobytes, SIZES_KB[index]!));
  print(`\n  size: ${size} kB, ${compressed} kB with gzip; targets ≤ 450, ≤ 140`);
}

/** The faults of all runtimes at the same time, because they mostly wait. */
async function measureAll(file: string): Promise<void> {
  const figures = await measureFigures(RUNTIMES, file, verdicts);
  print("");
  printTable([FIGURES_HEADING, ...figures, FIGURES_TARGETS]);
  const faults = await Promise.all(
    RUNTIMES.map((name) =>
      withCleanUp(async (onFinished) => {
        const running = await start(name, file);
        onFinished(running.stop);
        return measureFaults(name, running, onFinished);
      }),
    ),
  );
  print("");
  printTable([FAULTS_HEADING, ...faults.map(({ row }) => row)]);
  problems.push(...faults.flatMap((each) => each.problems));
}

async function visitAll(file: string, onFinished: OnFinished): Promise<void> {
  const rows = [CLIENTS_HEADING];
  const look = await startBrowser(onFinished);
  for (const name of RUNTIMES) {
    const [asClient, inBrowser] = await withCleanUp(async (onFinished) => {
      const running = await start(name, file);
      onFinished(running.stop);
      return [await askAsClient(running), typeof look === "string" ? [] : await look(running.port)] as const;
    });
    rows.push([name, ...[asClient, inBrowser].map((faults) => (faults.length === 0 ? "ok" : "faults"))]);
    problems.push(...[...asClient, ...inBrowser].map((fault) => `${name}: ${fault}`));
  }
  print("");
  printTable(rows);
  if (typeof look === "string") print(`  – without a browser: ${look}`);
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
problems.push(...verdicts.problems);
for (const problem of problems.slice(0, MAX_PROBLEMS)) print(problem);
// Connections to the servers that have ended may still be open.
process.exit(problems.length > 0 ? 1 : 0);
