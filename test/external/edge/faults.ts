// An origin with every fault that tests of the collector know, many first requests at once, and a first request that is cancelled.
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import {
  NEVER_ENDING,
  NOT_THE_ANSWER,
  REFUSED_AT_ONCE,
  SECRET_WORD,
  TRANSIENT,
} from "../../support/collecting/upstream-failures.ts";
import { body, startUpstream, type Behaviour } from "../../support/collecting/upstream.ts";
import { encodeSnapshot } from "../../../snapshots/snapshot.ts";
import { ask, type Reply } from "../../support/serving/server.ts";
import { currentSnapshots } from "./origin.ts";
import type { OnFinished } from "../replicas/clean-up.ts";
import type { Running } from "./runtimes.ts";

const FAULTS: Readonly<Record<string, Behaviour>> = {
  ...REFUSED_AT_ONCE,
  ...TRANSIENT,
  ...NEVER_ENDING,
  ...NOT_THE_ANSWER,
};
const PLANS = "/api/v1/plans";
/** Of a store at an address, in ms. */
const PACE_MS = 15_000;
const AT_ONCE = 50;
/** A first request waits so long, with a margin for a busy machine. */
const PATIENCE_MS = 4_000;
const SLOW_MS = 500;

export const FAULTS_HEADING = [
  "faults",
  "of the origin",
  "502, then 200",
  "50 first requests",
  "after a cancelled one, ms",
  "alive",
];

/** A row, and a line for each problem. */
export async function measureFaults(
  name: string,
  running: Running,
  onFinished: OnFinished,
): Promise<{ row: string[]; problems: string[] }> {
  const upstream = await startUpstream({ onFinished });
  const problems: string[] = [];
  const storeIn = (folder: string) => ({ "x-vitrine-store": upstream.url(`/${folder}/`) });
  const get = (folder: string, headers = {}) =>
    ask(running.port, PLANS, { headers: { ...storeIn(folder), ...headers } });
  const good = (folder: string, behave: (answer: Behaviour) => Behaviour = (answer) => answer) => {
    for (const snapshot of currentSnapshots())
      upstream.set(`/${folder}/${snapshot.name}.json`, behave(body(encodeSnapshot(snapshot))));
  };
  const expect = (what: string, isSo: boolean) => void (isSo || problems.push(`${name}: ${what}`));

  const faults = Object.entries(FAULTS).map(([what, behaviour], index) => ({
    what,
    behaviour,
    folder: `fault-${index}`,
  }));
  let survived = 0;
  const faulty = new Map<string, Reply>();
  for (const { what, behaviour, folder } of faults) {
    for (const { name } of currentSnapshots()) upstream.set(`/${folder}/${name}.json`, behaviour);
    const startedAt = performance.now();
    const answer = await get(folder);
    const taken = performance.now() - startedAt;
    faulty.set(folder, answer);
    expect(
      `${what}: ${answer.status} ${answer.text.slice(0, 80)} after ${taken.toFixed(0)} ms`,
      answer.status === 502 && taken < PATIENCE_MS,
    );
    good(folder);
  }
  const concurrent = await coldStart(get, good);
  const cancelled: number[] = [];
  for (const headers of [{}, { "x-vitrine-no-context": "" }]) {
    const folder = `cancelled-${cancelled.length}`;
    good(folder, slowly);
    const first = { ...storeIn(folder), ...headers };
    cancelled.push(await afterCancelled(running.port, first, () => get(folder, headers)));
  }
  const worst = Math.max(...cancelled);
  expect(`the request after a cancelled one: ${worst.toFixed(0)} ms`, worst < PATIENCE_MS);
  await sleep(PACE_MS + 500);
  for (const { what, folder } of faults) {
    // The first request after the pace may get the last answer, while the platform reads on.
    await get(folder);
    await sleep(20);
    const { status } = await get(folder);
    expect(`${what} is over: ${status}`, status === 200);
    if (faulty.get(folder)?.status === 502 && status === 200) survived += 1;
  }
  expect("a secret word in the log", !running.log().includes(SECRET_WORD));
  expect(`${concurrent} of ${AT_ONCE} first requests got 200`, concurrent === AT_ONCE);
  expect(`it has ended: ${running.log().slice(-500)}`, !running.hasExited());
  const alive = running.hasExited() ? "no" : "yes";
  return {
    row: [
      name,
      String(faults.length),
      String(survived),
      String(concurrent),
      cancelled.map((time) => time.toFixed(0)).join(", "),
      alive,
    ],
    problems,
  };
}

/** How many of many first requests get facts. */
async function coldStart(get: (folder: string) => Promise<Reply>, good: Good): Promise<number> {
  good("cold", slowly);
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => get("cold")));
  return answers.filter(({ status }) => status === 200).length;
}

type Good = (folder: string, behave?: (answer: Behaviour) => Behaviour) => void;

/** From the cancellation of the first request, during its first read, until the next one has facts, in ms. */
async function afterCancelled(
  port: number,
  headers: Record<string, string>,
  get: () => Promise<Reply>,
): Promise<number> {
  const first = request({ host: "127.0.0.1", port, path: PLANS, agent: false, headers });
  first.on("error", () => {}).end();
  await sleep(SLOW_MS / 2);
  first.destroy();
  const startedAt = performance.now();
  const taken = () => performance.now() - startedAt;
  while ((await get()).status !== 200 && taken() < PACE_MS) await sleep(50);
  return taken();
}

function slowly(answer: Behaviour): Behaviour {
  return (incoming, outgoing) => void setTimeout(() => answer(incoming, outgoing), SLOW_MS);
}
