// Combines the plans in the settings with Stripe's prices: for each plan and cycle one price, or a reason why not. Pure. No
// price is computed from another one: a plan's annual price is Stripe's yearly price.
import type { BillingCycle, Plan } from "../../../snapshots/schema.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Candidate } from "../../source.ts";
import { amountOf, monthsOf, shownId, type Price } from "./price.ts";
import { cycleOf, type PlanSettings, type StripeSettings } from "./settings.ts";

const MAX_SKIPPED = 100;
const MAX_REASONS = 3;

/** `pricesOf`: the prices found for a plan, possibly with prices of other plans.
 * @throws UpstreamError naming the plan that has no price, or several for one cycle. */
export function translatePlans(settings: StripeSettings, pricesOf: (plan: string) => readonly Price[]): Candidate {
  const chosen = settings.plans.map((plan) => {
    try {
      return choose(plan, pricesOf(plan.id), settings);
    } catch (error) {
      throw error instanceof UpstreamError ? new UpstreamError(`plan "${plan.id}": ${error.message}`) : error;
    }
  });
  const picked = chosen.filter(({ picked }) => picked !== "");
  return {
    payload: { currency: settings.currency, cycles: settings.cycles, plans: chosen.map(({ plan }) => plan) },
    dropped: 0,
    ...(picked.length > 0 && { picked: picked.map(({ plan, picked }) => `${plan.id}: ${picked}`).join("; ") }),
    skipped: [...new Set(chosen.flatMap(({ skipped }) => skipped))].slice(0, MAX_SKIPPED),
  };
}

interface PlanChoice {
  plan: Plan;
  picked: string;
  skipped: string[];
}

/** The price of one plan for one cycle. */
interface Cell {
  key: string;
  amount: number;
  /** The price's id, for the operator. */
  label: string;
}

type PricedPlan = Exclude<PlanSettings, { prices: object }>;
type CellOptions = Pick<StripeSettings, "cycles" | "currency"> & { skipped: string[] };

function choose(plan: PlanSettings, offered: readonly Price[], { cycles, currency }: StripeSettings): PlanChoice {
  const { id, popular, creditsMonthly } = plan;
  const skipped: string[] = [];
  const cells = "prices" in plan ? [] : cellsOf(plan, offered, { cycles, currency, skipped });
  const prices = "prices" in plan ? plan.prices : Object.fromEntries(cells.map(({ key, amount }) => [key, amount]));
  const stated = (field: "monthlyPrice" | "annualPrice", months: number): number => {
    const key = cycleOf(cycles, months);
    const amount = plan[field] ?? (key !== undefined && Object.hasOwn(prices, key) ? prices[key] : undefined);
    if (amount === undefined) throw notFound(`price for "${key}", nor ${field} in the settings,`, skipped);
    return amount;
  };
  return {
    plan: {
      id,
      popular,
      prices,
      monthlyPrice: stated("monthlyPrice", 1),
      annualPrice: stated("annualPrice", 12),
      creditsMonthly,
    },
    picked: cells.map(({ key, label }) => `${label} for ${key}`).join(", "),
    skipped,
  };
}

/** One price per cell. @throws UpstreamError if there are several, or if a price that the plan needs is missing. */
function cellsOf(plan: PricedPlan, offered: readonly Price[], options: CellOptions): Cell[] {
  const cells = [...fill(plan, offered, options)].flatMap(([key, rivals]) => {
    if (rivals.length > 1) throw ambiguous(key, rivals);
    return rivals;
  });
  if ("product" in plan && cells.length === 0) throw notFound("price of its product", options.skipped);
  if ("product" in plan) return cells;
  const missing = Object.keys(plan.lookup).find((key) => !cells.some((cell) => cell.key === key));
  if (missing !== undefined) throw notFound(`price for "${missing}"`, options.skipped);
  return cells;
}

/** Sorts the plan's prices into cycles; adds the reason to `skipped` if a price fits none. */
function fill(
  plan: PricedPlan,
  offered: readonly Price[],
  { cycles, currency, skipped }: CellOptions,
): Map<string, Cell[]> {
  // In the order of the settings, not of the response: same facts, same bytes.
  const cells = new Map<string, Cell[]>(cycles.map(({ key }) => [key, []]));
  for (const price of offered) {
    if (!isOf(plan, price)) continue;
    const possible = cycles.filter(({ key }) => "product" in plan || isLookedUp(plan, key, price));
    const fitting = fit(price, possible, currency);
    if (typeof fitting === "string") skipped.push(`${shownId(price)}: ${fitting}`);
    else for (const cell of fitting) cells.get(cell.key)?.push(cell);
  }
  return cells;
}

/** Cells for the cycles that are as long as the price, or the reason why there are none. */
function fit(price: Price, cycles: readonly BillingCycle[], currency: string): Cell[] | string {
  const months = monthsOf(price);
  if (typeof months === "string") return months;
  const fitting = cycles.filter(({ durationMonths }) => durationMonths === months);
  if (fitting.length === 0) return `for ${months} ${months === 1 ? "month" : "months"}, which fits no cycle`;
  const amount = amountOf(price, currency.toUpperCase());
  if (amount === undefined) return `not in ${currency}`;
  return fitting.map(({ key }) => ({ key, amount, label: shownId(price) }));
}

function isOf(plan: PricedPlan, price: Price): boolean {
  return "product" in plan
    ? price.product.id === plan.product
    : Object.keys(plan.lookup).some((key) => isLookedUp(plan, key, price));
}

function isLookedUp(plan: { lookup: Record<string, string> }, key: string, { lookup_key }: Price): boolean {
  return Object.hasOwn(plan.lookup, key) && plan.lookup[key] === lookup_key;
}

function ambiguous(key: string, cells: readonly Cell[]): UpstreamError {
  const ids = cells.slice(0, MAX_REASONS).map(({ label }) => label);
  const more = cells.length > ids.length ? ` and ${cells.length - ids.length} more` : "";
  return new UpstreamError(
    `${cells.length} active prices for "${key}", ${ids.join(", ")}${more}: archive all but one, or select one with "lookup"`,
  );
}

function notFound(missing: string, skipped: readonly string[]): UpstreamError {
  const reasons = skipped.slice(0, MAX_REASONS).join("; ");
  return new UpstreamError(`no ${missing} to publish${reasons === "" ? "" : ` (${reasons})`}`);
}
