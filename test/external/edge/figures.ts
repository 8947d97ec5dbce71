// How soon a runtime answers after its start, sees what is published, and stops to answer facts while the origin is away.
import { setTimeout as sleep } from "node:timers/promises";
import { encodeSnapshot } from "../../../snapshots/snapshot.ts";
import { body, startUpstream, type Behaviour } from "../../support/collecting/upstream.ts";
import { ask } from "../../support/serving/server.ts";
import { median } from "../bench/statistics.ts";
import type { Target, Verdicts } from "../bench/targets.ts";
import { withCleanUp, type OnFinished } from "../replicas/clean-up.ts";
import { currentSnapshots } from "./origin.ts";
import { start, type RuntimeName } from "./runtimes.ts";

const START_MS: Target = { target: 100, limit: 1_000 };
/** More than the pace. */
const SEEN_MS: Target = { target: 200, limit: 2_000 };
const EXPIRY_MS: Target = { target: 50, limit: 1_000 };
const STARTS = 5;
const PLANS = "/api/v1/plans";
/** Of facts that expire while the origin is away, in ms. */
const LIFE_MS = 5_000;
const PACES = { "with a pace of 1 s": 1_000, "at an address": undefined } as const;
/** Of a store at an address, in ms. */
const USUAL_PACE_MS = 15_000;

export const FIGURES_HEADING = [
  "ms",
  "start to first 200",
  ...Object.keys(PACES).map((store) => `published to seen, ${store}`),
  "expiry to first 502, refused",
  "silent",
];
export const FIGURES_TARGETS = ["targets", "≤ 100", "≤ 1000 + 200", "≤ 15000 + 200", "≤ 50", "≤ 50"];

/** A row for each runtime. The starts follow each other; all else mostly waits, and runs at the same time. `file`: of the module
 * with the handler. */
export async function measureFigures(names: readonly RuntimeName[], file: string, verdicts: Verdicts) {
  const starts: number[] = [];
  for (const name of names) starts.push(await medianStart(name, file));
  return Promise.all(names.map((name, index) => measureFreshness(name, file, { start: starts[index]!, verdicts })));
}

async function medianStart(name: RuntimeName, file: string): Promise<number> {
  const starts: number[] = [];
  for (let time = 0; time < STARTS; time++)
    starts.push(await withCleanUp((onFinished) => timeToStart(name, file, onFinished)));
  return median(starts);
}

function measureFreshness(
  name: RuntimeName,
  file: string,
  { start: startTime, verdicts }: { start: number; verdicts: Verdicts },
): Promise<string[]> {
  return withCleanUp(async (onFinished) => {
    const origin = await startOrigin(onFinished);
    const { port, stop } = await start(name, file);
    onFinished(stop);
    const measured = await Promise.all([
      ...Object.values(PACES).map((pace) => delay(port, origin, pace)),
      ...(["refused", "silent"] as const).map((fault) => expiry(port, origin, fault)),
    ]);
    const targets = [...Object.values(PACES).map((pace) => plus(pace ?? USUAL_PACE_MS, SEEN_MS)), EXPIRY_MS, EXPIRY_MS];
    const cells = [startTime, ...measured].map((value, index) =>
      verdicts.judge(`${name}, ${FIGURES_HEADING[index + 1]}, ms`, value, [START_MS, ...targets][index] ?? START_MS),
    );
    return [name, ...cells];
  });
}

type Origin = Awaited<ReturnType<typeof startOrigin>>;

async function startOrigin(onFinished: OnFinished) {
  const upstream = await startUpstream({ onFinished });
  let revision = 1;
  const setAll = (folder: string, behaviour: (index: number) => Behaviour, life?: number) => {
    for (const [index, { name }] of currentSnapshots(life).entries())
      upstream.set(`/${folder}/${name}.json`, behaviour(index));
  };
  return {
    headers: (folder: string, pace?: number) => ({
      "x-vitrine-store": upstream.url(`/${folder}/`),
      ...(pace !== undefined && { "x-vitrine-pace": String(pace) }),
    }),
    /** Returns when the facts expire, in ms since the epoch. */
    publish(folder: string, life?: number): number {
      revision += 1;
      const snapshots = currentSnapshots(life).map((snapshot) => ({ ...snapshot, revision }));
      setAll(folder, (index) => body(encodeSnapshot(snapshots[index]!)));
      return Date.parse(snapshots[0]!.freshUntil);
    },
    fail: (folder: string, behaviour: Behaviour) => setAll(folder, () => behaviour),
  };
}

async function timeToStart(name: RuntimeName, file: string, onFinished: OnFinished): Promise<number> {
  const origin = await startOrigin(onFinished);
  origin.publish("start");
  const { port, startedAt, stop } = await start(name, file);
  onFinished(stop);
  const { status } = await ask(port, PLANS, { headers: origin.headers("start") });
  return status === 200 ? performance.now() - startedAt : NaN;
}

/** From a publication right after a read until a client, which asks all the time, sees it. */
async function delay(port: number, origin: Origin, pace: number | undefined): Promise<number> {
  const folder = `delay-${pace}`;
  origin.publish(folder);
  const seen = async () => (await ask(port, "/status", { headers: origin.headers(folder, pace) })).text;
  const before = await seen();
  origin.publish(folder);
  const startedAt = performance.now();
  while ((await seen()) === before) await sleep(10);
  return performance.now() - startedAt;
}

const AWAY: Readonly<Record<string, Behaviour>> = {
  refused: ({ socket }) => socket.resetAndDestroy(),
  silent: () => {},
};

/** From the end of the facts, while the origin is away, to the first answer that is no 200; infinite if that is no 502, or early. */
async function expiry(port: number, origin: Origin, fault: "refused" | "silent"): Promise<number> {
  const freshUntil = origin.publish(fault, LIFE_MS);
  const headers = origin.headers(fault, 1_000);
  for (let count = 0; ; count++) {
    const { status } = await ask(port, PLANS, { headers });
    const after = Date.now() - freshUntil;
    if (count === 0) origin.fail(fault, AWAY[fault]!);
    if (status !== 200 || after > EXPIRY_MS.limit) return status === 502 && after >= 0 ? after : Infinity;
    await sleep(5);
  }
}

function plus(pace: number, { target, limit }: Target): Target {
  return { target: pace + target, limit: pace + limit };
}
