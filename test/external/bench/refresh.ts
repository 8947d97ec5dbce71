// What a new snapshot does to clients: how soon they see it, and how long a request may wait while it is taken over.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Catalogue, USUAL_PLANS } from "./catalogue.ts";
import { openConnection, request, etagOf, type Connection } from "./connection.ts";
import { startLoad, type Load } from "./load.ts";
import { startPublisher, systemClock } from "./publisher.ts";
import { startNodeServer, startVitrine, type BenchServer } from "./server-process.ts";
import { print, printTable, quantile, spread } from "./statistics.ts";

const PLANS = request("/api/v1/plans", { method: "HEAD" });
/** Small at any size of the catalogue: what it waits for is the refresh, not its own bytes. */
const RELEASE = request("/api/v1/releases/latest");

/** Just after the start the MCP SDK is still being loaded; that is no refresh. Milliseconds. */
const SETTLING_MS = 2_000;

/** How the servers are started over a directory, by how they notice what is new. */
type Ways = readonly (readonly [name: string, start: (directory: string) => Promise<BenchServer>])[];

const WATCHING: Ways = [
  ["Vitrine, by a watched directory", (directory) => startVitrine(directory)],
  ["a bare watcher that reads the file", (directory) => startNodeServer("watcher", "watcher.mjs", [directory])],
];
const POLLING: Ways = [["Vitrine, by polling alone", (directory) => startVitrine(directory, "poll")]];

/** Milliseconds between the rename of a snapshot and the first answer with it, for a client that never stops asking. */
export async function measureVisibility(scratch: string): Promise<void> {
  const rows = [
    ...(await delays(scratch, WATCHING, { times: 250, pause: 20 })),
    ...(await delays(scratch, POLLING, { times: 8, pause: 1000 })),
  ];
  print("\nFrom a snapshot's rename to the first answer with it, ms");
  printTable([["how it is noticed", "times", "p50", "p99", "longest"], ...rows]);
}

/** In turns, so that all see the same machine. `pause`: the longest before a snapshot is published, milliseconds. */
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
        const old = etagOf(await connection.ask(PLANS));
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

/** When plans with another tag were first seen, by `systemClock`. `pause`: milliseconds between requests. */
async function untilOtherThan(tag: string, connection: Connection, pause = 0): Promise<number> {
  while (etagOf(await connection.ask(PLANS)) === tag) if (pause > 0) await sleep(pause);
  return systemClock();
}

/** The longest wait of a client that asks without pause, in windows of time with a refresh and without. */
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
      const old = etagOf(await connection.ask(PLANS));
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
