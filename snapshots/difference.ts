// The differences between two payloads in words, a line for each fact, such as `plans: pro monthly 11 → 12` or
// `macos 4.2.0 → 4.2.1`. Pure: the same two payloads always give the same lines, and equal ones give none.
import type { BillingCycle, LatestReleaseResponse, Plan, PlansResponse, Release } from "./schema.ts";
import type { Payload } from "./snapshot.ts";

/** The lines, in the order of the payload. `before`: undefined if nothing was published. */
export function difference(before: Payload | undefined, after: Payload): string[] {
  if ("plans" in after) return ofPlans(before && "plans" in before ? before : undefined, after);
  return ofRelease(before && "hasUpdate" in before ? before : undefined, after);
}

function ofPlans(before: PlansResponse | undefined, after: PlansResponse): string[] {
  if (!before) return [`plans: ${list(after.plans.map(({ id }) => id))}, for the first time`];
  return [
    ...change("currency", before.currency, after.currency),
    ...entries(byKey(before.cycles), byKey(after.cycles), { prefix: "cycle ", compare: ofCycle }),
    ...order("cycles", before.cycles.map(keyOf), after.cycles.map(keyOf)),
    ...entries(byId(before.plans), byId(after.plans), { prefix: "", compare: ofPlan }),
    ...order("plans", before.plans.map(idOf), after.plans.map(idOf)),
  ].map((line) => `plans: ${line}`);
}

function ofCycle(before: BillingCycle, after: BillingCycle): string[] {
  return [
    ...change("months", before.durationMonths, after.durationMonths),
    ...change("label", before.labelKey, after.labelKey),
    ...change("badge", before.savingBadge ?? "none", after.savingBadge ?? "none"),
  ];
}

function ofPlan(before: Plan, after: Plan): string[] {
  const prices = [before.prices, after.prices].map((prices) => new Map(Object.entries(prices)));
  return [
    ...(before.popular === after.popular ? [] : [after.popular ? "now popular" : "no longer popular"]),
    ...entries(prices[0], prices[1], { prefix: "", compare: (one, other) => change("", one, other) }),
    ...change("price by the month", before.monthlyPrice, after.monthlyPrice),
    ...change("price by the year", before.annualPrice, after.annualPrice),
    ...change("credits a month", before.creditsMonthly ?? "not listed", after.creditsMonthly ?? "not listed"),
  ];
}

function ofRelease(before: LatestReleaseResponse | undefined, after: LatestReleaseResponse): string[] {
  if (!after.hasUpdate) {
    if (!before) return ["no release, for the first time"];
    return before.hasUpdate ? [`${before.latest.platform} ${before.latest.version} → no release`] : [];
  }
  const { platform, version } = after.latest;
  if (!before) return [`${platform} ${version}, for the first time`];
  if (!before.hasUpdate) return [`${platform} no release → ${version}`];
  const isSame = before.latest.version === version;
  const update = (isForced: boolean) => (isForced ? "forced" : "offered");
  return [
    ...change(platform, before.latest.version, version),
    ...change(`${platform} update`, update(before.forceUpdate), update(after.forceUpdate)),
    // Another version implies another installer, date and changelog.
    ...(isSame ? ofSameVersion(before.latest, after.latest).map((line) => `${platform} ${version}: ${line}`) : []),
  ];
}

function ofSameVersion(before: Release, after: Release): string[] {
  return [
    ...change("download", before.downloadURL, after.downloadURL),
    ...change("size", before.size || "unknown", after.size || "unknown"),
    ...change("date", before.date || "unknown", after.date || "unknown"),
    ...(before.changelog === after.changelog ? [] : ["another changelog"]),
  ];
}

/** The keys that were removed, added or changed; each line of `compare` follows its key. */
function entries<T>(
  before: ReadonlyMap<string, T> = new Map(),
  after: ReadonlyMap<string, T> = new Map(),
  { prefix, compare }: { prefix: string; compare: (before: T, after: T) => string[] },
): string[] {
  const removed = [...before.keys()].filter((key) => !after.has(key)).map((key) => `${prefix}${key} removed`);
  const others = [...after].flatMap(([key, value]) => {
    const last = before.get(key);
    if (last === undefined) return [`${prefix}${key} added${typeof value === "number" ? ` at ${value}` : ""}`];
    return compare(last, value).map((line) => `${prefix}${key} ${line}`);
  });
  return [...removed, ...others];
}

function order(what: string, before: readonly string[], after: readonly string[]): string[] {
  const [old, current] = [new Set(before), new Set(after)];
  const [was, is] = [before.filter((key) => current.has(key)), after.filter((key) => old.has(key))];
  return was.every((key, index) => key === is[index]) ? [] : [`${what} in another order: ${list(after)}`];
}

function change(what: string, before: string | number, after: string | number): string[] {
  if (before === after) return [];
  return [`${what} ${before} → ${after}`.trimStart()];
}

const keyOf = ({ key }: BillingCycle) => key;
const idOf = ({ id }: Plan) => id;
const byKey = (cycles: readonly BillingCycle[]) => new Map(cycles.map((cycle) => [cycle.key, cycle]));
const byId = (plans: readonly Plan[]) => new Map(plans.map((plan) => [plan.id, plan]));

function list(keys: readonly string[]): string {
  return keys.length === 0 ? "none" : keys.join(", ");
}
