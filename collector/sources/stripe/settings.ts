// Settings of source `stripe`: the plans to publish and where their prices are.
import * as z from "zod";
import { requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import {
  apiKey,
  byCycle,
  cellFields,
  fixedPrices,
  planFields,
  planList,
  refusePlanMistakes,
  type PricedPlan,
} from "../../plans/plan-settings.ts";
import { ownSchedule } from "../../settings/cron.ts";

/** The setting that selects one of several prices. */
export const SELECTION = "lookup";

const productId = z.string().regex(/^[A-Za-z0-9_.-]{1,255}$/, "must be an id such as prod_Abc");

const Fixed = z.strictObject({ ...planFields, prices: fixedPrices.describe("Prices that are not in Stripe") });
const ByProduct = z.strictObject({
  ...planFields,
  product: productId.describe("Id of the product; its active prices fill the cycles of the same length"),
});
const ByLookup = z.strictObject({
  ...planFields,
  lookup: byCycle(z.string().min(1).max(200)).describe(
    "The lookup key of a price for each cycle, by the key of the cycle",
  ),
});

const PlanSettings = z.union([ByProduct, ByLookup, Fixed]);

export const StripeSettings = z
  .strictObject({
    from: z.literal("stripe"),
    key: apiKey.describe(
      '"$NAME", the environment variable with a restricted live key: read for Products and Prices, otherwise none',
    ),
    ...cellFields,
    plans: planList(PlanSettings).describe(
      "The plans to publish, each with `prices`, a `product` or a `lookup` of prices",
    ),
    api: upstreamUrl.default("https://api.stripe.com").describe("Base URL of the Stripe API"),
    timeout: requestTimeout.describe("Total time for all requests, retries included"),
    schedule: ownSchedule,
  })
  .superRefine((settings, context) =>
    refusePlanMistakes({ ...settings, plans: pricedPlans(settings), selection: SELECTION }, context),
  )
  .describe("Plans whose prices are in Stripe");
export type StripeSettings = z.infer<typeof StripeSettings>;

export function pricedPlans({ plans }: { plans: z.infer<typeof PlanSettings>[] }): PricedPlan[] {
  return plans.map((plan) => ("lookup" in plan ? { ...plan, named: plan.lookup } : plan));
}
