// What clients of all replicas see of an engine that is there, that is away, and that is away for longer than the facts hold.
import { setTimeout as sleep } from "node:timers/promises";
import { lastingConnection, request, systemClock } from "../bench/connection.ts";
import { quantile } from "../bench/statistics.ts";
import type { Target, Verdicts } from "../bench/targets.ts";
import type { Outage } from "./engines.ts";
import { startSteadyLoad } from "./steady-load.ts";
import { publishAndSee, type Subject } from "./subject.ts";

const OTHER_ANSWERS: Target = { target: 0, limit: 0 };
const EXPIRY_MS: Target = { target: 50, limit: 1_000 };
/** Before the facts expire, all replicas have them and the engine is away. */
const SPARE_MS = 3_000;
/** Clients ask again and again from so long before. */
const WATCH_MS = 500;
const PLANS = request("/api/v1/plans");

/** From a publication to each replica, `times` times. */
export const DELAY_HEADING = ["publication to each replica, ms", "replicas", "times", "p50", "p99", "target"];

export async function measureDelay(subject: Subject, times: number, verdicts: Verdicts): Promise<string[]> {
  const { title, delay } = subject.engine;
  const found: number[] = [];
  for (let time = 0; time < times; time++) {
    await sleep(Math.random() * delay.target);
    const { startedAt, seenAt } = await publishAndSee(subject);
    found.push(...seenAt.map((time) => time - startedAt));
  }
  const sorted = found.toSorted((a, b) => a - b);
  const p99 = verdicts.judge(`${title}, publication to each replica, ms`, quantile(sorted, 0.99), delay);
  const counts = [subject.ports.length, times, quantile(sorted, 0.5)].map((value) => value.toFixed(0));
  return [title, ...counts, p99, limited(delay)];
}

export const OUTAGE_HEADING = [
  "away, under load",
  "s",
  "requests",
  "other than 200",
  "p99, ms",
  "longest, ms",
  "in all replicas again, ms",
  "target",
];

/** The answers during an outage of so many seconds, and the time from its end until all replicas have what is published then. */
export async function measureOutage(
  subject: Subject,
  { title, begin, end }: Outage,
  { seconds, verdicts }: { seconds: number; verdicts: Verdicts },
): Promise<string[]> {
  const { recovery } = subject.engine;
  const name = `${subject.engine.title}: ${title}`;
  const endLoad = startSteadyLoad(subject.ports);
  await begin();
  await sleep(1_000 * seconds);
  await end();
  const endedAt = systemClock();
  const { seenAt } = await publishAndSee(subject);
  const { requests, others, p99, longest } = await endLoad();
  return [
    name,
    String(seconds),
    String(requests),
    verdicts.judge(`${name}, other than 200`, others, OTHER_ANSWERS),
    p99.toFixed(1),
    longest.toFixed(0),
    verdicts.judge(`${name}, in all replicas again, ms`, Math.max(...seenAt) - endedAt, recovery),
    limited(recovery),
  ];
}

export const EXPIRY_HEADING = ["facts expire while away", "replicas", "last first 502 after, ms", "target"];

/** The time from the expiry of a fact, while the engine is away, to the first 502 of the last replica. */
export async function measureExpiry(
  subject: Subject,
  { title, begin, end }: Outage,
  verdicts: Verdicts,
): Promise<string[]> {
  const { engine, ports } = subject;
  const { freshUntil } = await publishAndSee(subject, engine.delay.target + SPARE_MS);
  await begin();
  const expired = await Promise.all(ports.map((port) => expiry(port, freshUntil)));
  await end();
  await publishAndSee(subject);
  const name = `${engine.title}: ${title}`;
  const last = verdicts.judge(`${name}, first 502, ms`, Math.max(...expired), EXPIRY_MS);
  return [name, String(ports.length), last, limited(EXPIRY_MS)];
}

/** From then to the first answer that is no 200, in ms; infinite if that is no 502, or too early. */
async function expiry(port: number, freshUntil: number): Promise<number> {
  await sleep(freshUntil - WATCH_MS - Date.now());
  const connection = lastingConnection(port);
  try {
    for (let isEarly = true; ; isEarly = false) {
      const { status } = await connection.ask(PLANS);
      const after = Date.now() - freshUntil;
      if (status !== 200 || after > EXPIRY_MS.limit) return status === 502 && !isEarly && after >= 0 ? after : Infinity;
      await sleep(1);
    }
  } finally {
    connection.close();
  }
}

/** A target as a cell. */
export function limited({ target }: Target): string {
  return `≤ ${target.toFixed(0)}`;
}
