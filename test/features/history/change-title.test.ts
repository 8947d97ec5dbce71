// The titles of changes in the feeds, made from what two published payloads have between them.
import { describe, expect, test } from "vitest";
import { changeTitle } from "../../../server/features/history/change-title.ts";
import type { Change } from "../../../server/features/history/recent-changes.ts";
import { entryOf, historyPlaceOf } from "../../../snapshots/features/history/entry.ts";
import { readEntry } from "../../../snapshots/features/history/timeline.ts";
import type { LatestReleaseResponse, Plan, PlansResponse } from "../../../snapshots/schema.ts";
import type { Payload } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { factsIn, planOf, plansSnapshot, releaseSnapshot, resealed } from "../../support/snapshot.ts";

const plan = (id: string, monthly: number, more: Partial<Plan> = {}) =>
  planOf(id, { monthly, annual: monthly * 10 }, more);
const plans = (currency: string, ...all: Plan[]): PlansResponse => ({ currency, cycles: [], plans: all });
const release = (version: string, forceUpdate = false, size = ""): LatestReleaseResponse => ({
  hasUpdate: true,
  forceUpdate,
  latest: { platform: "macos", version, changelog: "", downloadURL: "https://x.example/a.dmg", size, date: "" },
});
const none: LatestReleaseResponse = { hasUpdate: false };

/** The title of the change from one payload to the other, by an entry of the history that `asStored` may change. */
async function titleOf(before: Payload | undefined, after: Payload, asStored = (entry: object) => entry) {
  const store = openStore(await temporaryDirectory());
  const written = entryOf(resealed("plans" in after ? plansSnapshot() : releaseSnapshot("macos"), after), before);
  const key = historyPlaceOf(written);
  await store.put(key.key, Buffer.from(JSON.stringify(asStored({ format: 1, ...written }))));
  const entry = await readEntry(factsIn(store), key);
  if (!entry) throw new Error("the entry cannot be read");
  expect(entry.changes).toEqual(written.changes);
  const published: Change["published"] =
    "plans" in after
      ? { currency: after.currency, prices: new Map() }
      : { version: after.hasUpdate ? after.latest.version : null };
  return changeTitle("Acme Notes", { ...entry, ...key, changelog: "", published });
}

/** With kinds of differences that this version does not know. */
const asNewer = (entry: object) => ({
  ...entry,
  differences: [{ kind: "tax", after: 19 }, null],
  until: "",
  proof: {},
});

const [free, team, pro] = [plan("free", 0), plan("team", 12), plan("pro", 20)];

const ROWS: [title: string, before: Payload | undefined, after: Payload][] = [
  ["Team: $12 → $14 a month", plans("USD", free, team), plans("USD", free, plan("team", 14))],
  ["Team: $120 → $99.50 a year", plans("USD", team), plans("USD", plan("team", 12, { annualPrice: 99.5 }))],
  ["Team annual 120 → 99", plans("USD", team), plans("USD", plan("team", 12, { prices: { monthly: 12, annual: 99 } }))],
  [
    "Team: $12 → $14 a month, Pro: $20 → $25 a month",
    plans("USD", team, pro),
    plans("USD", plan("team", 14), plan("pro", 25)),
  ],
  [
    "Pro: ¥20 → ¥25 a month, Pro credits a month not listed → 5, and 1 more",
    plans("JPY", pro),
    plans("JPY", plan("pro", 25, { creditsMonthly: 5 }), team),
  ],
  ["Currency USD → EUR, Team: $12 → €11 a month", plans("USD", team), plans("EUR", plan("team", 11))],
  ["Free is no longer offered", plans("USD", free, team), plans("USD", team)],
  ["Team is now recommended", plans("USD", team), plans("USD", { ...team, popular: true })],
  ["Plans: free, team", undefined, plans("USD", free, team)],
  ["Acme Notes 2.4.2 for macOS", release("2.4.1"), release("2.4.2")],
  ["Acme Notes 2.4.2 for macOS", none, release("2.4.2")],
  ["Acme Notes 2.4.2 for macOS", undefined, release("2.4.2")],
  ["Acme Notes 2.4.2 for macOS, a required update", release("2.4.1"), release("2.4.2", true)],
  ["Acme Notes 2.4.2 for macOS, no longer a required update", release("2.4.2", true), release("2.4.2")],
  ["Acme Notes 2.4.2 for macOS: size unknown → 5", release("2.4.2"), release("2.4.2", false, "5")],
  ["Acme Notes for macOS: withdrawn", release("2.4.2"), none],
  ["Acme Notes for macOS: no release", undefined, none],
];

describe("the title of a change (server/features/history/change-title.ts)", () => {
  test.for(ROWS)("%s", async ([title, before, after]) => {
    expect(await titleOf(before, after)).toBe(title);
  });

  test("differences that only a newer version knows are titled by their lines", async () => {
    const [before, after] = [plans("USD", free, team), plans("USD", free, plan("team", 14))];
    expect(await titleOf(before, after, asNewer)).toMatch(/^Plans: team monthly 12 → 14, /);
  });

  test("a long list is counted, unless the history left out part of it", async () => {
    const many = (price: number) => plans("USD", ...Array.from({ length: 30 }, (_, index) => plan(`p${index}`, price)));
    // The history keeps 20 of the 120 lines: four for each plan.
    expect(await titleOf(many(1), many(2))).toBe("P0: $1 → $2 a month, P1: $1 → $2 a month, and more");
    expect(await titleOf(undefined, many(1))).toBe("Plans: p0, p1, p2, p3, p4 and 25 more");
    const huge = plans("USD", ...Array.from({ length: 100 }, (_, index) => plan(`plan-${index}`, 1)));
    expect(await titleOf(undefined, huge)).toBe("Plans: plan-0, plan-1, plan-2, plan-3, plan-4 and more");
  });
});
