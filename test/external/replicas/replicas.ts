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
import { filesEngine, partitionedRedisEngine, redisEngine, type Engine } from "./engines.ts";
import { FAIL_OVER_HEADING, measureFailOver } from "./fail-over.ts";
import {
  DELAY_HEADING,
  EXPIRY_HEADING,
  measureDelay,
  measureExpiry,
  measureOutage,
  OUTAGE_HEADING,
} from "./measures.ts";
import { FOOTPRINT_HEADING, footprintRows, measureMemory, timesToStart } from "./start.ts";
import { SOURCES, startSubject, type Subject } from "./subject.ts";

const seconds = Number(process.argv[2] ?? 60);
const isShort = seconds < 30;
const STARTS = isShort ? 5 : 15;
const RACES = isShort ? 5 : 50;
const FAST = { below: 1_000, publications: isShort ? 30 : 200 };
const SLOW = { publications: isShort ? 1 : 5 };
const verdicts = new Verdicts();

type Rows = string[][];

async function main(onFinished: OnFinished): Promise<void> {
  execFileSync("npm", ["run", "--silent", "build"], { cwd: join(import.meta.dirname, "../../.."), stdio: "inherit" });
  const files = await filesEngine(onFinished);
  const remote = NO_REDIS === undefined ? [await redisEngine(onFinished)] : [];
  const followed = await followedEngine(onFinished);
  const engines = [files, ...remote, ...(followed ? [followed] : [])];
  const subjects = await Promise.all(engines.map((engine) => startSubject(engine, onFinished)));
  await compareFootprints(subjects, onFinished);
  await raceAll(engines);
  await measureDelays(subjects);
  await measureOutages(subjects, onFinished);
}

async function compareFootprints(subjects: readonly Subject[], onFinished: OnFinished): Promise<void> {
  const settings = join(await settingsDirectory(SOURCES, onFinished), "vitrine.config.json");
  const engines = subjects.map(({ engine }) => engine);
  const starts = await timesToStart(engines, STARTS, settings);
  const footprints = [];
  for (const [index, subject] of subjects.entries()) {
    footprints.push({ engine: subject.engine, starts: starts[index] ?? [], ...(await measureMemory(subject)) });
  }
  printTable([FOOTPRINT_HEADING, ...footprintRows(footprints, verdicts)]);
}

async function raceAll(engines: readonly Engine[]): Promise<void> {
  const rows: Rows = [];
  for (const engine of engines) if (!engine.isFollowed) rows.push(await measureRaces(engine, RACES, verdicts));
  print("");
  printTable([RACE_HEADING, ...rows]);
}

/** The fast engines one by one, the slow ones together: their replicas do little but wait. */
async function measureDelays(subjects: readonly Subject[]): Promise<void> {
  const isFast = ({ engine }: Subject) => engine.delay.target < FAST.below;
  const rows: Rows = [];
  for (const subject of subjects.filter(isFast)) rows.push(await measureDelay(subject, FAST.publications, verdicts));
  const slow = subjects.filter((subject) => !isFast(subject));
  rows.push(...(await Promise.all(slow.map((subject) => measureDelay(subject, SLOW.publications, verdicts)))));
  print("");
  printTable([DELAY_HEADING, ...rows]);
}

/** The engines at the same time, their outages in order. */
async function measureOutages(subjects: readonly Subject[], onFinished: OnFinished): Promise<void> {
  const [outages, expiries, failOvers]: [Rows, Rows, Rows] = [[], [], []];
  const measureAll = async (subject: Subject) => {
    const { engine } = subject;
    for (const outage of engine.outages) outages.push(await measureOutage(subject, outage, { seconds, verdicts }));
    const last = engine.outages.at(-1);
    if (last) expiries.push(await measureExpiry(subject, last, verdicts));
    if (last && !engine.isFollowed) failOvers.push(await measureFailOver(subject, { verdicts, onFinished }));
  };
  await Promise.all(subjects.map(measureAll));
  if (NO_REDIS === undefined) {
    await withCleanUp(async (onFinished) => {
      const subject = await startSubject(await partitionedRedisEngine(onFinished), onFinished);
      for (const outage of subject.engine.outages) {
        outages.push(await measureOutage(subject, outage, { seconds, verdicts }));
      }
    });
  }
  for (const [heading, rows] of [
    [OUTAGE_HEADING, outages],
    [EXPIRY_HEADING, expiries],
    [FAIL_OVER_HEADING, failOvers],
  ] as const) {
    print("");
    printTable([heading, ...rows]);
  }
}

const start = performance.now();
print(describeMachine());
await withCleanUp(main);
print(`\n${((performance.now() - start) / 1000).toFixed(0)} s. ${describeMachine()}`);
for (const problem of verdicts.problems) print(problem);
process.exitCode = verdicts.problems.length > 0 ? 1 : 0;
