// A load of a fixed rate over several servers, from a separate process. It reads all facts, and counts answers other than 200.
import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { nextMessageOf } from "../bench/child.ts";
import { openConnection, request, type Connection } from "../bench/connection.ts";
import { quantile } from "../bench/statistics.ts";

/** Of all servers together: 88,800 requests in a minute. */
const REQUESTS_PER_S = 1_480;
const CONNECTIONS_PER_SERVER = 2;
/** For the last answers. */
const PATIENCE_MS = 2_000;
const TARGETS = ["plans", "releases/latest?platform=macos", "releases/latest?platform=windows"];
const REQUESTS = TARGETS.map((target) => request(`/api/v1/${target}`));

/** `others`: answers other than 200, and requests without an answer. Times in ms. */
export interface LoadReport {
  requests: number;
  others: number;
  p99: number;
  longest: number;
}

/** Starts this file as a process. Returns a function that ends the load. */
export function startSteadyLoad(ports: readonly number[]): () => Promise<LoadReport> {
  const child = fork(import.meta.filename, ports.map(String), { execArgv: ["--import", "tsx"] });
  const next = nextMessageOf(child, "the load generator");
  return async () => {
    child.send("stop");
    const report = (await next()) as LoadReport;
    child.kill();
    return report;
  };
}

let isOver = false;
let asked = 0;
let good = 0;
const times: number[] = [];

async function keepAsking(port: number, { interval, delay }: { interval: number; delay: number }): Promise<void> {
  let connection: Connection | undefined;
  const start = performance.now() + delay;
  for (let count = 0; !isOver; count++) {
    const wait = start + count * interval - performance.now();
    if (wait > 0) await sleep(wait);
    const since = performance.now();
    asked++;
    try {
      connection ??= await openConnection(port);
      const { status } = await connection.ask(REQUESTS[count % REQUESTS.length] ?? "");
      if (status === 200) good++;
    } catch {
      connection = undefined;
    }
    times.push(performance.now() - since);
  }
}

const isOwnProcess = process.argv[1] === import.meta.filename;
if (isOwnProcess) {
  const ports = process.argv.slice(2).flatMap((port) => Array<number>(CONNECTIONS_PER_SERVER).fill(Number(port)));
  const interval = (1_000 * ports.length) / REQUESTS_PER_S;
  const asking = ports.map((port, index) => keepAsking(port, { interval, delay: (interval * index) / ports.length }));
  process.on("disconnect", () => process.exit());
  process.on("message", async () => {
    isOver = true;
    await Promise.race([Promise.all(asking), sleep(PATIENCE_MS)]);
    const sorted = times.toSorted((a, b) => a - b);
    const report: LoadReport = {
      requests: asked,
      others: asked - good,
      p99: quantile(sorted, 0.99),
      longest: sorted.at(-1) ?? 0,
    };
    process.send?.(report);
  });
}
