// Every amount of plans, from whatever source, as the currency has it: the errors of binary fractions are taken out, and what has more
// decimals than any price is refused, not rounded: it was computed, or is in another unit.
import type { Plan } from "../../../snapshots/schema.ts";
import { factOf } from "../../../snapshots/snapshot.ts";
import { UpstreamError } from "../../http/errors.ts";
import { displayName } from "../../parsing/issues.ts";
import type { Describe } from "../../source.ts";
import { exactIn } from "./minor-units.ts";

/** Makes every amount of the plans exact. @throws UpstreamError with the first that cannot be */
export const exactAmounts: Describe = ({ fact: { payload } }) => {
  if (!("plans" in payload)) return {};
  const exact = ({ id }: Plan, field: string, amount: number): number => {
    const made = exactIn(payload.currency, amount);
    if (made !== undefined) return made;
    throw new UpstreamError(
      `plan "${displayName(id)}": ${displayName(field)} has more than four decimals: state it as it is charged, such as 9.99, ` +
        `or print the plans by a program of yours: { "from": "command", "command": ["node", "plans.mjs"] }`,
    );
  };
  const plans = payload.plans.map((plan) => ({
    ...plan,
    prices: Object.fromEntries(
      Object.entries(plan.prices).map(([key, amount]) => [key, exact(plan, `the price "${key}"`, amount)]),
    ),
    monthlyPrice: exact(plan, "monthlyPrice", plan.monthlyPrice),
    annualPrice: exact(plan, "annualPrice", plan.annualPrice),
  }));
  return { fact: factOf({ ...payload, plans }) };
};
