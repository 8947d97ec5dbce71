// An engine with its replicas: built servers, started as an operator starts them.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startProgram, type Program } from "../../support/program/program.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { etagOf, lastingConnection, PLANS_HEAD, untilOtherThan } from "../bench/connection.ts";
import { print } from "../bench/statistics.ts";
import type { OnFinished } from "./clean-up.ts";
import type { Engine } from "./engines.ts";
import { Publisher } from "./publisher.ts";

export const BUILT = join(import.meta.dirname, "../../../dist/vitrine.mjs");

/** The sources are not asked: the check publishes itself. */
export const SOURCES = {
  plans: { from: "file", path: "plans.json" },
  releases: { from: "file", path: "releases.json" },
};

export interface Subject {
  engine: Engine;
  publisher: Publisher;
  replicas: readonly Program[];
  ports: readonly number[];
}

/** Fills the store, then starts the replicas; resolves when all answer. */
export async function startSubject(engine: Engine, onFinished: OnFinished): Promise<Subject> {
  const store = engine.open();
  onFinished(() => store.close());
  const publisher = new Publisher(store);
  await publisher.fill();
  const directory = await settingsDirectory(SOURCES, onFinished);
  const start = (environment: Readonly<Record<string, string>>) =>
    startProgram(["serve"], { directory, environment, program: [BUILT], onFinished });
  const replicas = await Promise.all(engine.replicas.map(start));
  let isOver = false;
  onFinished(async () => void (isOver = true));
  for (const { exited, errors } of replicas) {
    void exited.then(
      (code) => isOver || print(`${engine.title}: a replica ended by itself (${String(code)}): ${errors()}`),
    );
  }
  return { engine, publisher, replicas, ports: replicas.map(({ port }) => port) };
}

/** Publishes plans, fresh for `life` ms, and waits for all replicas. `startedAt`: of the publication, `seenAt`: when each
 * replica first answered with them, both by `systemClock`; infinite for one that takes longer than the limit of a recovery.
 * `freshUntil`: in ms since the epoch. */
export async function publishAndSee({ engine, publisher, ports }: Subject, life?: number) {
  const connections = ports.map((port) => lastingConnection(port));
  try {
    const tags = await Promise.all(connections.map(async (connection) => etagOf(await connection.ask(PLANS_HEAD))));
    // So many requests that they cost little of the time that is measured.
    const pause = Math.min(20, engine.delay.target / 25);
    const late = sleep(engine.recovery.limit, Infinity, { ref: false });
    const [published, ...seenAt] = await Promise.all([
      publisher.publishPlans(life),
      ...connections.map((connection, index) =>
        Promise.race([late, untilOtherThan(tags[index] ?? "", connection, pause)]),
      ),
    ]);
    return { ...published, seenAt };
  } finally {
    for (const connection of connections) connection.close();
  }
}
