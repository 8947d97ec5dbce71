// Compares Vitrine, with and without its express lane, with bare node:http: 200 and 304 answers of the same plans, and memory. The
// servers take turns in short slices, so that other load on the machine affects all of them alike. Ratios are computed within a round
// and then summarised.
import { writeFile } from "node:fs/promises";
import { ask } from "../../support/serving/server.ts";
import { request } from "./connection.ts";
import { measure, type SliceResult } from "./load.ts";
import { startNodeServer, startVitrine, type BenchServer } from "./server-process.ts";
import { median, print, printTable, spread } from "./statistics.ts";

const TARGET = "/api/v1/plans";
const CONNECTIONS = 16;
const ROUNDS = 30;
const SLICE_MS = 100;
const WARM_UP_MS = 500;
const STATUSES = [200, 304] as const;
type Status = (typeof STATUSES)[number];

/** `cpu`: the server's µs per request. */
type Sample = SliceResult & { cpu: number };

interface Contender {
  server: BenchServer;
  etag: string;
  /** One for each round, by status. */
  samples: Record<Status, Sample[]>;
}

/** `plans`: a store with plans in it. `answerFile`: where bare node:http finds its answer, which is Vitrine's. */
export async function compareRequests(plans: string, answerFile: string): Promise<void> {
  const contenders: Contender[] = [];
  try {
    for await (const server of servers(plans, answerFile)) {
      const { headers } = await ask(server.port, TARGET);
      contenders.push({ server, etag: headers.etag ?? "", samples: { 200: [], 304: [] } });
    }
    // Measured here, so that Vitrine's deferred parts are included.
    const idle = await Promise.all(contenders.map(async ({ server }) => (await server.usage()).rss));
    for (const contender of contenders) for (const status of STATUSES) await takeSlice(contender, status, WARM_UP_MS);
    for (let round = 0; round < ROUNDS; round++) {
      const first = round % contenders.length;
      for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
        for (const status of STATUSES) contender.samples[status].push(await takeSlice(contender, status, SLICE_MS));
      }
    }
    for (const status of STATUSES) report(contenders, status);
    await reportMemory(contenders, idle);
  } finally {
    for (const { server } of contenders) server.stop();
  }
}

async function* servers(plans: string, answerFile: string): AsyncGenerator<BenchServer> {
  const vitrine = await startVitrine(plans);
  yield vitrine;
  yield startVitrine(plans, "no-lane");
  const ok = await ask(vitrine.port, TARGET);
  const { etag = "" } = ok.headers;
  const notModified = await ask(vitrine.port, TARGET, { headers: { "if-none-match": etag } });
  const [all, few] = [ok, notModified].map(({ headers }) => {
    // Those that node:http adds.
    const { date: _, connection: __, "keep-alive": ___, ...own } = headers;
    return Object.entries(own).flat();
  });
  await writeFile(answerFile, JSON.stringify({ ok: all, notModified: few, tag: etag, text: ok.text }));
  yield startNodeServer("bare node:http", "bare.mjs", [answerFile]);
}

async function takeSlice({ server, etag }: Contender, status: Status, milliseconds: number): Promise<Sample> {
  const task = { port: server.port, request: request(TARGET, status === 304 ? etag : ""), status };
  const before = await server.usage();
  const seen = await measure({ ...task, connections: CONNECTIONS, milliseconds });
  return { ...seen, cpu: ((await server.usage()).cpu - before.cpu) / seen.requests };
}

/** Requests per second. */
const rate = ({ requests, duration }: Sample): number => (1000 * requests) / duration;

function report(contenders: readonly Contender[], status: Status): void {
  const how = `${CONNECTIONS} connections, ${ROUNDS} slices of ${SLICE_MS} ms each`;
  print(`\n${status}, ${how}; ratios above 1 are better than bare node:http`);
  const bare = contenders.at(-1)?.samples[status] ?? [];
  const ratios = (own: readonly Sample[], worth: (sample: Sample) => number) =>
    own.map((sample, round) => worth(sample) / worth(bare[round] ?? sample));
  const rows = contenders.map(({ server: { name }, samples: { [status]: own } }) => [
    name,
    median(own.map(({ cpu }) => cpu)).toFixed(1),
    spread(
      ratios(own, ({ cpu }) => 1 / cpu),
      2,
    ),
    median(own.map(rate)).toFixed(0),
    spread(ratios(own, rate), 2),
    median(own.map(({ p50 }) => p50)).toFixed(2),
    median(own.map(({ p99 }) => p99)).toFixed(2),
  ]);
  const ratio = "× bare [quartiles]";
  printTable([["server", "CPU µs", ratio, "requests/s", ratio, "p50 ms", "p99 ms"], ...rows]);
}

async function reportMemory(contenders: readonly Contender[], idle: readonly number[]): Promise<void> {
  const megabytes = (bytes = 0) => (bytes / 1e6).toFixed(0);
  const rows = contenders.map(async ({ server }, index) => {
    const { rss } = await server.usage();
    return [server.name, megabytes(idle[index]), megabytes(rss)];
  });
  print("\nResident memory, MB");
  printTable([["server", "after start", "after load"], ...(await Promise.all(rows))]);
}
