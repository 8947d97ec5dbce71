// `npm run replicas`: several built servers over one store, while the store's engine comes and goes. `npm run replicas -- 5` is
// shorter: engines are away for 5 s instead of a minute. Values above a target are marked; only values far above it fail the
// run, because the machine may be busy. On Linux.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { settingsDirectory } from "../../support/program/settings.ts";
import { NO_REDIS } from "../../support/redis.ts";
import { describeMachine, print, printTable } from "../bench/statistics.ts";
import { Verdicts } from "../bench/targets.ts";
import { withCleanUp, type OnFinished } from "./clean-up.ts";
import { measureRaces, RACE_HEADING } from "./compare-and-swap.ts";
import { followedEngine } from "./followed-engine.ts";
import { filesEngine, partitionedRedisEngine, redisEngine } from "./engines.ts";
import { FAIL_OVER_HEADING, measureFailOver } from "./fail-over.ts";
import {
  DELAY_HEADING,
  EXPIRY_HEADING,
  measureDelay,
  measureExpiry,
  measureOutage,
  OUTAGE_HEADING,
} from "./measures.ts";
import { measureNewPrimary, NEW_PRIMARY_HEADING } from "./new-primary.ts";
import { s3Engine } from "./s3-engine.ts";
import { FOOTPRINT_HEADING, footprintRows, measureMemory, timesToStart } from "./start.ts";
import { SOURCES, startSubject, type Subject } from "./subject.ts";

const seconds = Number(process.argv[2] ?? 60);
const isShort = seconds < 30;
const STARTS = isShort ? 5 : 15;
const RACES = isShort ? 5 : 50;
const PUBLICATIONS = isShort ? { fast: 30, slow: 1 } : { fast: 200, slow: 5 };
/** Below it, in ms, an engine is fast: new facts arrive by hints. */
const FAST_MS = 1_000;
const verdicts = new Verdicts();

/** The rows of each table. */
interface Tables {
  delays: string[][];
  outages: string[][];
  expiries: string[][];
  failOvers: string[][];
}

async function main(onFinished: OnFinished): Promise<void> {
  execFileSync("npm", ["run", "--silent", "build"], { cwd: join(import.meta.dirname, "../../.."), stdio: "inherit" });
  const files = await filesEngine(onFinished);
  const redis = NO_REDIS === undefined ? await redisEngine(onFinished) : undefined;
  const engines = [files, redis, await s3Engine(onFinished), await followedEngine(onFinished)];
  const subjects: Subject[] = [];
  for (const engine of engines) if (engine) subjects.push(await startSubject(engine, onFinished));
  await compareFootprints(subjects, onFinished);
  await raceAll(subjects);
  const fast = [];
  for (const subject of subjects.filter(isFast)) fast.push(await measureDelay(subject, PUBLICATIONS.fast, verdicts));
  // At the same time, because the replicas of the slow engines do little but wait.
  const tables = await Promise.all(subjects.map((subject) => measureAll(subject, onFinished)));
  const partitions = redis ? await withCleanUp(measurePartition) : [];
  const newPrimaries = redis ? [await withCleanUp((onFinished) => measureNewPrimary(verdicts, onFinished))] : [];
  for (const [heading, rows] of [
    [DELAY_HEADING, [...fast, ...tables.flatMap(({ delays }) => delays)]],
    [OUTAGE_HEADING, [...tables.flatMap(({ outages }) => outages), ...partitions]],
    [EXPIRY_HEADING, tables.flatMap(({ expiries }) => expiries)],
    [FAIL_OVER_HEADING, tables.flatMap(({ failOvers }) => failOvers)],
    [NEW_PRIMARY_HEADING, newPrimaries],
  ] as const) {
    print("");
    printTable([heading, ...rows]);
  }
}

function isFast({ engine }: Subject): boolean {
  return engine.delay.target < FAST_MS;
}

async function compareFootprints(subjects: readonly Subject[], onFinished: OnFinished): Promise<void> {
  const settings = join(await settingsDirectory(SOURCES, onFinished), "vitrine.config.json");
  const engines = subjects.map(({ engine }) => engine);
  const { idle, loaded } = await measureMemory(subjects);
  const starts = await timesToStart(engines, STARTS, settings);
  const footprints = engines.map((engine, index) => ({
    engine,
    starts: starts[index] ?? [],
    idle: idle[index] ?? NaN,
    loaded: loaded[index] ?? NaN,
  }));
  printTable([FOOTPRINT_HEADING, ...footprintRows(footprints, verdicts)]);
}

async function raceAll(subjects: readonly Subject[]): Promise<void> {
  const rows: string[][] = [];
  for (const { engine } of subjects) if (!engine.isFollowed) rows.push(await measureRaces(engine, RACES, verdicts));
  print("");
  printTable([RACE_HEADING, ...rows]);
}

/** What one engine does in its absence, in order. The short check leaves out much of what takes long on a slow one. */
async function measureAll(subject: Subject, onFinished: OnFinished): Promise<Tables> {
  const { engine } = subject;
  const tables: Tables = { delays: [], outages: [], expiries: [], failOvers: [] };
  const isBrief = isShort && !isFast(subject);
  const last = engine.outages.at(-1);
  if (!last) return tables;
  if (!isFast(subject)) tables.delays.push(await measureDelay(subject, PUBLICATIONS.slow, verdicts));
  for (const outage of isBrief ? [last] : engine.outages) {
    tables.outages.push(await measureOutage(subject, outage, { seconds, verdicts }));
  }
  tables.expiries.push(await measureExpiry(subject, last, verdicts));
  if (!engine.isFollowed && !isBrief) tables.failOvers.push(await measureFailOver(subject, { verdicts, onFinished }));
  return tables;
}

async function measurePartition(onFinished: OnFinished): Promise<string[][]> {
  const subject = await startSubject(await partitionedRedisEngine(onFinished), onFinished);
  const rows: string[][] = [];
  for (const outage of subject.engine.outages) rows.push(await measureOutage(subject, outage, { seconds, verdicts }));
  return rows;
}

const start = performance.now();
print(describeMachine());
await withCleanUp(main);
print(`\n${((performance.now() - start) / 1000).toFixed(0)} s. ${describeMachine()}`);
for (const problem of verdicts.problems) print(problem);
process.exitCode = verdicts.problems.length > 0 ? 1 : 0;
