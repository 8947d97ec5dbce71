// Six built servers over one Redis, and the prices by which a check knows what each of them has.
import { publish, readSnapshot } from "../../../snapshots/facts.ts";
import type { Store } from "../../../snapshots/store.ts";
import { startProgram, type Program } from "../../support/program/program.ts";
import { FILE_SOURCES, settingsDirectory } from "../../support/program/settings.ts";
import { FACTS } from "../../support/serving/prepared-targets.ts";
import { allSnapshots, pollUntil } from "../../support/serving/server.ts";
import { factsIn, plansSnapshot } from "../../support/snapshot.ts";

export const SERVERS = 6;
const DAY_MS = 24 * 60 * 60_000;
const [PLANS] = FACTS;

type OnFinished = (cleanUp: () => Promise<void>) => void;

export async function startServers(location: string, onFinished: OnFinished): Promise<Program[]> {
  const directory = await settingsDirectory(FILE_SOURCES, onFinished);
  const start = () => startProgram(["serve"], { directory, environment: { SNAPSHOTS: location }, onFinished });
  return Promise.all(Array.from({ length: SERVERS }, start));
}

/** Publishes facts with this price for `life` ms, as a collector does: revisions begin again in a store that is back empty. Returns the
 * time of their end. */
export async function publishPrice(store: Store, price: number, life = DAY_MS): Promise<number> {
  const now = Date.now();
  const [confirmedAt, freshUntil] = [new Date(now).toISOString(), new Date(now + life).toISOString()];
  for (const facts of [plansSnapshot({ revision: price }), ...allSnapshots().slice(1)]) {
    const last = await readSnapshot(factsIn(store, { now: Infinity }), facts.name);
    const revision = last.state === "found" ? last.snapshot.revision + 1 : 1;
    await publish(store, { ...facts, revision, changedAt: confirmedAt, confirmedAt, freshUntil }, last);
  }
  return now + life;
}

/** The price in an answer to PLANS; undefined in any other answer. */
export function priceIn(text: string): number | undefined {
  const [, price] = /"monthlyPrice":(\d+),/.exec(text) ?? [];
  return price === undefined ? undefined : Number(price);
}

/** Resolves to the prices of the servers, once all of them are the wanted one, or after `limit` ms. */
export function pricesOf(servers: readonly Program[], wanted: number, limit: number): Promise<(number | undefined)[]> {
  const latest = performance.now() + limit;
  return pollUntil(
    () => Promise.all(servers.map(async ({ get }) => priceIn((await get(PLANS)).text))),
    (prices) => prices.every((price) => price === wanted) || performance.now() > latest,
  );
}
