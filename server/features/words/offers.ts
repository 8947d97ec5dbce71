// Plans in words, as page and widgets print them, each in its own languages: what a plan costs in each cycle, and the title of a cycle.
// Browsers run it, too.
import type { BillingCycle, Plan, PlanNames, PlansResponse } from "../../../snapshots/schema.ts";
import { cycleTitle, isFree } from "./words.ts";

/** How a language says it. */
export interface Wording {
  say(word: "buy" | "get" | "not-listed" | "at-monthly-price" | "billed-yearly"): string;
  /** What a price of 0 is called, if not by its number. */
  free?: string;
  /** `$119.50`. @throws TypeError for an amount that is none */
  money(amount: number, currency: string): string;
  /** `a year`, `every 3 months`. */
  period(months: number): string;
  /** `Yearly`; undefined for the usual title. */
  rhythm(months: number): string | undefined;
  /** `2,000 credits a month`. */
  credits(amount: number): string;
}

export type CycleInWords = ReturnType<typeof plansInWords>["cycles"][number];
export type PlanInWords = ReturnType<typeof plansInWords>["plans"][number];
/** `remark`: of a price that the vendor does not state, how it was computed; `period` is the same then. */
export type PriceInWords = readonly [amount: string, period: string, remark?: string | undefined];

/** `credits`: undefined if they are not listed. `take`: what the button says that leads to the plan. `offers`: the price in each cycle;
 * without cycles once those by the month and by the year. A cycle with a computed price has no badge, because it saves nothing, nor has one without a price. `names`:
 * may be unchecked JSON. @throws TypeError if the plans are not what the type says. */
export function plansInWords({ plans, cycles, currency }: PlansResponse, wording: Wording, names: PlanNames = {}) {
  const { free } = wording;
  const periods = cycles.map(({ durationMonths }) => wording.period(durationMonths));
  const remarkOn = ({ id, monthlyPrice, annualPrice }: Plan, amount: number, months: number): string | undefined => {
    const computed = amount > 0 ? names[id]?.computed : undefined;
    if (computed === "year" && months === 12 && amount === annualPrice) return wording.say("at-monthly-price");
    return computed === "month" && months === 1 && amount === monthlyPrice ? wording.say("billed-yearly") : undefined;
  };
  const priceOf = (plan: Plan, amount: number, months: number, usual = wording.period(months)): PriceInWords => {
    const remark = remarkOn(plan, amount, months);
    return [wording.money(amount, currency), remark ?? usual, remark];
  };
  const offersOf = (plan: Plan): PriceInWords[][] => {
    if (free !== undefined && isFree(plan)) return (cycles.length > 0 ? cycles : [plan]).map(() => [[free, ""]]);
    if (cycles.length === 0) return [[priceOf(plan, plan.monthlyPrice, 1), priceOf(plan, plan.annualPrice, 12)]];
    return cycles.map(({ key, durationMonths }, at) => {
      const amount = amountIn(plan, key);
      if (amount === undefined) return [["–", wording.say("not-listed")]];
      return [amount === 0 && free ? [free, periods[at] ?? ""] : priceOf(plan, amount, durationMonths, periods[at])];
    });
  };
  const savesNothing = ({ key, durationMonths }: BillingCycle) => {
    const priced = plans.filter((plan) => amountIn(plan, key));
    return !priced[0] || ([1, 12].includes(durationMonths) && priced.some(({ id }) => names[id]?.computed));
  };
  return {
    cycles: cycles.map((cycle) => ({
      ...cycle,
      savingBadge: savesNothing(cycle) ? null : cycle.savingBadge,
      title: cycleTitle(cycle, cycles, wording.rhythm(cycle.durationMonths)),
    })),
    plans: plans.map((plan) => {
      const { id, popular, creditsMonthly } = plan;
      const credits = typeof creditsMonthly === "number" ? wording.credits(creditsMonthly) : undefined;
      return { id, popular, credits, take: wording.say(isFree(plan) ? "get" : "buy"), offers: offersOf(plan) };
    }),
  };
}

/** A vendor's key may be `constructor`. */
function amountIn({ prices }: Plan, key: string): number | undefined {
  return Object.hasOwn(prices, key) ? prices[key] : undefined;
}
