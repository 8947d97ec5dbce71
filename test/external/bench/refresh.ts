// The effect of a new snapshot on clients: the delay until they see it, and the longest wait of a request meanwhile.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Catalogue, USUAL_PLANS } from "./catalogue.ts";
import { openConnection, PLANS_HEAD, request, etagOf, untilOtherThan } from "./connection.ts";
import { startLoad, type Load } from "./load.ts";
import { startPublisher } from "./publisher.ts";
import { startNodeServer, startVitrine, type BenchServer } from "./server-process.ts";
import { print, printTable, quantile, spread } from "./statistics.ts";

/** Small at any number of plans, so that it waits for the refresh and not for its own bytes. */
const RELEASE = request("/api/v1/releases/latest");

/** The server is given this time after its start to load its deferred parts. */
const SETTLING_MS = 2_000;

/** The servers by the way in which they notice a new snapshot. */
type Ways = readonly (readonly [name: string, start: (directory: string) => Promise<BenchServer>])[];

const WATCHING: Ways = [
  ["Vitrine, by a watched directory", (directory) => startVitrine(directory)],
  ["a bare watcher that reads the file", (directory) => startNodeServer("watcher", "watcher.mjs", [directory])],
];
const POLLING: Ways = [["Vitrine, by polling alone", (directory) => startVitrine(directory, "poll")]];

/** Measures the ms from the rename of a snapshot to the first answer with it, for a client that polls without pause. */
export async function measureVisibility(scratch: string): Promise<void> {
  const rows = [
    ...(await delays(scratch, WATCHING, { times: 250, pause: 20 })),
    ...(await delays(scratch, POLLING, { times: 8, pause: 1000 })),
  ];
  print("\nFrom a snapshot's rename to the first answer with it, ms");
  printTable([["server", "times", "p50", "p99", "longest"], ...rows]);
}

/** In turns, so that all run under the same conditions. `pause`: the longest time before a publication, in ms. */
async function delays(
  scratch: string,
  ways: Ways,
  { times, pause }: { times: number; pause: number },
): Promise<string[][]> {
  const subjects = await Promise.all(
    ways.map(async ([name, start]) => {
      const directory = join(scratch, name);
      const publisher = await startPublisher(directory, USUAL_PLANS);
      const server = await start(directory);
      await sleep(SETTLING_MS);
      return { name, publisher, server, connection: await openConnection(server.port), found: [] as number[] };
    }),
  );
  try {
    for (let time = 0; time < times; time++) {
      for (const { publisher, connection, found } of subjects) {
        await sleep(Math.random() * pause);
        const old = etagOf(await connection.ask(PLANS_HEAD));
        const [seenAt, renamedAt] = await Promise.all([untilOtherThan(old, connection), publisher.publishNext()]);
        found.push(seenAt - renamedAt);
      }
    }
  } finally {
    for (const { connection, server, publisher } of subjects) {
      connection.close();
      server.stop();
      publisher.stop();
    }
  }
  return subjects.map(({ name, found }) => {
    const sorted = found.toSorted((a, b) => a - b);
    return [name, String(times), ...[0.5, 0.99, 1].map((share) => quantile(sorted, share).toFixed(1))];
  });
}

/** Measures the longest wait of a client that polls without pause, in windows with and without a refresh. */
export async function measureStalls(scratch: string): Promise<void> {
  const load = startLoad();
  const rows: string[][] = [];
  try {
    for (const plans of [10, 1_000]) rows.push(await stalls(join(scratch, String(plans)), plans, load));
  } finally {
    load.stop();
  }
  print("\nLongest wait for an answer in windows of a second, ms: median [quartiles], longest of all");
  printTable([["plans", "during a refresh", "longest", "without", "longest"], ...rows]);
}

const WINDOWS = 5;

async function stalls(directory: string, plans: number, load: Load): Promise<string[]> {
  const catalogue = new Catalogue(directory, plans);
  await catalogue.fill();
  const server = await startVitrine(directory);
  const connection = await openConnection(server.port);
  const slice = { port: server.port, request: RELEASE, status: 200, connections: 1, milliseconds: 1000 };
  const calm: number[] = [];
  const refreshing: number[] = [];
  try {
    await load.run(slice);
    for (let window = 0; window < WINDOWS; window++) {
      calm.push((await load.run(slice)).longest);
      const old = etagOf(await connection.ask(PLANS_HEAD));
      const seen = load.run(slice);
      await sleep(100);
      await catalogue.publishNext();
      await untilOtherThan(old, connection, 5);
      refreshing.push((await seen).longest);
    }
  } finally {
    connection.close();
    server.stop();
  }
  const columns = [refreshing, calm].flatMap((found) => [spread(found, 1), Math.max(...found).toFixed(1)]);
  return [plans.toLocaleString("en"), ...columns];
}
