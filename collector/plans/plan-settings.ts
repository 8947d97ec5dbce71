// The settings that all sources of plans with prices share. The list of plans is an allow-list: other products are neither
// requested nor published.
import * as z from "zod";
import { BillingCycle, Plan } from "../../snapshots/schema.ts";

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

/** A plan with all prices of a product. `pattern` and `example`: of its id. */
export const productPlan = (pattern: RegExp, example: string) =>
  z.strictObject({
    ...planFields,
    product: z
      .string()
      .regex(pattern, `must be an id such as ${example}`)
      .describe("Id of the product; its active prices fill the cycles of the same length"),
  });

/** The settings that name a plan's price for each cycle; a kind of source has one or two of them, and a plan at most one. */
export type Selection = "lookup" | "priceIds" | "variants";

/** It has `prices` from the settings, or a price for each cycle of its selection, or all prices of its `product`. */
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

/** The plan's selection, or the kind's first one. */
export function selectionOf(plan: PricedPlan, selections: PricedPlans["selections"]): Selection {
  return selections.find((selection) => plan[selection]) ?? selections[0];
}

/** The key of the only cycle of this length; undefined if there is none or several. */
export function cycleOf(cycles: readonly BillingCycle[], months: number): string | undefined {
  const [only, another] = cycles.filter(({ durationMonths }) => durationMonths === months);
  return another ? undefined : only?.key;
}

/** Reports mistakes in plans that do not depend on the upstream's response. */
export function refusePlanMistakes({ cycles, plans, selections }: PricedPlans, context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message, input: undefined });
  if (hasTwins(cycles.map(({ key }) => key))) refuse(["cycles"], "must not repeat a key");
  if (hasTwins(plans.map(({ id }) => id))) refuse(["plans"], "must not repeat an id");
  const keys = new Set(cycles.map(({ key }) => key));
  const hasEqualCycles = hasTwins(cycles.map(({ durationMonths }) => durationMonths));
  for (const [index, plan] of plans.entries()) {
    const refuseField = (field: string, message: string) => refuse(["plans", index, field], message);
    const selection = selectionOf(plan, selections);
    const named = plan[selection];
    if (named && !Object.keys(named).every((key) => keys.has(key)))
      refuseField(selection, "has a key that is not among the cycles");
    if (plan.product !== undefined && hasEqualCycles)
      refuseField("product", `cannot distinguish two cycles of the same length: use ${selection}`);
    for (const [field, months] of [["monthlyPrice", 1] as const, ["annualPrice", 12] as const]) {
      if (plan[field] !== undefined) continue;
      const key = cycleOf(cycles, months);
      const stated = plan.prices ?? named;
      const length = months === 1 ? "1 month" : `${months} months`;
      if (key === undefined) refuseField(field, `must be given: there is no single cycle of ${length}`);
      else if (stated && !Object.hasOwn(stated, key))
        refuseField(field, `must be given, or the price for "${key}", the cycle of ${length}`);
    }
  }
}

function hasTwins(values: readonly (string | number)[]): boolean {
  return new Set(values).size < values.length;
}
