// The collector under load. Documents are read in place, so one blocks the event loop while it is read: an ordinary one of each kind
// not for longer than is noticed, one of 10 MB not for longer than docs/limits.md says. 200 failing sources must not exceed their
// deadlines, nor take 100 MB more than an idle collector. Values above a target are marked; only values far above it fail, because
// the machine may be busy.
import { fork } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, expect, onTestFinished, test } from "vitest";
import { bundle } from "../../../cli/build/bundle.ts";
import {
  NEVER_ENDING,
  NOT_THE_ANSWER,
  REFUSED_AT_ONCE,
  TRANSIENT,
} from "../../support/collecting/upstream-failures.ts";
import { json, startUpstream, type Behaviour, type Upstream } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorRelease } from "../../support/collecting/vendor.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { nextMessageOf } from "../bench/child.ts";
import { print } from "../bench/statistics.ts";
import { Verdicts } from "../bench/targets.ts";
import type { LoadOrder, LoadReport } from "./collector-process.ts";
import { documentOf, ENVIRONMENT, LARGE_CASES } from "./large-documents.ts";

/** Longest block of the event loop: the target, and the limit that fails the run. */
const BLOCK_MS = { target: 50, limit: 250 };
/** The same by the largest permitted document: "about a second" in docs/limits.md. */
const LARGEST_BLOCK_MS = { target: 1_000, limit: 3_000 };
/** More than the documents of nearly all vendors. */
const ORDINARY_BYTES = 128 * 1024;
/** For the failing sources, beyond the memory of an idle collector. */
const MEMORY_MB = { target: 100, limit: 150 };
const FAULTS = 200;
/** The deadline of each source, and of a run that may be delayed beyond it. */
const DEADLINE_MS = 1_000;
const RUN_MS = { target: 2 * DEADLINE_MS, limit: 2 * DEADLINE_MS };

const built = await temporaryDirectory(afterAll);
await bundle({ collector: "test/external/load/collector-process.ts" }, built);
const verdicts = new Verdicts();
afterEach(() => expect(verdicts.problems.splice(0)).toEqual([]));

/** Starts a collector in a separate process. Returns a function that gives it an order. */
function startCollector(): (order: LoadOrder) => Promise<LoadReport> {
  const child = fork(join(built, "collector.mjs"), { execArgv: [] });
  onTestFinished(() => void child.kill());
  const next = nextMessageOf(child, "the collector");
  return async (order) => {
    child.send(order);
    return (await next()) as LoadReport;
  };
}

/** Settings with valid sources, except the given ones. */
function settingsWith(upstream: Upstream, given: { releases?: object }): object {
  const source = (path: string) => ({ from: "json", url: upstream.url(path) });
  const each = { macos: source("/good/macos"), windows: source("/good/windows") };
  const releases = given.releases && "from" in given.releases ? given.releases : { ...each, ...given.releases };
  return { plans: source("/good/plans"), ...given, releases };
}

async function startGood(): Promise<Upstream> {
  const upstream = await startUpstream();
  upstream.set("/good/plans", json(vendorPlans()));
  for (const platform of ["macos", "windows"] as const)
    upstream.set(`/good/${platform}`, json(vendorRelease(platform)));
  return upstream;
}

// The first document is measured only from the second time on, so that neither the start nor the loading of a parser counts.
test.for(Object.entries(LARGE_CASES))("%s blocks the collector for no longer than permitted", async ([name, large]) => {
  const upstream = await startGood();
  const type = { "content-type": "application/octet-stream" };
  const settings = settingsWith(upstream, large.settings(upstream.origin));
  const order = { settings, environment: ENVIRONMENT, directory: await temporaryDirectory(), runs: 1 };
  const collector = startCollector();
  const collect = (text: string): Promise<LoadReport> => {
    upstream.set(large.path, (_, response) => void response.writeHead(200, type).end(text));
    return collector(order);
  };
  await collect(documentOf(large, ORDINARY_BYTES));
  const ordinary = await collect(documentOf(large, ORDINARY_BYTES));
  const largest = documentOf(large);
  const { longestBlockMs, peakMemory, runs } = await collect(largest);
  const blocked = verdicts.judge(`${name}, an ordinary document, ms`, ordinary.longestBlockMs, BLOCK_MS);
  const blockedMost = verdicts.judge(`${name}, ms`, longestBlockMs, LARGEST_BLOCK_MS);
  const size = `${megabytes(largest.length)} MB: ${blockedMost} ms, memory ${megabytes(peakMemory)} MB`;
  print(
    `${name}: 128 KiB: ${blocked} ms, ${size}, ${runs.flatMap(({ reasons }) => reasons)[0]?.slice(0, 60) ?? "read"}`,
  );
});

test(`${FAULTS} faults fail their sources in time, and take little memory`, async () => {
  const upstream = await startGood();
  const kinds = Object.values({ ...REFUSED_AT_ONCE, ...TRANSIENT, ...NEVER_ENDING, ...NOT_THE_ANSWER });
  const runs = Math.ceil(FAULTS / 3);
  const faults = Array.from({ length: 3 * runs }, (_, index) => kinds[index % kinds.length] as Behaviour);
  const collector = startCollector();
  const good = { directory: await temporaryDirectory(), environment: {}, runs: 1 };
  const idle = await collector({ ...good, settings: settingsWith(upstream, {}) });
  const source = (path: string) => ({ from: "json", url: upstream.url(path), timeout: `${DEADLINE_MS / 1000}s` });
  let current = 0;
  // A fault lasts for its whole run, retries included.
  for (const [place, path] of ["/plans", "/macos", "/windows"].entries()) {
    const mine = faults.filter((_, index) => index % 3 === place);
    upstream.set(path, (request, response) => mine[current]?.(request, response));
  }
  const bad = { plans: source("/plans"), releases: { macos: source("/macos"), windows: source("/windows") } };
  const reports: LoadReport[] = [];
  for (; current < runs; current++) reports.push(await collector({ ...good, settings: { ...bad, guard: false } }));
  const all = reports.flatMap((report) => report.runs);
  expect(all.reduce((sum, { failed }) => sum + failed, 0)).toBe(faults.length);
  const longest = verdicts.judge("the longest run, ms", Math.max(...all.map((run) => run.milliseconds)), RUN_MS);
  const memory = ((reports.at(-1)?.peakMemory ?? 0) - idle.peakMemory) / 1e6;
  const blocked = Math.max(...reports.map(({ longestBlockMs }) => longestBlockMs));
  const [taken, block] = [
    verdicts.judge("the memory of the faults, MB", memory, MEMORY_MB),
    verdicts.judge("the longest block by a fault, ms", blocked, BLOCK_MS),
  ];
  print(`${faults.length} faults: longest run ${longest} ms, longest block ${block} ms, memory ${taken} MB`);
});

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
