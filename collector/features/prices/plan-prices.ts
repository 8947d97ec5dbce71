// The prices of a plan, as several features compare them: each under its key, and those for one length of time. Guard,
// warnings and witnesses go with it.
import type { BillingCycle, Plan } from "../../../snapshots/schema.ts";

/** The key of `annualPrice` in `pricesOf`. */
export const BY_THE_YEAR = "by the year";

/** All prices of a plan by their keys. The two keys with a space cannot collide with the vendor's. */
export function pricesOf({ prices, monthlyPrice, annualPrice }: Plan): Map<string, number> {
  return new Map([...Object.entries(prices), ["by the month", monthlyPrice], [BY_THE_YEAR, annualPrice]]);
}

/** A plan's prices for the cycles of this length. */
export function pricesFor(months: number, plan: Plan, cycles: readonly BillingCycle[]): number[] {
  const prices = pricesOf(plan);
  return cycles.flatMap(({ key, durationMonths }) => (durationMonths === months ? (prices.get(key) ?? []) : []));
}

/** Says whether `monthlyPrice` is the price of a cycle of one month, whatever its key; undefined if the plan has none. */
export function isOnePrice(plan: Plan, cycles: readonly BillingCycle[]): boolean | undefined {
  const amounts = pricesFor(1, plan, cycles);
  return amounts.length === 0 ? undefined : amounts.includes(plan.monthlyPrice);
}
