// Valid snapshots for tests. The payload depends on `revision` only, so a test can check that a payload is complete.
import type { BillingCycle, Plan, Platform, Release } from "../../snapshots/schema.ts";
import {
  openFacts,
  publish,
  readSnapshot,
  SYSTEM_CLOCK,
  type Belief,
  type Clock,
  type Facts,
} from "../../snapshots/facts.ts";
import { factOf, type Payload, releaseName, type Snapshot } from "../../snapshots/snapshot.ts";
import type { Reader, Store } from "../../snapshots/store.ts";

/** The time of the test clock, in ms since the epoch. */
export const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const DAY = 24 * 60 * 60_000;

/** `confirmedAt`: in ms since the epoch. `plans`: their number. */
export interface SnapshotOptions {
  revision?: number;
  confirmedAt?: number;
  plans?: number;
}

export function plansSnapshot({ plans = 1, ...wanted }: SnapshotOptions = {}): Snapshot {
  const { revision = 1 } = wanted;
  return seal("plans", wanted, {
    currency: "EUR",
    cycles: [cycleOf("monthly", 1, { labelKey: "billing.monthly" })],
    plans: Array.from({ length: plans }, (_, index) => planOf(`plan-${index}`, { monthly: revision })),
  });
}

/** `fields`: replace those of the release. */
export function releaseSnapshot(
  platform: Platform,
  wanted: SnapshotOptions = {},
  fields: Partial<Release> = {},
): Snapshot {
  return seal(releaseName(platform), wanted, {
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform,
      version: `1.0.${wanted.revision ?? 1}`,
      changelog: "- Faster.\n- Übersetzt.",
      downloadURL: `https://downloads.example.com/notes-${platform}.zip`,
      size: "73400320",
      date: "2026-02-28",
      ...fields,
    },
  });
}

/** `now`: the time of a clock that stands still, in ms since the epoch. */
interface TestBelief {
  product?: Belief["product"];
  trust?: Belief["trust"];
  now?: number;
  clock?: Clock;
}

/** Believes any snapshot of a store, by the system's clock, unless the test gives a product, a trust or a time. */
export function factsIn<S extends Reader>(
  store: S,
  { product, trust, now, clock = SYSTEM_CLOCK }: TestBelief = {},
): Facts<S> {
  const wall = now === undefined ? clock.wall : () => now;
  return openFacts(store, { product, trust, clock: { wall, steady: clock.steady } });
}

/** Publishes the revision after the stored one, as a collector does. @throws the errors of `publish`. */
export async function publishNext(store: Store, next: (revision: number) => Snapshot): Promise<Snapshot> {
  const { name } = next(1);
  const last = await readSnapshot(factsIn(store, { now: NOW }), name);
  const found = last.state === "found" ? last.snapshot : undefined;
  const snapshot = next((found?.revision ?? 0) + 1);
  await publish(store, snapshot, last);
  return snapshot;
}

/** The snapshot with another payload, perhaps none of its shape, and its checksum. */
export function resealed(snapshot: Snapshot, payload: unknown): Snapshot {
  return { ...snapshot, ...factOf(payload as Payload) };
}

function seal(
  name: Snapshot["name"],
  { revision = 1, confirmedAt = NOW }: SnapshotOptions,
  payload: Payload,
): Snapshot {
  return {
    name,
    revision,
    changedAt: new Date(confirmedAt).toISOString(),
    confirmedAt: new Date(confirmedAt).toISOString(),
    freshUntil: new Date(confirmedAt + DAY).toISOString(),
    source: "test",
    ...factOf(payload),
  };
}

export function cycleOf(key: string, durationMonths: number, fields: Partial<BillingCycle> = {}): BillingCycle {
  return { key, durationMonths, labelKey: "cycle", savingBadge: null, ...fields };
}

/** A plan whose price by the month is the first of its prices, and that by the year its tenfold. */
export function planOf(id: string, prices: Plan["prices"], fields: Partial<Plan> = {}): Plan {
  const [monthlyPrice = 1] = Object.values(prices);
  return { id, popular: false, prices, monthlyPrice, annualPrice: 10 * monthlyPrice, creditsMonthly: null, ...fields };
}
