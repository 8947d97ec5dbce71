// `npm run load`: the collector under load. A document of 10 MB of each kind may not hold up the event loop, nor may 200
// sources' worth of faults take longer than their time, or 100 MB more than a collector that has nothing to do. What goes
// past that is marked; it fails what goes far past it, because the machine may have other things to do.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../../cli/build/bundle.ts";
import {
  NEVER_ENDING,
  NOT_THE_ANSWER,
  REFUSED_AT_ONCE,
  TRANSIENT,
} from "../../support/collecting/upstream-failures.ts";
import { json, startUpstream, type Behaviour, type Upstream } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorRelease } from "../../support/collecting/vendor.ts";
import { printTable, print } from "../bench/statistics.ts";
import type { LoadOrder, LoadReport } from "./collector-process.ts";
import { ENVIRONMENT, LARGE_CASES, largeDocument, type LargeCase } from "./large-documents.ts";

/** Longest time without a turn for anybody else, milliseconds: what is meant, and what is judged. */
const BLOCK_MS = { meant: 50, judged: 250 };
/** What the faults take beside the collector itself, bytes. */
const MEMORY_BYTES = { meant: 100e6, judged: 150e6 };
const FAULTS = 200;
/** The deadline of each source, and how much later a run may end, milliseconds. */
const DEADLINE_MS = 1_000;
const MAX_DELAY_MS = 1_000;

const cleanUps: (() => Promise<void>)[] = [];
const onFinished = (cleanUp: () => Promise<void>) => void cleanUps.unshift(cleanUp);
const problems: string[] = [];

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-load-"));
  onFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A collector in a process of its own. */
function startCollector(program: string) {
  const child = fork(program, { execArgv: [] });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("the collector ended by itself")));
  ended.catch(() => {});
  return {
    async order(order: LoadOrder): Promise<LoadReport> {
      child.send(order);
      const [report]: unknown[] = await Promise.race([once(child, "message"), ended]);
      return report as LoadReport;
    },
    stop: () => void child.kill(),
  };
}

/** Settings in which all is well but for what is given. */
function settingsWith(upstream: Upstream, given: { releases?: object }): object {
  const source = (path: string) => ({ from: "json", url: upstream.url(path) });
  const each = { macos: source("/good/macos"), windows: source("/good/windows") };
  const releases = given.releases && "from" in given.releases ? given.releases : { ...each, ...given.releases };
  return { plans: source("/good/plans"), ...given, releases };
}

async function startGood(): Promise<Upstream> {
  const upstream = await startUpstream({ onFinished });
  upstream.set("/good/plans", json(vendorPlans()));
  for (const platform of ["macos", "windows"] as const)
    upstream.set(`/good/${platform}`, json(vendorRelease(platform)));
  return upstream;
}

/** The same source twice, first with little to say, so that what is measured is the second answer and no start. */
async function measureLarge(program: string, [name, large]: [string, LargeCase]): Promise<string[]> {
  const upstream = await startGood();
  const [little, much] = [large.document(200), largeDocument(large)];
  const type = { "content-type": "application/octet-stream" };
  const answering =
    (text: string): Behaviour =>
    (_, response) =>
      void response.writeHead(200, type).end(text);
  const collector = startCollector(program);
  const order = {
    settings: settingsWith(upstream, large.settings(upstream.origin)),
    environment: ENVIRONMENT,
    runs: 1,
  };
  const directory = await temporary();
  upstream.set(large.path, answering(little));
  await collector.order({ ...order, directory });
  upstream.set(large.path, answering(much));
  const { longestBlockMs: longestBlock, peakMemory, runs } = await collector.order({ ...order, directory });
  collector.stop();
  if (longestBlock > BLOCK_MS.judged) problems.push(`${name}: held up for ${longestBlock.toFixed(0)} ms`);
  const mark = longestBlock > BLOCK_MS.meant ? "!" : "";
  const said = runs.flatMap(({ reasons }) => reasons)[0] ?? "read";
  return [name, megabytes(much.length), `${longestBlock.toFixed(0)}${mark}`, megabytes(peakMemory), said.slice(0, 60)];
}

async function measureFaults(program: string): Promise<void> {
  const upstream = await startGood();
  const kinds = Object.values({ ...REFUSED_AT_ONCE, ...TRANSIENT, ...NEVER_ENDING, ...NOT_THE_ANSWER });
  const runs = Math.ceil(FAULTS / 3);
  const faults = Array.from({ length: 3 * runs }, (_, index) => kinds[index % kinds.length] as Behaviour);
  const collector = startCollector(program);
  const directory = await temporary();
  const good = { directory, environment: {} };
  const idle = await collector.order({ ...good, settings: settingsWith(upstream, {}), runs: 1 });
  const source = (path: string) => ({ from: "json", url: upstream.url(path), timeout: `${DEADLINE_MS / 1000}s` });
  const paths = ["/plans", "/macos", "/windows"];
  let current = 0;
  // A fault lasts as long as its run, whatever is tried again.
  for (const [place, path] of paths.entries()) {
    const mine = faults.filter((_, index) => index % 3 === place);
    upstream.set(path, (request, response) => mine[current]?.(request, response));
  }
  const bad = { plans: source("/plans"), releases: { macos: source("/macos"), windows: source("/windows") } };
  const reports: LoadReport[] = [];
  for (; current < runs; current++) {
    reports.push(await collector.order({ ...good, settings: { ...bad, guard: false }, runs: 1 }));
  }
  collector.stop();
  const longest = Math.max(...reports.flatMap(({ runs }) => runs.map(({ milliseconds }) => milliseconds)));
  const failed = reports.flatMap(({ runs }) => runs).reduce((sum, { failed }) => sum + failed, 0);
  const memory = (reports.at(-1)?.peakMemory ?? 0) - idle.peakMemory;
  const block = Math.max(...reports.map(({ longestBlockMs: longestBlock }) => longestBlock));
  print(`\n${failed} of ${faults.length} faults failed their source, the longest run took ${longest.toFixed(0)} ms,`);
  print(
    `the event loop was held up for at most ${block.toFixed(0)} ms, and ${megabytes(memory)} MB were taken${memory > MEMORY_BYTES.meant ? "!" : ""}.`,
  );
  if (failed !== faults.length) problems.push(`${faults.length - failed} faults were taken for an answer`);
  if (longest > DEADLINE_MS + MAX_DELAY_MS) problems.push(`a run took ${longest.toFixed(0)} ms`);
  if (memory > MEMORY_BYTES.judged) problems.push(`the faults took ${megabytes(memory)} MB`);
  if (block > BLOCK_MS.judged) problems.push(`the faults held up the process for ${block.toFixed(0)} ms`);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

async function main(): Promise<void> {
  const built = await temporary();
  await bundle({ collector: "test/external/load/collector-process.ts" }, built);
  const program = join(built, "collector.mjs");
  const rows: string[][] = [];
  for (const large of Object.entries(LARGE_CASES)) rows.push(await measureLarge(program, large));
  printTable([["document", "MB", "held up, ms", "memory, MB", "and it was"], ...rows]);
  await measureFaults(program);
}

try {
  await main();
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
