// An origin with every fault that tests of the collector know, many first requests at once, a first request that is cancelled, and
// facts that end while the origin is away.
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestContext } from "vitest";
import {
  NEVER_ENDING,
  NOT_THE_ANSWER,
  REFUSED_AT_ONCE,
  SECRET_WORD,
  TRANSIENT,
} from "../../support/collecting/upstream-failures.ts";
import { body, startUpstream, type Behaviour } from "../../support/collecting/upstream.ts";
import { encodeSnapshot, SNAPSHOT_NAMES, type Snapshot } from "../../../snapshots/snapshot.ts";
import { allSnapshots, ask, isOk, pollUntil, type Reply } from "../../support/serving/server.ts";
import type { Running } from "./runtimes.ts";

const FAULTS: Readonly<Record<string, Behaviour>> = {
  ...REFUSED_AT_ONCE,
  ...TRANSIENT,
  ...NEVER_ENDING,
  ...NOT_THE_ANSWER,
};
const PLANS = "/api/v1/plans";
const DAY_MS = 24 * 60 * 60_000;
/** Of a store at an address, in ms. */
const PACE_MS = 15_000;
const AT_ONCE = 50;
/** A first request waits so long, with a margin for a busy machine. */
const PATIENCE_MS = 4_000;
const SLOW_MS = 500;

/** The life of facts that end while the origin is away, and how much later the first 502 may come, on a busy machine. */
const LIFE_MS = 5_000;
const EXPIRY_MS = 1_000;
const AWAY: Readonly<Record<string, Behaviour>> = {
  refused: ({ socket }) => socket.resetAndDestroy(),
  silent: () => {},
};

export async function expectFaultsSurvived(
  { port, log, hasEnded }: Running,
  { expect, onTestFinished }: TestContext,
): Promise<void> {
  const upstream = await startUpstream({ onFinished: onTestFinished });
  const storeIn = (folder: string) => ({ "x-vitrine-store": upstream.url(`/${folder}/`) });
  const get = (folder: string, headers = {}) => ask(port, PLANS, { headers: { ...storeIn(folder), ...headers } });
  const good: Good = (folder, { behave = (answer: Behaviour) => answer, life } = {}) => {
    const snapshots = currentSnapshots(life);
    for (const snapshot of snapshots)
      upstream.set(`/${folder}/${snapshot.name}.json`, behave(body(encodeSnapshot(snapshot))));
    return Date.parse(snapshots[0]!.freshUntil);
  };
  const bad = (folder: string, behaviour: Behaviour) => {
    for (const name of SNAPSHOT_NAMES) upstream.set(`/${folder}/${name}.json`, behaviour);
  };

  const faults = Object.entries(FAULTS).map(([what, behaviour], index) => ({
    what,
    behaviour,
    folder: `fault-${index}`,
  }));
  for (const { what, behaviour, folder } of faults) {
    bad(folder, behaviour);
    const startedAt = performance.now();
    const { status } = await get(folder);
    expect.soft(status, what).toBe(502);
    expect.soft(performance.now() - startedAt, `${what}, in ms`).toBeLessThan(PATIENCE_MS);
    good(folder);
  }
  const brokenUntil = performance.now() + PACE_MS + 500;
  expect.soft(await coldStart(get, good), "first requests that got 200").toBe(AT_ONCE);
  for (const [index, headers] of [{}, { "x-vitrine-no-context": "" }].entries()) {
    const folder = `cancelled-${index}`;
    good(folder, { behave: slowly });
    const taken = await afterCancelled(port, { ...storeIn(folder), ...headers }, () => get(folder, headers));
    expect.soft(taken, "the request after a cancelled one, in ms").toBeLessThan(PATIENCE_MS);
  }
  await Promise.all(
    Object.entries(AWAY).map(async ([folder, behaviour]) => {
      const freshUntil = good(folder, { life: LIFE_MS });
      const paced = () => get(folder, { "x-vitrine-pace": "1000" });
      const after = await expiry(freshUntil, paced, () => bad(folder, behaviour));
      expect.soft(after, `${folder}: from the facts' end to the first 502, in ms`).toBeLessThanOrEqual(EXPIRY_MS);
    }),
  );
  await sleep(Math.max(0, brokenUntil - performance.now()));
  for (const { what, folder } of faults) {
    // The first requests after the pace may get the last answer, while the platform reads on.
    const patientUntil = performance.now() + PATIENCE_MS;
    const isOver = (reply: Reply) => isOk(reply) || performance.now() > patientUntil;
    expect.soft((await pollUntil(() => get(folder), isOver)).status, `${what} is over`).toBe(200);
  }
  expect(log()).not.toContain(SECRET_WORD);
  expect(hasEnded(), log().slice(-500)).toBe(false);
}

type Good = (folder: string, how?: { behave?: (answer: Behaviour) => Behaviour; life?: number }) => number;

/** One snapshot of each name, valid now by the system clock and fresh for `life` ms. */
function currentSnapshots(life = DAY_MS): Snapshot[] {
  const confirmedAt = Date.now();
  const freshUntil = new Date(confirmedAt + life).toISOString();
  return allSnapshots({ confirmedAt }).map((snapshot) => ({ ...snapshot, freshUntil }));
}

/** From the end of the facts, while the origin is away, to the first answer that is no 200, in ms; infinite if that is no 502, or
 * early. */
async function expiry(freshUntil: number, get: () => Promise<Reply>, takeAway: () => void): Promise<number> {
  for (let count = 0; ; count++) {
    const { status } = await get();
    const after = Date.now() - freshUntil;
    if (count === 0) takeAway();
    if (status !== 200 || after > EXPIRY_MS) return status === 502 && after >= 0 ? after : Infinity;
    await sleep(5);
  }
}

/** How many of many first requests get facts. */
async function coldStart(get: (folder: string) => Promise<Reply>, good: Good): Promise<number> {
  good("cold", { behave: slowly });
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => get("cold")));
  return answers.filter(({ status }) => status === 200).length;
}

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
