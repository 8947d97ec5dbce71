// Compares Vitrine, with and without its express lane, with bare node:http: 200 and 304 answers of the same plans, and memory.
import { writeFile } from "node:fs/promises";
import { askOnce, request, etagOf, type Received } from "./connection.ts";
import { startLoad } from "./load.ts";
import { startNodeServer, startVitrine, type BenchServer } from "./server-process.ts";
import { perCpu, rate, ratios, takeTurns, type Contender, type Turns } from "./slices.ts";
import { median, print, printTable, spread } from "./statistics.ts";

const TARGET = "/api/v1/plans";
const TURNS: Turns = { rounds: 30, slice: 100, warmUp: 500, connections: 16 };
const STATUSES = [200, 304] as const;

/** `plans`: a store with plans in it. `answerFile`: where bare node:http finds its answer, which is Vitrine's. */
export async function compareRequests(plans: string, answerFile: string): Promise<void> {
  const load = startLoad();
  const contenders: Contender[] = [];
  try {
    for await (const server of servers(plans, answerFile)) contenders.push(await prepare(server));
    // Measured here, so that Vitrine's deferred parts are included.
    const idle = await Promise.all(contenders.map(async ({ server }) => (await server.usage()).rss));
    await takeTurns(load, contenders, TURNS);
    for (const status of STATUSES) report(contenders, status);
    await reportMemory(contenders, idle);
  } finally {
    load.stop();
    for (const { server } of contenders) server.stop();
  }
}

async function* servers(plans: string, answerFile: string): AsyncGenerator<BenchServer> {
  const vitrine = await startVitrine(plans);
  yield vitrine;
  yield startVitrine(plans, "no-lane");
  const ok = await askOnce(vitrine.port, request(TARGET));
  const tag = etagOf(ok);
  const notModified = await askOnce(vitrine.port, request(TARGET, { ifNoneMatch: tag }));
  const answer = { ok: headers(ok), notModified: headers(notModified), tag, text: ok.body.toString() };
  await writeFile(answerFile, JSON.stringify(answer));
  yield startNodeServer("bare node:http", "bare.mjs", [answerFile]);
}

/** Names and values in turns, without those that node:http adds. */
function headers({ head }: Received): string[] {
  const lines = head.trimEnd().split("\r\n").slice(1);
  const own = lines.filter((line) => !/^(date|connection|keep-alive):/i.test(line));
  return own.flatMap((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]);
}

async function prepare(server: BenchServer): Promise<Contender> {
  const ifNoneMatch = etagOf(await askOnce(server.port, request(TARGET)));
  const requestFor = (status: number) => request(TARGET, status === 304 ? { ifNoneMatch } : {});
  const tasks = new Map(STATUSES.map((status) => [String(status), { status, request: requestFor(status) }]));
  return { server, tasks, samples: new Map() };
}

function report(contenders: readonly Contender[], status: number): void {
  const { connections, rounds, slice } = TURNS;
  const how = `${connections} connections, ${rounds} slices of ${slice} ms each`;
  print(`\n${status}, ${how}; ratios above 1 are better than bare node:http`);
  const samples = contenders.map((contender) => contender.samples.get(String(status)) ?? []);
  const bare = samples.at(-1) ?? [];
  const rows = samples.map((own, index) => [
    contenders[index]?.server.name ?? "",
    median(own.map(({ cpu }) => cpu)).toFixed(1),
    spread(ratios(own, bare, perCpu), 2),
    median(own.map(rate)).toFixed(0),
    spread(ratios(own, bare, rate), 2),
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
