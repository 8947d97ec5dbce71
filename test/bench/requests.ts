// Vitrine against its peers: 200 and 304 of the same plans, in short slices that take turns, so that whatever else the
// machine does troubles all of them alike. Ratios are made within a round and only then summed up.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askOnce, request, tagOf, type Received } from "./connection.ts";
import { startLoad, type Load, type Seen } from "./load.ts";
import { startNodeServer, startVitrine, type Answer, type BenchServer } from "./server-process.ts";
import { startNginx } from "./servers/nginx.ts";
import { median, print, printTable, spread } from "./statistics.ts";

const TARGET = "/api/v1/plans";
const ROUNDS = 30;
/** Milliseconds. */
const SLICE = 100;
const WARM_UP = 1_000;
const CONNECTIONS = 16;

/** `cpu`: microseconds of the server per request. */
type Sample = Seen & { cpu: number };
interface Contender {
  server: BenchServer;
  requests: Record<200 | 304, string>;
  samples: Record<200 | 304, Sample[]>;
  /** Resident bytes before the first slice. */
  idle: number;
}

/** `plans`: a store with plans in it. `scratch`: an empty directory. */
export async function compareRequests(plans: string, scratch: string): Promise<void> {
  const load = startLoad();
  const contenders: Contender[] = [];
  try {
    for await (const server of servers(plans, scratch)) contenders.push(await prepare(server));
    // Only now: what Vitrine loads after it listens is there, too.
    for (const contender of contenders) contender.idle = (await contender.server.usage()).rss;
    for (const contender of contenders) await takeSlices(load, contender, WARM_UP);
    for (const { samples } of contenders) samples[200].length = samples[304].length = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const first = round % contenders.length;
      for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
        await takeSlices(load, contender, SLICE);
      }
    }
    for (const status of [200, 304] as const) report(contenders, status);
    await reportMemory(contenders);
  } finally {
    load.stop();
    for (const { server } of contenders) server.stop();
  }
}

/** Starts them all; the peers give the answer that Vitrine gives. */
async function* servers(plans: string, scratch: string): AsyncGenerator<BenchServer> {
  const vitrine = await startVitrine(plans);
  yield vitrine;
  yield startVitrine(plans, "no-lane");
  const answer = await answerOf(vitrine.port);
  const file = join(scratch, "answer.json");
  await writeFile(file, JSON.stringify(answer));
  yield startNodeServer("bare node:http", "bare.mjs", [file]);
  yield startNodeServer("fastify", "fastify.mjs", [file]);
  yield startNodeServer("hono", "hono.mjs", [file]);
  yield startNodeServer("h3, object", "h3.mjs", [file]);
  const nginx = await startNginx(scratch, answer);
  if (nginx) yield nginx;
  else print("nginx is not installed and was left out.");
}

async function answerOf(port: number): Promise<Answer> {
  const ok = await askOnce(port, request(TARGET));
  const tag = tagOf(ok);
  const notModified = await askOnce(port, request(TARGET, { ifNoneMatch: tag }));
  return { ok: headers(ok), notModified: headers(notModified), tag, text: ok.body.toString() };
}

/** The headers that a handler sets: what node:http adds by itself is left out. */
function headers({ head }: Received): string[] {
  const lines = head.trimEnd().split("\r\n").slice(1);
  const own = lines.filter((line) => !/^(date|connection|keep-alive):/i.test(line));
  return own.flatMap((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]);
}

async function prepare(server: BenchServer): Promise<Contender> {
  const ifNoneMatch = tagOf(await askOnce(server.port, request(TARGET)));
  const requests = { 200: request(TARGET), 304: request(TARGET, { ifNoneMatch }) };
  return { server, requests, samples: { 200: [], 304: [] }, idle: 0 };
}

async function takeSlices(load: Load, { server, requests, samples }: Contender, milliseconds: number): Promise<void> {
  for (const status of [200, 304] as const) {
    const before = await server.usage();
    const slice = { port: server.port, request: requests[status], status, connections: CONNECTIONS, milliseconds };
    const seen = await load.run(slice);
    const after = await server.usage();
    samples[status].push({ ...seen, cpu: (after.cpu - before.cpu) / seen.requests });
  }
}

function report(contenders: readonly Contender[], status: 200 | 304): void {
  print(
    `\n${status}, ${CONNECTIONS} connections, ${ROUNDS} slices of ${SLICE} ms each; ratios above 1 are better than bare node:http`,
  );
  const [vitrine, , bare] = contenders.map(({ samples }) => samples[status]);
  const rate = ({ requests, duration }: Sample) => (1000 * requests) / duration;
  const ratios = (of: Sample[] = [], to: Sample[] = [], worth: (sample: Sample) => number) =>
    of.map((sample, round) => worth(sample) / worth(to[round] ?? sample));
  const perCpu = ({ cpu }: Sample) => 1 / cpu;
  const rows = contenders.map(({ server, samples: { [status]: own } }) => [
    server.name,
    median(own.map(({ cpu }) => cpu)).toFixed(1),
    spread(ratios(own, bare, perCpu), 2),
    spread(ratios(vitrine, own, perCpu), 2),
    median(own.map(rate)).toFixed(0),
    spread(ratios(own, bare, rate), 2),
    median(own.map(({ p50 }) => p50)).toFixed(2),
    median(own.map(({ p99 }) => p99)).toFixed(2),
  ]);
  printTable([
    [
      "server",
      "CPU µs",
      "× bare [quartiles]",
      "Vitrine × this one",
      "requests/s",
      "× bare [quartiles]",
      "p50 ms",
      "p99 ms",
    ],
    ...rows,
  ]);
}

async function reportMemory(contenders: readonly Contender[]): Promise<void> {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
  const rows = contenders.map(async ({ server, idle }) => {
    const { rss } = await server.usage();
    return [server.name, megabytes(idle), megabytes(rss)];
  });
  print("\nResident memory, MB");
  printTable([["server", "after start", "after load"], ...(await Promise.all(rows))]);
}
