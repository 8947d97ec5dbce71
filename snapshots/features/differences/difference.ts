// The differences between two payloads: as values, which the history stores, and in words, a line for each. For all that shows what
// has changed: guard, dry run and history, which go with it. Pure: the same two payloads always give the same differences, and equal
// ones give none.
import * as z from "zod";
import { isPlainText } from "../../rules.ts";
import type { LatestReleaseResponse, Plan, PlansResponse } from "../../schema.ts";

/** The line of each kind; most are named for the public field that differs. */
const LINES = {
  /** The number of those that were left out. */
  more: "and {after} more",
  plans: "plans: {after}, for the first time",
  currency: "plans: currency {step}",
  order: "plans: {key} in another order: {after}",
  cycle: "plans: cycle {key} {presence}",
  durationMonths: "plans: cycle {key} months {step}",
  labelKey: "plans: cycle {key} label {step}",
  savingBadge: "plans: cycle {key} badge {step}",
  plan: "plans: {plan} {presence}",
  popular: "plans: {plan} {after} popular",
  monthlyPrice: "plans: {plan} price by the month {step}",
  annualPrice: "plans: {plan} price by the year {step}",
  creditsMonthly: "plans: {plan} credits a month {step}",
  price: "plans: {plan} {key} {step}",
  none: "no release, for the first time",
  release: "{platform} {after}, for the first time",
  forceUpdate: "{platform} update {step}",
  downloadURL: "{platform} {version}: download {step}",
  size: "{platform} {version}: size {step}",
  date: "{platform} {version}: date {step}",
  changelog: "{platform} {version}: another changelog",
  version: "{platform} {step}",
  /** One of a newer version, which is known in words only. */
  words: "{after}",
} as const;
type Kind = keyof typeof LINES;

/** These are the words for values that do not speak for themselves, by their JSON. */
const WORDS: Partial<Record<Kind, Readonly<Record<string, string>>>> = {
  savingBadge: { null: "none" },
  creditsMonthly: { null: "not listed" },
  popular: { true: "now", false: "no longer" },
  forceUpdate: { true: "forced", false: "offered" },
  size: { '""': "unknown" },
  date: { '""': "unknown" },
  version: { null: "no release" },
};

/** Longest text in a stored difference, in UTF-16 units. */
export const MAX_TEXT = 300;

const text = z.string().max(MAX_TEXT).refine(isPlainText);
const Value = z.union([text, z.number(), z.boolean(), z.null()]);
type Value = z.infer<typeof Value>;

/** One difference, as the history stores it. `plan`: an id. `key`: of a price or a cycle. `version`: that of the release before
 * and after. Something new has no `before`, something removed no `after`. */
export const Difference = z.object({
  kind: z.custom<Kind>((kind) => typeof kind === "string" && Object.hasOwn(LINES, kind)),
  plan: text.optional(),
  key: text.optional(),
  platform: text.optional(),
  version: text.optional(),
  before: Value.optional(),
  after: Value.optional(),
});
export type Difference = z.infer<typeof Difference>;

/** A line such as `plans: pro monthly 11 → 12` or `macos 4.2.0 → 4.2.1`. */
export function lineOf(one: Difference): string {
  return filled(LINES[one.kind], one);
}

/** The line without its subject: `pro monthly 11 → 12`. */
export function phraseOf(one: Difference): string {
  return filled(LINES[one.kind].replace(/^.*?: /, ""), one);
}

function filled(line: string, one: Difference): string {
  const [before, after] = [wordOf(one.kind, one.before), wordOf(one.kind, one.after)];
  const added = typeof one.after === "number" ? `added at ${after}` : "added";
  const step = one.after === undefined ? "removed" : one.before === undefined ? added : `${before} → ${after}`;
  const words: Record<string, string | undefined> = { ...one, before, after, step, presence: step };
  return line.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? "");
}

function wordOf(kind: Kind, value: Value | undefined): string {
  return WORDS[kind]?.[JSON.stringify(value)] ?? String(value);
}

/** The differences in the order of the payload. `before` is undefined if nothing was published. */
export function difference(
  before: PlansResponse | LatestReleaseResponse | undefined,
  after: PlansResponse | LatestReleaseResponse,
): Difference[] {
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
  const [last, next] = [before, after].map((one) => (one?.hasUpdate ? { ...one, ...one.latest } : undefined));
  const at = { platform: (next ?? last)?.platform };
  if (!before) return [next ? { kind: "release", ...at, after: next.version } : { kind: "none" }];
  if (!last || !next) return fields(["version"], [last ?? NO_RELEASE, next ?? NO_RELEASE], at);
  if (last.version !== next.version) return fields(["version", "forceUpdate"], [last, next], at);
  // Another version implies another installer, date and changelog.
  const { platform, version } = next;
  return [
    ...fields(["forceUpdate"], [last, next], at),
    ...fields(["downloadURL", "size", "date"], [last, next], { platform, version }),
    ...(last.changelog === next.changelog ? [] : [{ kind: "changelog" as const, platform, version }]),
  ];
}

const NO_RELEASE = { version: null };

function fields<K extends Kind>(
  kinds: readonly K[],
  [before, after]: readonly [Record<K, Value>, Record<K, Value>],
  at: Omit<Difference, "kind"> = {},
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
