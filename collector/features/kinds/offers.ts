// All sources of prices share these settings of plans. For each plan and cycle one of the upstream's offers is chosen, or the
// reason why not is named. The list of plans is an allow-list: other products are neither requested nor published. No price is
// computed from another one: a plan's annual price is the upstream's yearly price.
import * as z from "zod";
import { firstLines, plainLine, repeated } from "../../../snapshots/rules.ts";
import { BillingCycle, Plan, type PlanName } from "../../../snapshots/schema.ts";
import { UpstreamError } from "../../http/errors.ts";
import { displayName } from "../../parsing/issues.ts";
import { exactIn, majorUnits } from "./minor-units.ts";
import { cycleOf } from "./own-shape/plan-fields.ts";
import type { Candidate } from "../../source.ts";

const { id, popular, monthlyPrice, annualPrice, creditsMonthly, prices } = Plan.shape;

export const planFields = {
  id,
  popular: popular.default(false),
  creditsMonthly: creditsMonthly.default(null),
  monthlyPrice: monthlyPrice.optional().describe("By default, the price for the cycle of 1 month"),
  annualPrice: annualPrice.optional().describe("By default, the price for the cycle of 12 months; never computed"),
};

/** A plan whose prices are not asked for. `upstream`: its name. */
export const fixedPlan = (upstream: string) =>
  z.strictObject({ ...planFields, prices: prices.describe(`Prices that are not in ${upstream}`) });

export const byCycle = <Name extends z.ZodString>(name: Name) =>
  z
    .record(BillingCycle.shape.key, name)
    .refine((named) => Object.keys(named).length > 0, "must name at least one price");

/** `pattern` and `example` are of the product's id. */
export const productPlan = (pattern: RegExp, example: string) =>
  z.strictObject({
    ...planFields,
    product: z
      .string()
      .regex(pattern, `must be an id such as ${example}`)
      .describe("Id of the product; its active prices fill the cycles of the same length"),
  });

/** Such a setting names a plan's price for each cycle; a kind of source has one or two of them, and a plan at most one. */
type Selection = "lookup" | "priceIds" | "variants";

/** A plan with `prices` from the settings, a price for each cycle of its selection, or all prices of its `product`. */
export interface PricedPlan
  extends
    Pick<Plan, "id" | "popular" | "creditsMonthly">,
    Partial<Record<Selection, Record<string, string> | undefined>> {
  monthlyPrice?: number | undefined;
  annualPrice?: number | undefined;
  prices?: Record<string, number>;
  product?: string;
}

export interface PricedPlans {
  currency: string;
  cycles: readonly BillingCycle[];
  plans: readonly PricedPlan[];
  selections: readonly [Selection, ...Selection[]];
}

function selectionOf(plan: PricedPlan, selections: PricedPlans["selections"]): Selection {
  return selections.find((selection) => plan[selection]) ?? selections[0];
}

/** Reports mistakes in plans that do not depend on the upstream's response. */
export function refusePlanMistakes({ cycles, plans, selections }: PricedPlans, context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message, input: undefined });
  const [key, id] = [repeated(cycles.map((cycle) => cycle.key)), repeated(plans.map((plan) => plan.id))];
  if (key !== undefined) refuse(["cycles"], `must not repeat the key "${key}"`);
  if (id !== undefined) refuse(["plans"], `must not repeat the id "${id}"`);
  const keys = new Set(cycles.map(({ key }) => key));
  const hasEqualCycles = repeated(cycles.map(({ durationMonths }) => durationMonths)) !== undefined;
  for (const [index, plan] of plans.entries()) {
    const refuseField = (field: string, message: string) => refuse(["plans", index, field], message);
    const selection = selectionOf(plan, selections);
    const named = plan[selection];
    const other = Object.keys(named ?? {}).find((key) => !keys.has(key));
    if (other !== undefined)
      refuseField(selection, `has "${other}", which is not among the cycles: ${[...keys].join(", ")}`);
    if (plan.product !== undefined && hasEqualCycles)
      refuseField(
        "product",
        `cannot distinguish two cycles of the same length: correct "durationMonths", or use ${selection}`,
      );
    for (const [field, months] of [["monthlyPrice", 1] as const, ["annualPrice", 12] as const]) {
      if (plan[field] !== undefined) continue;
      const key = cycleOf({ cycles }, months);
      const stated = plan.prices ?? named;
      const length = months === 1 ? "1 month" : `${months} months`;
      if (key === undefined)
        refuseField(field, `must be given: there is no single cycle of ${length}, with "durationMonths": ${months}`);
      else if (stated && !Object.hasOwn(stated, key))
        refuseField(field, `must be given, or the price for "${key}", the cycle of ${length}`);
    }
  }
}

/** What an upstream calls a product, as it writes it. */
interface Words {
  name?: string | null | undefined;
  description?: string | null | undefined;
}

/** A price of an upstream, as far as a plan can have it. */
export interface Offer extends Amount {
  id: string;
  product?: string;
  words?: Words;
  /** Compared with the names in the plan's selection. */
  name: string | null | undefined;
  /** That of the upstream's own amount. */
  currency: string;
  /** Months that it pays for, or the reason why no plan can have it. */
  months: number | string;
  /** What is true of the price and not published, for the operator, such as `tax is added`. */
  remarks: readonly (string | undefined)[];
}

interface Amount {
  /** Major units in the currency of the settings; undefined if it is in another one. */
  amount?: number | undefined;
  problem?: string;
}

type PricedOffer = Offer & { amount: number };

const MAX_SKIPPED = 100;

/** `offers`: those found for each plan, by its id, possibly with some of other plans. @throws UpstreamError naming the plan
 * that has no price, or several for one cycle. */
export function plansFrom(settings: PricedPlans, offers: ReadonlyMap<string, readonly Offer[]>): Candidate {
  const chosen = settings.plans.map((plan) => {
    try {
      return choose(plan, offers.get(plan.id) ?? [], settings);
    } catch (error) {
      throw refusalOf(plan, error, settings.cycles);
    }
  });
  const picked = chosen.flatMap(({ plan, picked }) => {
    const lines = [...picked].map(([key, offer]) => `${displayName(offer.id)} for ${key}`);
    return lines.length === 0 ? [] : [`${plan.id}: ${lines.join(", ")}`];
  });
  return {
    payload: { currency: settings.currency, cycles: settings.cycles, plans: chosen.map(({ plan }) => plan) },
    names: Object.fromEntries(
      chosen.map(({ plan, picked }) => [plan.id, planName([...picked.values()].find(({ words }) => words)?.words)]),
    ),
    dropped: 0,
    ...(picked.length > 0 && { picked: picked.join("; ") }),
    skipped: [...new Set(chosen.flatMap(({ skipped }) => skipped))].slice(0, MAX_SKIPPED),
    remarks: remarksOn(chosen.flatMap(({ picked }) => [...picked.values()])),
  };
}

/** Words are cut at this, in UTF-16 units. */
const MAX_WORDS = 120;

/** Makes one line of each, without what cannot be published. */
function planName({ name, description }: Words = {}): PlanName {
  const [title, line] = [name, description].map((text) => {
    const start = plainLine((text ?? "").replace(/\s+/g, " "), MAX_WORDS).trim();
    return start.endsWith(" …") ? start.replace(/[\s,;:.]*\S* …$/, " …") : start;
  });
  return { ...(title && { title }), ...(line && { line }) };
}

/** The error with its plan, and the remedy that every problem with a plan's offers has. An upstream that cannot be asked needs another
 * one. */
export function refusalOf(plan: PricedPlan, error: unknown, cycles: readonly BillingCycle[]): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const { status, isTransient = false } = error.failure;
  const remedy = status !== undefined || isTransient ? "" : `; or give the plan fixed ${fixedWords(plan, cycles)}`;
  return error.withMessage(`plan "${plan.id}": ${error.message}${remedy}`);
}

/** What to write for fixed prices: `"prices": { "monthly": …, "annual": … } in place of "product"`. */
function fixedWords(plan: PricedPlan, cycles: readonly BillingCycle[]): string {
  const amounts = cycles.slice(0, MAX_NAMED).map(({ key }) => `"${key}": …`);
  const more = cycles.length > MAX_NAMED ? ["…"] : [];
  const asked = (["product", "lookup", "variants", "priceIds"] as const).filter((field) => plan[field] !== undefined);
  return `"prices": { ${[...amounts, ...more].join(", ")} } in place of ${asked.map((field) => `"${field}"`).join(" and ")}`;
}

/** Returns the months of an interval such as `month`, or the reason why it fits no cycle. */
export function monthsIn(interval: string, count: number): number | string {
  if (interval === "month") return count;
  if (interval === "year") return count * 12;
  return interval === "week" || interval === "day" ? `by the ${interval}` : "not by the month";
}

/** `minor` and `decimals` are those of `majorUnits`; without an amount, the offer has none. */
export function amountIn(minor: string | undefined, decimals: number): Amount {
  const amount = minor === undefined ? undefined : majorUnits(minor, decimals);
  return amount === undefined ? { problem: "has no amount that can be represented exactly" } : { amount };
}

function choose(plan: PricedPlan, offers: readonly Offer[], settings: PricedPlans) {
  const { id, popular, creditsMonthly } = plan;
  const skipped: string[] = [];
  const picked = plan.prices ? new Map<string, PricedOffer>() : pick(plan, offers, { ...settings, skipped });
  const prices = plan.prices ?? Object.fromEntries([...picked].map(([key, { amount }]) => [key, amount]));
  const stated = (field: "monthlyPrice" | "annualPrice", months: number): number => {
    const key = cycleOf(settings, months);
    const amount = plan[field] ?? (key !== undefined && Object.hasOwn(prices, key) ? prices[key] : undefined);
    if (amount === undefined)
      throw notFound(`price for "${key}", nor ${field} in the settings,`, skipped, `state it with "${field}": …`);
    return amount;
  };
  const [monthlyPrice, annualPrice] = [stated("monthlyPrice", 1), stated("annualPrice", 12)];
  return { plan: { id, popular, prices, monthlyPrice, annualPrice, creditsMonthly }, picked, skipped };
}

const MAX_NAMED = 5;

function remarksOn(offers: readonly Offer[]): string[] {
  const remarks = new Set(offers.flatMap((offer) => offer.remarks.filter((remark) => remark !== undefined)));
  return [...remarks].map((remark) => {
    const ids = offers.filter((offer) => offer.remarks.includes(remark)).map(({ id }) => displayName(id));
    return `${remark}: ${firstLines([...new Set(ids)], MAX_NAMED).join(", ")}`;
  });
}

type Picking = PricedPlans & { skipped: string[] };

/** Takes one offer for each cycle that has any. @throws UpstreamError if a cycle has several, or one that the plan needs has
 * none. */
function pick(plan: PricedPlan, offers: readonly Offer[], settings: Picking): Map<string, PricedOffer> {
  const picked = new Map<string, PricedOffer>();
  const selection = selectionOf(plan, settings.selections);
  for (const [key, rivals] of rivalsOf(plan, offers, settings)) {
    if (rivals.length > 1) throw ambiguous(key, rivals, selection);
    for (const offer of rivals) picked.set(key, offer);
  }
  const named = plan[selection];
  if (!named && picked.size === 0) throw notFound("price of its product", settings.skipped);
  const missing = Object.entries(named ?? {}).find(([key]) => !picked.has(key));
  if (missing) {
    const [key, name] = missing;
    const isUnknown = offers.every((offer) => offer.name !== name);
    const unknown = isUnknown ? [`there is none for ${displayName(name)} in "${selection}"`] : [];
    throw notFound(`price for "${key}"`, [...unknown, ...settings.skipped]);
  }
  return picked;
}

/** Groups the plan's offers by cycle, in the order of the settings, not of the answer: same facts, same bytes. Adds the reason
 * to `skipped` if an offer fits no cycle. */
function rivalsOf(
  plan: PricedPlan,
  offers: readonly Offer[],
  { cycles, currency, selections, skipped }: Picking,
): Map<string, PricedOffer[]> {
  const rivals = new Map<string, PricedOffer[]>(cycles.map(({ key }) => [key, []]));
  const named = plan[selectionOf(plan, selections)];
  for (const offer of offers) {
    const isMeant = (key: string) =>
      named ? Object.hasOwn(named, key) && named[key] === offer.name : offer.product === plan.product;
    const possible = cycles.filter(({ key }) => isMeant(key));
    if (possible.length === 0) continue;
    const { id, months, amount } = offer;
    const isTooFine = amount !== undefined && exactIn(currency, amount) === undefined;
    const problem = offer.problem ?? (isTooFine ? "has an amount of more than four decimals" : undefined);
    const fitting = possible.filter(({ durationMonths }) => durationMonths === months);
    if (problem !== undefined && fitting.length > 0) throw new UpstreamError(`${displayName(id)} ${problem}`);
    if (fitting.length > 0 && amount !== undefined) {
      for (const { key } of fitting) rivals.get(key)?.push({ ...offer, amount });
    } else skipped.push(`${displayName(id)}: ${fitting.length > 0 ? notIn(currency, offer) : misfit(months, cycles)}`);
  }
  return rivals;
}

function notIn(wanted: string, { currency }: Offer): string {
  const other = currency.toUpperCase();
  return `not in ${wanted}${other === wanted ? " everywhere" : `, but in ${displayName(other)}`}`;
}

function misfit(months: number | string, cycles: readonly BillingCycle[]): string {
  if (typeof months === "string") return months;
  const own = cycles.find(({ durationMonths }) => durationMonths === months);
  const place = own ? `so it belongs under "${own.key}"` : "which fits no cycle";
  return `for ${months} ${months === 1 ? "month" : "months"}, ${place}`;
}

const MAX_REASONS = 3;

function ambiguous(key: string, offers: readonly Offer[], selection: string): UpstreamError {
  const ids = offers.slice(0, MAX_REASONS).map(({ id }) => displayName(id));
  const more = offers.length > ids.length ? ` and ${offers.length - ids.length} more` : "";
  return new UpstreamError(
    `${offers.length} active prices for "${key}", ${ids.join(", ")}${more}: archive all but one, or select one with "${selection}"`,
  );
}

function notFound(missing: string, skipped: readonly string[], remedy = ""): UpstreamError {
  const reasons = skipped.slice(0, MAX_REASONS).join("; ");
  const why = reasons === "" ? "" : ` (${reasons})`;
  return new UpstreamError(`no ${missing} to publish${why}${remedy === "" ? "" : `: ${remedy}`}`);
}
