// The settings that all sources of plans with prices share. The list of plans is an allow-list: other products are neither
// requested nor published.
import * as z from "zod";
import { BillingCycle, Plan } from "../../snapshots/schema.ts";

const { id, popular, monthlyPrice, annualPrice, creditsMonthly } = Plan.shape;

export const planFields = {
  id,
  popular: popular.default(false),
  creditsMonthly: creditsMonthly.default(null),
  monthlyPrice: monthlyPrice.optional().describe("By default, the price for the cycle of 1 month"),
  annualPrice: annualPrice.optional().describe("By default, the price for the cycle of 12 months; never computed"),
};

export const fixedPrices = Plan.shape.prices;

/** The name of a price, for each cycle. */
export const byCycle = <Name extends z.ZodString>(name: Name) =>
  z
    .record(BillingCycle.shape.key, name)
    .refine((named) => Object.keys(named).length > 0, "must name at least one price");

export const planList = <P extends z.ZodType>(plan: P) => z.array(plan).min(1).max(100);

export const apiKey = z
  .string()
  .regex(
    /^\$[A-Za-z_][A-Za-z0-9_]*$/,
    'must be "$NAME", the environment variable with the key; keys do not belong in this file',
  );

export const cellFields = {
  currency: z
    .string()
    .regex(/^([A-Z]{3}|[a-z]{3})$/, "must be three letters such as USD")
    .describe("Currency of the prices, such as USD; published as written"),
  cycles: z.array(BillingCycle).min(1).describe("The billing cycles to publish"),
};

/** A plan of any kind of source. It has `prices` from the settings, or a price for each cycle of `named`, or all prices of
 * its `product`. */
export interface PricedPlan extends Pick<Plan, "id" | "popular" | "creditsMonthly"> {
  monthlyPrice?: number | undefined;
  annualPrice?: number | undefined;
  prices?: Record<string, number>;
  product?: string;
  named?: Record<string, string>;
}

/** The key of the only cycle of this length; undefined if there is none or several. */
export function cycleOf(cycles: readonly BillingCycle[], months: number): string | undefined {
  const [only, another] = cycles.filter(({ durationMonths }) => durationMonths === months);
  return another ? undefined : only?.key;
}

interface Given {
  cycles: readonly BillingCycle[];
  plans: readonly PricedPlan[];
  /** The setting that `named` comes from. */
  selection: string;
}

/** Reports mistakes in plans that do not depend on the upstream's response. */
export function refusePlanMistakes({ cycles, plans, selection }: Given, context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message, input: undefined });
  if (hasTwins(cycles.map(({ key }) => key))) refuse(["cycles"], "must not repeat a key");
  if (hasTwins(plans.map(({ id }) => id))) refuse(["plans"], "must not repeat an id");
  for (const [index, plan] of plans.entries()) {
    for (const { field, message } of problems(plan, cycles, selection)) refuse(["plans", index, field], message);
  }
}

function problems(
  plan: PricedPlan,
  cycles: readonly BillingCycle[],
  selection: string,
): { field: string; message: string }[] {
  const found: { field: string; message: string }[] = [];
  const keys = new Set(cycles.map(({ key }) => key));
  if (plan.named && !Object.keys(plan.named).every((key) => keys.has(key))) {
    found.push({ field: selection, message: "has a key that is not among the cycles" });
  }
  if (plan.product !== undefined && hasTwins(cycles.map(({ durationMonths }) => durationMonths))) {
    found.push({ field: "product", message: `cannot distinguish two cycles of the same length: use ${selection}` });
  }
  for (const [field, months] of [["monthlyPrice", 1] as const, ["annualPrice", 12] as const]) {
    if (plan[field] !== undefined) continue;
    const key = cycleOf(cycles, months);
    const stated = plan.prices ?? plan.named;
    const length = months === 1 ? "1 month" : `${months} months`;
    if (key === undefined) found.push({ field, message: `must be given: there is no single cycle of ${length}` });
    else if (stated && !Object.hasOwn(stated, key)) {
      found.push({ field, message: `must be given, or the price for "${key}", the cycle of ${length}` });
    }
  }
  return found;
}

function hasTwins(values: readonly (string | number)[]): boolean {
  return new Set(values).size < values.length;
}
