// Settings of source `stripe`: the plans to publish and where their prices are. The list of plans is an allow-list: other
// products are neither requested nor published.
import * as z from "zod";
import { ownSchedule } from "../../settings/cron.ts";
import { BillingCycle, Plan } from "../../../snapshots/schema.ts";
import { requestTimeout, upstreamUrl } from "../../http/request-settings.ts";

const { id, popular, prices, monthlyPrice, annualPrice, creditsMonthly } = Plan.shape;

const planFields = {
  id,
  popular: popular.default(false),
  creditsMonthly: creditsMonthly.default(null),
  monthlyPrice: monthlyPrice.optional().describe("By default, the price for the cycle of 1 month"),
  annualPrice: annualPrice.optional().describe("By default, the price for the cycle of 12 months; never computed"),
};
const productId = z.string().regex(/^[A-Za-z0-9_.-]{1,255}$/, "must be an id such as prod_Abc");

const Fixed = z.strictObject({ ...planFields, prices: prices.describe("Prices that are not in Stripe") });
const ByProduct = z.strictObject({
  ...planFields,
  product: productId.describe("Id of the product; its active prices fill the cycles of the same length"),
});
const ByLookup = z.strictObject({
  ...planFields,
  lookup: z
    .record(BillingCycle.shape.key, z.string().min(1).max(200))
    .refine((lookup) => Object.keys(lookup).length > 0, "must name at least one price")
    .describe("The lookup key of a price for each cycle, by the key of the cycle"),
});

const PlanSettings = z.union([ByProduct, ByLookup, Fixed]);
export type PlanSettings = z.infer<typeof PlanSettings>;

export const StripeSettings = z
  .strictObject({
    from: z.literal("stripe"),
    key: z
      .string()
      .regex(
        /^\$[A-Za-z_][A-Za-z0-9_]*$/,
        'must be "$NAME", the environment variable with the key; keys do not belong in this file',
      )
      .describe(
        '"$NAME", the environment variable with a restricted live key: read for Products and Prices, otherwise none',
      ),
    currency: z
      .string()
      .regex(/^([A-Z]{3}|[a-z]{3})$/, "must be three letters such as USD")
      .describe("Currency of the prices, such as USD; published as written"),
    cycles: z.array(BillingCycle).min(1).describe("The billing cycles to publish"),
    plans: z
      .array(PlanSettings)
      .min(1)
      .max(100)
      .describe("The plans to publish, each with `prices`, a `product` or a `lookup` of prices"),
    api: upstreamUrl.default("https://api.stripe.com").describe("Base URL of the Stripe API"),
    timeout: requestTimeout.describe("Total time for all requests, retries included"),
    schedule: ownSchedule,
  })
  .superRefine(({ cycles, plans }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path, message, input: undefined });
    if (hasTwins(cycles.map(({ key }) => key))) refuse(["cycles"], "must not repeat a key");
    if (hasTwins(plans.map(({ id }) => id))) refuse(["plans"], "must not repeat an id");
    for (const [index, plan] of plans.entries()) {
      for (const { field, message } of problems(plan, cycles)) refuse(["plans", index, field], message);
    }
  })
  .describe("Plans whose prices are in Stripe");
export type StripeSettings = z.infer<typeof StripeSettings>;

/** The key of the only cycle of this length; undefined if there is none or several. */
export function cycleOf(cycles: readonly BillingCycle[], months: number): string | undefined {
  const [only, another] = cycles.filter(({ durationMonths }) => durationMonths === months);
  return another ? undefined : only?.key;
}

/** Mistakes in a plan that do not depend on Stripe's response. */
function problems(plan: PlanSettings, cycles: readonly BillingCycle[]): { field: string; message: string }[] {
  const found: { field: string; message: string }[] = [];
  const keys = new Set(cycles.map(({ key }) => key));
  if ("lookup" in plan && !Object.keys(plan.lookup).every((key) => keys.has(key))) {
    found.push({ field: "lookup", message: "has a key that is not among the cycles" });
  }
  if ("product" in plan && hasTwins(cycles.map(({ durationMonths }) => durationMonths))) {
    found.push({ field: "product", message: "cannot distinguish two cycles of the same length: use lookup" });
  }
  for (const [field, months] of [["monthlyPrice", 1] as const, ["annualPrice", 12] as const]) {
    if (plan[field] !== undefined) continue;
    const key = cycleOf(cycles, months);
    const stated = "prices" in plan ? plan.prices : "lookup" in plan ? plan.lookup : undefined;
    if (key === undefined || (stated && !Object.hasOwn(stated, key))) {
      found.push({
        field,
        message: `must be given: there is no single price for ${months} ${months === 1 ? "month" : "months"}`,
      });
    }
  }
  return found;
}

function hasTwins(values: readonly (string | number)[]): boolean {
  return new Set(values).size < values.length;
}
