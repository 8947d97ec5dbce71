// Plans in words, as page and widgets print them, each in its own languages: what a plan costs in each cycle, and the title of a cycle.
// Browsers run it, too.
import type { Plan, PlansResponse } from "../../../snapshots/schema.ts";
import { cycleTitle, isFree } from "./words.ts";

/** How a language says it. */
export interface Wording {
  say(word: "buy" | "get" | "not-listed"): string;
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
export type PriceInWords = readonly [amount: string, period: string];

/** `credits`: undefined if they are not listed. `take`: what the button says that leads to the plan. `offers`: the price in each cycle;
 * without cycles once those by the month and by the year. @throws TypeError if the plans are not what the type says. */
export function plansInWords({ plans, cycles, currency }: PlansResponse, wording: Wording) {
  const { free } = wording;
  const periods = cycles.map(({ durationMonths }) => wording.period(durationMonths));
  const offersOf = (plan: Plan): PriceInWords[][] => {
    const { monthlyPrice, annualPrice, prices } = plan;
    const inMoney = (amount: number) => wording.money(amount, currency);
    if (free !== undefined && isFree(plan)) return (cycles.length > 0 ? cycles : [plan]).map(() => [[free, ""]]);
    if (cycles.length === 0) {
      return [
        [
          [inMoney(monthlyPrice), wording.period(1)],
          [inMoney(annualPrice), wording.period(12)],
        ],
      ];
    }
    return cycles.map(({ key }, at) => {
      // A vendor's key may be `constructor`.
      const amount = Object.hasOwn(prices, key) ? prices[key] : undefined;
      if (amount === undefined) return [["–", wording.say("not-listed")]];
      return [[(amount === 0 && free) || inMoney(amount), periods[at] ?? ""]];
    });
  };
  return {
    cycles: cycles.map((cycle) => ({
      ...cycle,
      title: cycleTitle(cycle, cycles, wording.rhythm(cycle.durationMonths)),
    })),
    plans: plans.map((plan) => {
      const { id, popular, creditsMonthly } = plan;
      const credits = typeof creditsMonthly === "number" ? wording.credits(creditsMonthly) : undefined;
      return { id, popular, credits, take: wording.say(isFree(plan) ? "get" : "buy"), offers: offersOf(plan) };
    }),
  };
}
