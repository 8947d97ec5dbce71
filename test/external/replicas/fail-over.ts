// Two collectors on one store: one run in each slot, and the other collector goes on after the one at work is killed.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { json, startUpstream } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../../support/collecting/vendor.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { lastingConnection, request } from "../bench/connection.ts";
import type { Target, Verdicts } from "../bench/targets.ts";
import type { OnFinished } from "./clean-up.ts";
import { limited } from "./measures.ts";
import { BUILT, type Subject } from "./subject.ts";

export const SLOT_MS = 5_000;
/** A claim lasts 30 s without a sign, and the next slot begins at most 5 s later. The rest is for S3, whose clock shows whole
 * seconds, and for the run to begin. */
const FAIL_OVER_MS: Target = { target: 36_000, limit: 60_000 };
const NONE: Target = { target: 0, limit: 0 };
/** Slots with both collectors. */
const SLOTS = 3;
/** For the collectors to start. */
const START_MS = 3_000;
/** How long the upstream takes, so that two runs of a slot overlap. */
const UPSTREAM_MS = 500;
/** Above all prices that the check has published. */
const FIRST_PRICE = 1_000_000;
const PLANS = request("/api/v1/plans");

export const FAIL_OVER_HEADING = [
  "two collectors, one killed",
  "slots",
  "with several runs",
  "steps backwards",
  "fail-over, ms",
  "target",
];

/** `at`: in ms since the epoch. `price`: published if the run succeeds. `by`: the collector. */
interface Run {
  at: number;
  price: number;
  by: string;
}

export async function measureFailOver(
  subject: Subject,
  { verdicts, onFinished }: { verdicts: Verdicts; onFinished: OnFinished },
): Promise<string[]> {
  const { title } = subject.engine;
  const upstream = await startRisingUpstream(onFinished);
  const collectors = new Map<string, ChildProcess>();
  for (const name of ["one", "two"]) {
    collectors.set(name, await startCollector(name, { subject, origin: upstream.origin, onFinished }));
  }
  const firstSlot = slotOf(Date.now() + START_MS) + 1;
  const prices = subject.ports.map((port) => watchPrice(port));
  const last = await upstream.nextRun(({ at }) => slotOf(at) >= firstSlot + SLOTS);
  collectors.get(last.by)?.kill("SIGKILL");
  const next = await upstream.nextRun(({ by }) => by !== last.by);
  const steps = await Promise.all(prices.map(({ until }) => until(next.price)));
  const slots = upstream.runs.map(({ at }) => slotOf(at)).filter((slot) => slot >= firstSlot);
  return [
    title,
    String(SLOTS),
    verdicts.judge(`${title}, slots with several runs`, slots.length - new Set(slots).size, NONE),
    verdicts.judge(`${title}, steps backwards`, Math.max(...steps), NONE),
    verdicts.judge(`${title}, fail-over, ms`, next.at - last.at, FAIL_OVER_MS),
    limited(FAIL_OVER_MS),
  ];
}

function slotOf(time: number): number {
  return Math.floor(time / SLOT_MS);
}

/** An upstream whose price rises with each run. */
export async function startRisingUpstream(onFinished: OnFinished) {
  const runs: Run[] = [];
  const waiting = new Set<(run: Run) => void>();
  const upstream = await startUpstream({ onFinished });
  upstream.set("/plans", (incoming, response) => {
    const price = FIRST_PRICE + runs.length;
    const run = { at: Date.now(), price, by: String(incoming.headers["x-collector"]) };
    runs.push(run);
    for (const look of waiting) look(run);
    const { plans, ...rest } = vendorPlans();
    const answer = json({ ...rest, plans: plans.map((plan) => ({ ...plan, monthlyPrice: price })) });
    setTimeout(() => answer(incoming, response), UPSTREAM_MS);
  });
  upstream.set("/releases", json(vendorReleases()));
  return {
    origin: upstream.origin,
    runs,
    /** The next run for which `isWanted` holds. */
    nextRun: (isWanted: (run: Run) => boolean): Promise<Run> =>
      new Promise((resolve) => {
        const look = (run: Run) => void (isWanted(run) && waiting.delete(look) && resolve(run));
        waiting.add(look);
      }),
  };
}

/** A collector that names itself to the upstream, with a slot every 5 s. `onOutput`: called with each piece of its log. */
export async function startCollector(
  name: string,
  {
    subject,
    origin,
    onFinished,
    onOutput = () => {},
  }: { subject: Subject; origin: string; onFinished: OnFinished; onOutput?: (text: string) => void },
): Promise<ChildProcess> {
  const from = (path: string) => ({ from: "json", url: origin + path, headers: { "x-collector": name } });
  const sources = { plans: from("/plans"), releases: from("/releases") };
  const settings = { product: "acme-notes", ...sources, schedule: `*/${SLOT_MS / 1_000} * * * * *`, guard: false };
  const child = spawn(process.execPath, [BUILT, "collect", "--watch"], {
    cwd: await settingsDirectory(settings, onFinished),
    env: { PATH: process.env.PATH, ...subject.engine.replicas[0] },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onOutput);
  const ended = once(child, "close");
  onFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return child;
}

/** Watches the price of a replica. `until`: resolves to the number of times that it fell, once it has reached a price. */
export function watchPrice(port: number): { until: (price: number) => Promise<number> } {
  let [wanted, steps] = [Infinity, 0];
  const watch = async () => {
    const connection = lastingConnection(port);
    for (let price = 0; price < wanted;) {
      const { body } = await connection.ask(PLANS);
      const { plans } = JSON.parse(body.toString()) as { plans: { monthlyPrice: number }[] };
      const seen = plans[0]?.monthlyPrice ?? 0;
      if (seen < price) steps++;
      price = seen;
      await sleep(20);
    }
    connection.close();
    return steps;
  };
  const watching = watch();
  // Awaited later, if at all.
  watching.catch(() => {});
  return {
    until: (price) => {
      wanted = price;
      return watching;
    },
  };
}
