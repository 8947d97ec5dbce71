// Settings of source `lemonsqueezy`: the plans to publish and the variants that have their prices.
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

/** The setting that says which variants have a plan's prices. */
export const SELECTION = "variants";

const id = z.string().regex(/^\d{1,20}$/, 'must be an id such as "123456"');

const Fixed = z.strictObject({ ...planFields, prices: fixedPrices.describe("Prices that are not in Lemon Squeezy") });
const ByVariants = z.strictObject({
  ...planFields,
  variants: byCycle(id).describe(
    "The id of a variant for each cycle, by the key of the cycle; its newest price counts",
  ),
  priceIds: byCycle(id)
    .optional()
    .describe("The id of a price for a cycle, if several prices of its variant are equally new"),
});

const PlanSettings = z.union([ByVariants, Fixed]);

export interface VariantPlan extends PricedPlan {
  priceIds?: Record<string, string> | undefined;
}

export const LemonSqueezySettings = z
  .strictObject({
    from: z.literal("lemonsqueezy"),
    key: apiKey.describe('"$NAME", the environment variable with an API key of the live mode'),
    ...cellFields,
    currency: cellFields.currency.refine(
      hasCents,
      "must have cents: Lemon Squeezy does not document its amounts in others; use a source with fixed prices",
    ),
    plans: planList(PlanSettings).describe("The plans to publish, each with `prices` or `variants`"),
    api: upstreamUrl.default("https://api.lemonsqueezy.com").describe("Base URL of the Lemon Squeezy API"),
    timeout: requestTimeout.describe("Total time for all requests, retries included"),
    schedule: ownSchedule,
  })
  .superRefine((settings, context) =>
    refusePlanMistakes({ ...settings, plans: pricedPlans(settings), selection: SELECTION }, context),
  )
  .describe("Plans whose prices are in Lemon Squeezy");
export type LemonSqueezySettings = z.infer<typeof LemonSqueezySettings>;

export function pricedPlans({ plans }: { plans: z.infer<typeof PlanSettings>[] }): VariantPlan[] {
  return plans.map((plan) => ("variants" in plan ? { ...plan, named: plan.variants } : plan));
}

function hasCents(currency: string): boolean {
  if (!/^[A-Za-z]{3}$/.test(currency)) return true; // reported already
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits === 2;
}
