// The plans of the settings with the prices of Stripe's answer: one price for each cell, or a reason why not. Pure. Nothing
// is computed from anything else: a year costs what the price by the year says.
import type { BillingCycle, Plan } from "../../../snapshots/schema.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Candidate } from "../../source.ts";
import { amountOf, monthsOf, shownId, type Price } from "./price.ts";
import { cycleOf, type PlanSettings, type StripeSettings } from "./settings.ts";

const MOST_SKIPPED = 100;
const MOST_REASONS = 3;

/** `pricesOf`: what was found for a plan, perhaps with prices of others among it.
 * @throws UpstreamError naming the plan that has no price, or two for one cell. */
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
    skipped: [...new Set(chosen.flatMap(({ skipped }) => skipped))].slice(0, MOST_SKIPPED),
  };
}

interface Chosen {
  plan: Plan;
  picked: string;
  skipped: string[];
}

/** The price of one plan for one cycle. */
interface Cell {
  key: string;
  amount: number;
  /** The price's id, for the operator. */
  shown: string;
}

type PricedPlan = Exclude<PlanSettings, { prices: object }>;
type Wanted = Pick<StripeSettings, "cycles" | "currency"> & { skipped: string[] };

function choose(plan: PlanSettings, offered: readonly Price[], { cycles, currency }: StripeSettings): Chosen {
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
    picked: cells.map(({ key, shown }) => `${shown} for ${key}`).join(", "),
    skipped,
  };
}

/** One price for each cell. @throws UpstreamError when there are two, or none that a plan must have. */
function cellsOf(plan: PricedPlan, offered: readonly Price[], wanted: Wanted): Cell[] {
  const cells = [...fill(plan, offered, wanted)].flatMap(([key, rivals]) => {
    if (rivals.length > 1) throw ambiguous(key, rivals);
    return rivals;
  });
  if ("product" in plan && cells.length === 0) throw notFound("price of its product", wanted.skipped);
  if ("product" in plan) return cells;
  const missing = Object.keys(plan.lookup).find((key) => !cells.some((cell) => cell.key === key));
  if (missing !== undefined) throw notFound(`price for "${missing}"`, wanted.skipped);
  return cells;
}

/** Puts each price of the plan into the cycles that it is for, and writes down why where it is for none. */
function fill(plan: PricedPlan, offered: readonly Price[], { cycles, currency, skipped }: Wanted): Map<string, Cell[]> {
  // In the order of the settings, whatever the order of the answer: same facts, same bytes.
  const cells = new Map<string, Cell[]>(cycles.map(({ key }) => [key, []]));
  for (const price of offered) {
    if (!isOf(plan, price)) continue;
    const wanted = cycles.filter(({ key }) => "product" in plan || isLookedUp(plan, key, price));
    const fitting = fit(price, wanted, currency);
    if (typeof fitting === "string") skipped.push(`${shownId(price)}: ${fitting}`);
    else for (const cell of fitting) cells.get(cell.key)?.push(cell);
  }
  return cells;
}

/** What a price says for those of the cycles that are as long as it, or why it says nothing. */
function fit(price: Price, cycles: readonly BillingCycle[], currency: string): Cell[] | string {
  const months = monthsOf(price);
  if (typeof months === "string") return months;
  const fitting = cycles.filter(({ durationMonths }) => durationMonths === months);
  if (fitting.length === 0)
    return `for ${months} ${months === 1 ? "month" : "months"}, unlike any cycle it could be for`;
  const amount = amountOf(price, currency.toUpperCase());
  if (amount === undefined) return `not in ${currency}`;
  return fitting.map(({ key }) => ({ key, amount, shown: shownId(price) }));
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
  const ids = cells.slice(0, MOST_REASONS).map(({ shown }) => shown);
  const more = cells.length > ids.length ? ` and ${cells.length - ids.length} more` : "";
  return new UpstreamError(
    `${cells.length} active prices for "${key}", ${ids.join(", ")}${more}: archive all but one, or name the one to show by lookup`,
  );
}

function notFound(what: string, skipped: readonly string[]): UpstreamError {
  const reasons = skipped.slice(0, MOST_REASONS).join("; ");
  return new UpstreamError(`no ${what} to show${reasons === "" ? "" : ` (${reasons})`}`);
}
