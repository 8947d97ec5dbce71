// Combines the plans in the settings with an upstream's prices: for each plan and cycle one price, or a reason why not.
// Pure. No price is computed from another one: a plan's annual price is the upstream's yearly price.
import { firstLines } from "../../snapshots/rules.ts";
import type { BillingCycle, Plan } from "../../snapshots/schema.ts";
import { UpstreamError } from "../http/errors.ts";
import type { Candidate } from "../source.ts";
import { cycleOf, type PricedPlan } from "./plan-settings.ts";

/** A price of the upstream. */
export interface Offer {
  /** Its id, printable. */
  label: string;
  /** The product that it is for; compared with the plan's `product`. */
  product?: string;
  /** Compared with the plan's `named`. */
  name: string | null | undefined;
  /** What is true of the price and not published, for the operator, such as `tax is added`. */
  remarks?: readonly (string | undefined)[];
  /** Months that it pays for, or the reason why no plan can have it. */
  months: number | string;
  /** Major units in the currency of the settings; undefined if it is in another one. @throws UpstreamError if not exact. */
  amount: () => number | undefined;
}

interface PlansSettings {
  currency: string;
  cycles: readonly BillingCycle[];
  plans: readonly PricedPlan[];
  /** The setting that selects one of several prices. */
  selection: string;
}

const MAX_SKIPPED = 100;

/** The candidate with all plans. `offersOf`: the prices found for a plan, possibly with prices of other plans.
 * @throws UpstreamError naming the plan that has no price, or several for one cycle. */
export function translatePlans(settings: PlansSettings, offersOf: (plan: PricedPlan) => readonly Offer[]): Candidate {
  const chosen = settings.plans.map((plan) => {
    try {
      return choose(plan, plan.prices ? [] : offersOf(plan), settings);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw new UpstreamError(`plan "${plan.id}": ${error.message}; or give the plan fixed "prices"`);
    }
  });
  const picked = chosen.filter(({ picked }) => picked !== "");
  return {
    payload: { currency: settings.currency, cycles: settings.cycles, plans: chosen.map(({ plan }) => plan) },
    dropped: 0,
    ...(picked.length > 0 && { picked: picked.map(({ plan, picked }) => `${plan.id}: ${picked}`).join("; ") }),
    skipped: [...new Set(chosen.flatMap(({ skipped }) => skipped))].slice(0, MAX_SKIPPED),
    remarks: remarksOn(chosen.flatMap(({ cells }) => cells)),
  };
}

/** An id for the operator: letters, digits and `_.-`, at most 80 characters. */
export function shownId(id: string): string {
  return id.replace(/[^A-Za-z0-9_.-]/g, "").slice(0, 80);
}

/** Months of an interval such as `month`, or the reason why it fits no cycle. */
export function monthsIn(interval: string, count: number): number | string {
  if (interval === "month") return count;
  if (interval === "year") return count * 12;
  return interval === "week" || interval === "day" ? `by the ${interval}` : "not by the month";
}

/** Decimal digits that a double represents exactly. */
const MAX_DIGITS = 15;

/** Major units of an amount in minor units, such as `"1999"` or `"0.5"`; undefined if it is not such a text or has more
 * than MAX_DIGITS digits. The decimal point is moved in the text, so that no binary fraction is involved. `decimals`: those of
 * the currency at this upstream, at most MAX_DIGITS. */
export function majorUnits(minor: string, decimals: number): number | undefined {
  const [, whole, fraction = ""] = /^(\d{1,15})(?:\.(\d{1,12}))?$/.exec(minor) ?? [];
  if (whole === undefined) return undefined;
  const padded = whole.padStart(MAX_DIGITS, "0");
  const point = padded.length - decimals;
  const digits = padded + fraction;
  if (digits.replace(/^0+/, "").replace(/0+$/, "").length > MAX_DIGITS) return undefined;
  return Number(`${digits.slice(0, point)}.${digits.slice(point)}`);
}

interface PlanChoice {
  plan: Plan;
  picked: string;
  skipped: string[];
  cells: readonly Cell[];
}

/** The price of one plan for one cycle. */
interface Cell {
  key: string;
  amount: number;
  /** The price's id, for the operator. */
  label: string;
  remarks: readonly (string | undefined)[];
}

type CellOptions = Omit<PlansSettings, "plans"> & { skipped: string[] };

function choose(plan: PricedPlan, offers: readonly Offer[], settings: PlansSettings): PlanChoice {
  const { id, popular, creditsMonthly } = plan;
  const skipped: string[] = [];
  const cells = plan.prices ? [] : cellsOf(plan, offers, { ...settings, skipped });
  const prices = plan.prices ?? Object.fromEntries(cells.map(({ key, amount }) => [key, amount]));
  const stated = (field: "monthlyPrice" | "annualPrice", months: number): number => {
    const key = cycleOf(settings.cycles, months);
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
    cells,
    skipped,
  };
}

const MAX_NAMED = 5;

/** A line for each remark, with the prices that it is true of. */
function remarksOn(cells: readonly Cell[]): string[] {
  const remarks = new Set(cells.flatMap((cell) => cell.remarks.filter((remark) => remark !== undefined)));
  const labels = (remark: string) =>
    new Set(cells.filter((cell) => cell.remarks.includes(remark)).map(({ label }) => label));
  return [...remarks].map((remark) => `${remark}: ${firstLines([...labels(remark)], MAX_NAMED).join(", ")}`);
}

/** One price per cell. @throws UpstreamError if there are several, or if a price that the plan needs is missing. */
function cellsOf(plan: PricedPlan, offers: readonly Offer[], options: CellOptions): Cell[] {
  const cells = [...fill(plan, offers, options)].flatMap(([key, rivals]) => {
    if (rivals.length > 1) throw ambiguous(key, rivals, options.selection);
    return rivals;
  });
  if (!plan.named && cells.length === 0) throw notFound("price of its product", options.skipped);
  const missing = Object.keys(plan.named ?? {}).find((key) => !cells.some((cell) => cell.key === key));
  if (missing !== undefined) throw notFound(`price for "${missing}"`, options.skipped);
  return cells;
}

/** Sorts the plan's prices into cycles; adds the reason to `skipped` if a price fits none. */
function fill(plan: PricedPlan, offers: readonly Offer[], options: CellOptions): Map<string, Cell[]> {
  const { cycles, currency, skipped } = options;
  // In the order of the settings, not of the response: same facts, same bytes.
  const cells = new Map<string, Cell[]>(cycles.map(({ key }) => [key, []]));
  for (const offer of offers) {
    if (!isOf(plan, offer)) continue;
    const possible = cycles.filter(({ key }) => !plan.named || isNamed(plan.named, key, offer));
    const fitting = fit(offer, possible, currency);
    if (typeof fitting === "string") skipped.push(`${offer.label}: ${fitting}`);
    else for (const cell of fitting) cells.get(cell.key)?.push(cell);
  }
  return cells;
}

/** Cells for the cycles that are as long as the price, or the reason why there are none. */
function fit(
  { label, months, amount, remarks = [] }: Offer,
  cycles: readonly BillingCycle[],
  currency: string,
): Cell[] | string {
  if (typeof months === "string") return months;
  const fitting = cycles.filter(({ durationMonths }) => durationMonths === months);
  if (fitting.length === 0) return `for ${months} ${months === 1 ? "month" : "months"}, which fits no cycle`;
  const units = amount();
  if (units === undefined) return `not in ${currency}`;
  return fitting.map(({ key }) => ({ key, amount: units, label, remarks }));
}

function isOf({ product, named }: PricedPlan, offer: Offer): boolean {
  return named ? Object.keys(named).some((key) => isNamed(named, key, offer)) : offer.product === product;
}

function isNamed(named: Record<string, string>, key: string, { name }: Offer): boolean {
  return Object.hasOwn(named, key) && named[key] === name;
}

const MAX_REASONS = 3;

function ambiguous(key: string, cells: readonly Cell[], selection: string): UpstreamError {
  const ids = cells.slice(0, MAX_REASONS).map(({ label }) => label);
  const more = cells.length > ids.length ? ` and ${cells.length - ids.length} more` : "";
  return new UpstreamError(
    `${cells.length} active prices for "${key}", ${ids.join(", ")}${more}: archive all but one, or select one with "${selection}"`,
  );
}

function notFound(missing: string, skipped: readonly string[]): UpstreamError {
  const reasons = skipped.slice(0, MAX_REASONS).join("; ");
  return new UpstreamError(`no ${missing} to publish${reasons === "" ? "" : ` (${reasons})`}`);
}
