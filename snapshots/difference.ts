// The differences between two payloads: as values, which the history stores, and in words, a line for each. Pure: the same two
// payloads always give the same differences, and equal ones give none.
import * as z from "zod";
import { isPlainText } from "./rules.ts";
import type { LatestReleaseResponse, Plan, PlansResponse } from "./schema.ts";
import type { Payload } from "./snapshot.ts";

/** Longest text in a stored difference, in UTF-16 units. */
export const MAX_TEXT = 300;

const text = z.string().max(MAX_TEXT).refine(isPlainText);
const Value = z.union([text, z.number(), z.boolean(), z.null()]);
type Value = z.infer<typeof Value>;

/** `plan`: an id. `key`: of a price or a cycle. `version`: that of the release before and after. Something new has no `before`,
 * something removed no `after`. */
const Values = z.object({
  plan: text.optional(),
  key: text.optional(),
  platform: text.optional(),
  version: text.optional(),
  before: Value.optional(),
  after: Value.optional(),
});
type Values = z.infer<typeof Values>;

/** How each kind reads. Most are named for the public field that differs. */
const PHRASES = {
  /** The ids in a first publication. */
  plans: ({ after }: Values) => `${after}, for the first time`,
  currency: (of: Values) => `currency ${step(of)}`,
  cycle: (of: Values) => `cycle ${of.key} ${step(of)}`,
  durationMonths: (of: Values) => `cycle ${of.key} months ${step(of)}`,
  labelKey: (of: Values) => `cycle ${of.key} label ${step(of)}`,
  savingBadge: (of: Values) => `cycle ${of.key} badge ${step(of, "none")}`,
  plan: (of: Values) => `${of.plan} ${step(of)}`,
  popular: ({ plan, after }: Values) => `${plan} ${after ? "now" : "no longer"} popular`,
  price: (of: Values) => `${of.plan} ${of.key} ${step(of)}`,
  monthlyPrice: (of: Values) => `${of.plan} price by the month ${step(of)}`,
  annualPrice: (of: Values) => `${of.plan} price by the year ${step(of)}`,
  creditsMonthly: (of: Values) => `${of.plan} credits a month ${step(of, "not listed")}`,
  /** `key`: plans or cycles. */
  order: ({ key, after }: Values) => `${key} in another order: ${after}`,
  version: (of: Values) => {
    return of.before === undefined ? `${of.after ?? "no release"}, for the first time` : step(of, "no release");
  },
  forceUpdate: ({ after }: Values) => `update ${after ? "offered → forced" : "forced → offered"}`,
  downloadURL: (of: Values) => `download ${step(of)}`,
  size: (of: Values) => `size ${step(of, "unknown")}`,
  date: (of: Values) => `date ${step(of, "unknown")}`,
  changelog: () => "another changelog",
  /** The number of those that were left out. */
  more: ({ after }: Values) => `and ${after} more`,
  /** One that is known in words only. */
  words: ({ after }: Values) => `${after}`,
};
type Kind = keyof typeof PHRASES;

/** One difference, as the history stores it. */
export const Difference = Values.extend({
  kind: z.custom<Kind>((kind) => typeof kind === "string" && Object.hasOwn(PHRASES, kind)),
});
export type Difference = z.infer<typeof Difference>;

/** A line such as `plans: pro monthly 11 → 12` or `macos 4.2.0 → 4.2.1`. */
export function lineOf(one: Difference): string {
  const { kind, platform, version } = one;
  const isOfNothing = kind === "more" || (kind === "version" && platform === undefined);
  const subject =
    platform === undefined ? "plans: " : version === undefined ? `${platform} ` : `${platform} ${version}: `;
  return `${isOfNothing ? "" : subject}${phraseOf(one)}`;
}

/** The line without its subject. */
export function phraseOf(one: Difference): string {
  return PHRASES[one.kind](one);
}

function step({ before, after }: Values, none = ""): string {
  if (after === undefined) return "removed";
  if (before === undefined) return `added${typeof after === "number" ? ` at ${after}` : ""}`;
  return `${before ?? none} → ${after ?? none}`;
}

/** In the order of the payload. `before`: undefined if nothing was published. */
export function difference(before: Payload | undefined, after: Payload): Difference[] {
  if ("plans" in after) return ofPlans(before && "plans" in before ? before : undefined, after);
  return ofRelease(before && "hasUpdate" in before ? before : undefined, after);
}

function ofPlans(before: PlansResponse | undefined, after: PlansResponse): Difference[] {
  const byId = ({ plans }: PlansResponse) => new Map(plans.map((plan) => [plan.id, plan]));
  const byKey = ({ cycles }: PlansResponse) => new Map(cycles.map((cycle) => [cycle.key, cycle]));
  if (!before) return [{ kind: "plans", after: list(byId(after)) }];
  const cycles = [byKey(before), byKey(after)] as const;
  const plans = [byId(before), byId(after)] as const;
  return [
    ...fields(["currency"], [before, after]),
    ...entries(
      cycles,
      (key) => ({ kind: "cycle", key }),
      (pair, { key }) => fields(["durationMonths", "labelKey", "savingBadge"], pair, { key }),
    ),
    ...order("cycles", cycles),
    ...entries(plans, (plan) => ({ kind: "plan", plan }), ofPlan),
    ...order("plans", plans),
  ];
}

function ofPlan([before, after]: readonly [Plan, Plan], { plan }: Difference): Difference[] {
  const pricesOf = ({ prices }: Plan) => new Map(Object.entries(prices));
  return [
    ...fields(["popular"], [before, after], { plan }),
    ...entries(
      [pricesOf(before), pricesOf(after)],
      (key) => ({ kind: "price", plan, key }),
      ([one, other], { key }) => fields(["price"], [{ price: one }, { price: other }], { plan, key }),
    ),
    ...fields(["monthlyPrice", "annualPrice", "creditsMonthly"], [before, after], { plan }),
  ];
}

function ofRelease(before: LatestReleaseResponse | undefined, after: LatestReleaseResponse): Difference[] {
  const [last, next] = [factsOf(before), factsOf(after)];
  const at = { platform: (next ?? last)?.platform };
  if (!before) return [{ kind: "version", ...at, after: versionOf(next) }];
  if (!last || !next) return fields(["version"], [{ version: versionOf(last) }, { version: versionOf(next) }], at);
  if (last.version !== next.version) return fields(["version", "forceUpdate"], [last, next], at);
  // Another version implies another installer, date and changelog.
  const { platform, version } = next;
  return [
    ...fields(["forceUpdate"], [last, next], at),
    ...fields(["downloadURL", "size", "date"], [last, next], { platform, version }),
    ...(last.changelog === next.changelog ? [] : [{ kind: "changelog" as const, platform, version }]),
  ];
}

/** Undefined if no release is published. */
function factsOf(release: LatestReleaseResponse | undefined) {
  if (!release?.hasUpdate) return undefined;
  const { latest, forceUpdate } = release;
  return { ...latest, forceUpdate, size: latest.size || null, date: latest.date || null };
}

/** Null if no release is published. */
function versionOf(release: { version: string } | undefined): string | null {
  return release?.version ?? null;
}

/** The fields that differ. `at`: where they are. */
function fields<K extends Kind>(
  kinds: readonly K[],
  [before, after]: readonly [Record<K, Value>, Record<K, Value>],
  at: Values = {},
): Difference[] {
  const differing = kinds.filter((kind) => before[kind] !== after[kind]);
  return differing.map((kind) => ({ kind, ...at, before: before[kind], after: after[kind] }));
}

/** The entries that were removed, added or changed. `at`: where an entry is. */
function entries<T>(
  [before, after]: readonly [ReadonlyMap<string, T>, ReadonlyMap<string, T>],
  at: (key: string) => Difference,
  compare: (pair: readonly [T, T], at: Difference) => Difference[],
): Difference[] {
  const shown = (value: T) => (typeof value === "number" ? value : true);
  const removed = [...before].filter(([key]) => !after.has(key));
  return [
    ...removed.map(([key, value]) => ({ ...at(key), before: shown(value) })),
    ...[...after].flatMap(([key, value]) => {
      const last = before.get(key);
      return last === undefined ? [{ ...at(key), after: shown(value) }] : compare([last, value], at(key));
    }),
  ];
}

function order(key: string, [before, after]: readonly [ReadonlyMap<string, unknown>, ReadonlyMap<string, unknown>]) {
  const was = [...before.keys()].filter((one) => after.has(one));
  const is = [...after.keys()].filter((one) => before.has(one));
  return was.every((one, index) => one === is[index]) ? [] : [{ kind: "order" as const, key, after: list(after) }];
}

function list(entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? "none" : [...entries.keys()].join(", ");
}
