// The changes between payloads, in words that a reader of plans and releases uses.
import { describe, expect, test } from "vitest";
import { difference, lineOf } from "../../../snapshots/features/differences/difference.ts";
import type { LatestReleaseResponse, PlansResponse, Release } from "../../../snapshots/schema.ts";
import { cycleOf, planOf } from "../../support/snapshot.ts";

const plans: PlansResponse = {
  currency: "EUR",
  cycles: [
    cycleOf("monthly", 1, { labelKey: "monthly" }),
    cycleOf("annual", 12, { labelKey: "annual", savingBadge: "-17%" }),
  ],
  plans: [
    planOf("free", { monthly: 0 }),
    planOf("pro", { monthly: 11, annual: 9 }, { popular: true, annualPrice: 9, creditsMonthly: 5 }),
  ],
};

const release: Release = {
  platform: "macos",
  version: "4.2.0",
  changelog: "",
  downloadURL: "https://dl.example.com/a.dmg",
  size: "5",
  date: "2026-11-05",
};
const published = (changes: Partial<Release> = {}, forceUpdate = false): LatestReleaseResponse => ({
  hasUpdate: true,
  forceUpdate,
  latest: { ...release, ...changes },
});

/** The plans with some of their facts changed. */
function changed(change: (copy: PlansResponse) => void): PlansResponse {
  const copy = structuredClone(plans);
  change(copy);
  return copy;
}

function linesOf(...pair: Parameters<typeof difference>): string[] {
  return difference(...pair).map(lineOf);
}

test("equal payloads have no differences", () => {
  expect(linesOf(plans, structuredClone(plans))).toEqual([]);
  expect(linesOf(published(), published())).toEqual([]);
  expect(linesOf({ hasUpdate: false }, { hasUpdate: false })).toEqual([]);
});

test("a first publication is described as new", () => {
  expect(linesOf(undefined, plans)).toEqual(["plans: free, pro, for the first time"]);
  expect(linesOf(undefined, published())).toEqual(["macos 4.2.0, for the first time"]);
  expect(linesOf(undefined, { hasUpdate: false })).toEqual(["no release, for the first time"]);
});

test("each difference says what it is of, and both values", () => {
  const pro = (copy: PlansResponse) => copy.plans[1]!;
  const other = changed((copy) => {
    pro(copy).prices = { monthly: 12, weekly: 3 };
    copy.cycles.pop();
  });
  expect(difference(plans, other)).toEqual([
    { kind: "cycle", key: "annual", before: true },
    { kind: "price", plan: "pro", key: "annual", before: 9 },
    { kind: "price", plan: "pro", key: "monthly", before: 11, after: 12 },
    { kind: "price", plan: "pro", key: "weekly", after: 3 },
  ]);
  expect(difference(published(), published({ size: "" }))).toEqual([
    { kind: "size", platform: "macos", version: "4.2.0", before: "5", after: "" },
  ]);
});

describe("plans (snapshots/features/differences/difference.ts)", () => {
  const rows: [string, (copy: PlansResponse) => unknown, string[]][] = [
    ["a price", ({ plans: [, pro] }) => (pro!.prices.monthly = 12), ["plans: pro monthly 11 → 12"]],
    ["a price more", ({ plans: [free] }) => (free!.prices.annual = 0), ["plans: free annual added at 0"]],
    ["a price less", ({ plans: [, pro] }) => delete pro!.prices.annual, ["plans: pro annual removed"]],
    [
      "the price by the month",
      ({ plans: [, pro] }) => (pro!.monthlyPrice = 12),
      ["plans: pro price by the month 11 → 12"],
    ],
    [
      "the price by the year",
      ({ plans: [, pro] }) => (pro!.annualPrice = 8.5),
      ["plans: pro price by the year 9 → 8.5"],
    ],
    ["credits", ({ plans: [, pro] }) => (pro!.creditsMonthly = null), ["plans: pro credits a month 5 → not listed"]],
    ["popularity", ({ plans: [, pro] }) => (pro!.popular = false), ["plans: pro no longer popular"]],
    ["the currency", (copy) => (copy.currency = "USD"), ["plans: currency EUR → USD"]],
    ["a plan less", (copy) => copy.plans.shift(), ["plans: free removed"]],
    ["a plan more", (copy) => copy.plans.push({ ...copy.plans[0]!, id: "team" }), ["plans: team added"]],
    ["the order", (copy) => (copy.plans = copy.plans.toReversed()), ["plans: plans in another order: pro, free"]],
    ["a cycle less", (copy) => copy.cycles.pop(), ["plans: cycle annual removed"]],
    ["a cycle more", (copy) => copy.cycles.push({ ...copy.cycles[0]!, key: "weekly" }), ["plans: cycle weekly added"]],
    ["a cycle's months", ({ cycles }) => (cycles[1]!.durationMonths = 6), ["plans: cycle annual months 12 → 6"]],
    ["a cycle's label", ({ cycles }) => (cycles[1]!.labelKey = "year"), ["plans: cycle annual label annual → year"]],
    ["a badge", ({ cycles }) => (cycles[1]!.savingBadge = null), ["plans: cycle annual badge -17% → none"]],
  ];
  test.each(rows)("%s", (_, change, lines) => expect(linesOf(plans, changed(change))).toEqual(lines));
});

describe("a release", () => {
  const rows: [string, LatestReleaseResponse, LatestReleaseResponse, string[]][] = [
    ["a version", published(), published({ version: "4.2.1", size: "6" }), ["macos 4.2.0 → 4.2.1"]],
    ["a first one", { hasUpdate: false }, published(), ["macos no release → 4.2.0"]],
    ["a withdrawn one", published(), { hasUpdate: false }, ["macos 4.2.0 → no release"]],
    ["a forced one", published(), published({}, true), ["macos update offered → forced"]],
    [
      "the same version's details",
      published(),
      published({ downloadURL: "https://dl.example.com/b.dmg", size: "", changelog: "- More." }),
      [
        "macos 4.2.0: download https://dl.example.com/a.dmg → https://dl.example.com/b.dmg",
        "macos 4.2.0: size 5 → unknown",
        "macos 4.2.0: another changelog",
      ],
    ],
  ];
  test.each(rows)("%s", (_, before, after, lines) => expect(linesOf(before, after)).toEqual(lines));
});
