// `npm run load`: the collector under load. Documents are read in place, so one blocks the event loop while it is read: an
// ordinary one of each kind not for longer than is noticed, one of 10 MB not for longer than SOURCES.md says. 200 failing sources
// must not exceed their deadlines, nor take 100 MB more than an idle collector. Values above a target are marked; only values
// far above it fail the run, because the machine may be busy.
import { fork } from "node:child_process";
import { once } from "node:events";
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
import { fail, runCheck, type OnFinished } from "../../support/check.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { printTable, print } from "../bench/statistics.ts";
import type { LoadOrder, LoadReport } from "./collector-process.ts";
import { documentOf, ENVIRONMENT, LARGE_CASES, type LargeCase } from "./large-documents.ts";

/** Longest block of the event loop: the target, and the limit that fails the run. */
const BLOCK_MS = { target: 50, limit: 250 };
/** The same by the largest permitted document: "about a second" in SOURCES.md. */
const LARGEST_BLOCK_MS = { target: 1_000, limit: 3_000 };
/** More than the documents of nearly all vendors. */
const ORDINARY_BYTES = 128 * 1024;
/** Memory for the failing sources beyond that of an idle collector. */
const MEMORY_BYTES = { target: 100e6, limit: 150e6 };
const FAULTS = 200;
/** The deadline of each source, and the longest delay of a run beyond it. */
const DEADLINE_MS = 1_000;
const MAX_DELAY_MS = 1_000;

const problems: string[] = [];

/** Starts a collector in a separate process. */
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

/** Settings with valid sources, except the given ones. */
function settingsWith(upstream: Upstream, given: { releases?: object }): object {
  const source = (path: string) => ({ from: "json", url: upstream.url(path) });
  const each = { macos: source("/good/macos"), windows: source("/good/windows") };
  const releases = given.releases && "from" in given.releases ? given.releases : { ...each, ...given.releases };
  return { plans: source("/good/plans"), ...given, releases };
}

async function startGood(onFinished: OnFinished): Promise<Upstream> {
  const upstream = await startUpstream({ onFinished });
  upstream.set("/good/plans", json(vendorPlans()));
  for (const platform of ["macos", "windows"] as const)
    upstream.set(`/good/${platform}`, json(vendorRelease(platform)));
  return upstream;
}

/** Collects from a source three times, first a small document, so that the others are measured without the start. */
async function measureLarge(
  program: string,
  [name, large]: [string, LargeCase],
  onFinished: OnFinished,
): Promise<string[]> {
  const upstream = await startGood(onFinished);
  const type = { "content-type": "application/octet-stream" };
  const collector = startCollector(program);
  const order = {
    settings: settingsWith(upstream, large.settings(upstream.origin)),
    environment: ENVIRONMENT,
    directory: await temporaryDirectory(onFinished),
    runs: 1,
  };
  const collect = (text: string): Promise<LoadReport> => {
    upstream.set(large.path, (_, response) => void response.writeHead(200, type).end(text));
    return collector.order(order);
  };
  await collect(large.document(200));
  const ordinary = await collect(documentOf(large, ORDINARY_BYTES));
  const largest = documentOf(large);
  const { longestBlockMs, peakMemory, runs } = await collect(largest);
  collector.stop();
  const said = runs.flatMap(({ reasons }) => reasons)[0] ?? "read";
  return [
    name,
    blockText(`${name}, an ordinary document`, ordinary.longestBlockMs, BLOCK_MS),
    megabytes(largest.length),
    blockText(name, longestBlockMs, LARGEST_BLOCK_MS),
    megabytes(peakMemory),
    said.slice(0, 60),
  ];
}

/** The milliseconds, marked if they are above the target; a problem if they are above the limit. */
function blockText(name: string, milliseconds: number, { target, limit }: typeof BLOCK_MS): string {
  const text = milliseconds.toFixed(0);
  if (milliseconds > limit) problems.push(`${name}: blocked the event loop for ${text} ms`);
  return `${text}${milliseconds > target ? "!" : ""}`;
}

async function measureFaults(program: string, onFinished: OnFinished): Promise<void> {
  const upstream = await startGood(onFinished);
  const kinds = Object.values({ ...REFUSED_AT_ONCE, ...TRANSIENT, ...NEVER_ENDING, ...NOT_THE_ANSWER });
  const runs = Math.ceil(FAULTS / 3);
  const faults = Array.from({ length: 3 * runs }, (_, index) => kinds[index % kinds.length] as Behaviour);
  const collector = startCollector(program);
  const directory = await temporaryDirectory(onFinished);
  const good = { directory, environment: {} };
  const idle = await collector.order({ ...good, settings: settingsWith(upstream, {}), runs: 1 });
  const source = (path: string) => ({ from: "json", url: upstream.url(path), timeout: `${DEADLINE_MS / 1000}s` });
  const paths = ["/plans", "/macos", "/windows"];
  let current = 0;
  // A fault lasts for its whole run, retries included.
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
  const block = Math.max(...reports.map(({ longestBlockMs }) => longestBlockMs));
  print(`\n${failed} of ${faults.length} faults failed their source. Longest run: ${longest.toFixed(0)} ms,`);
  print(
    `longest block of the event loop: ${block.toFixed(0)} ms, memory: ${megabytes(memory)} MB${memory > MEMORY_BYTES.target ? "!" : ""}.`,
  );
  if (failed !== faults.length) problems.push(`${faults.length - failed} faults did not fail their source`);
  if (longest > DEADLINE_MS + MAX_DELAY_MS) problems.push(`a run took ${longest.toFixed(0)} ms`);
  if (memory > MEMORY_BYTES.limit) problems.push(`the faults took ${megabytes(memory)} MB of memory`);
  if (block > BLOCK_MS.limit) problems.push(`the faults blocked the event loop for ${block.toFixed(0)} ms`);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

async function main(onFinished: OnFinished): Promise<void> {
  const built = await temporaryDirectory(onFinished);
  await bundle({ collector: "test/external/load/collector-process.ts" }, built);
  const program = join(built, "collector.mjs");
  const rows: string[][] = [];
  for (const large of Object.entries(LARGE_CASES)) rows.push(await measureLarge(program, large, onFinished));
  printTable([["document", "128 KiB: ms", "MB", "block, ms", "memory, MB", "outcome"], ...rows]);
  await measureFaults(program, onFinished);
  for (const problem of problems) fail(problem);
}

await runCheck(main);
