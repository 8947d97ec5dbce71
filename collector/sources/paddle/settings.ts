// Settings of source `paddle`: the plans to publish and where their prices are.
import * as z from "zod";
import { parseUrl } from "../../../snapshots/rules.ts";
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
export const SELECTION = "priceIds";

const Fixed = z.strictObject({ ...planFields, prices: fixedPrices.describe("Prices that are not in Paddle") });
const ByProduct = z.strictObject({
  ...planFields,
  product: z
    .string()
    .regex(/^pro_[A-Za-z0-9]{1,60}$/, "must be an id such as pro_01abc")
    .describe("Id of the product; its active prices fill the cycles of the same length"),
});
const ByPriceIds = z.strictObject({
  ...planFields,
  priceIds: byCycle(z.string().regex(/^pri_[A-Za-z0-9]{1,60}$/, "must be an id such as pri_01abc")).describe(
    "The id of a price for each cycle, by the key of the cycle",
  ),
});

const PlanSettings = z.union([ByProduct, ByPriceIds, Fixed]);

export const PaddleSettings = z
  .strictObject({
    from: z.literal("paddle"),
    key: apiKey.describe(
      '"$NAME", the environment variable with a live API key: read for prices and products, otherwise none',
    ),
    ...cellFields,
    plans: planList(PlanSettings).describe("The plans to publish, each with `prices`, a `product` or `priceIds`"),
    api: upstreamUrl
      .refine(
        (url) => parseUrl(url)?.hostname !== "sandbox-api.paddle.com",
        "is the sandbox, whose prices are not real",
      )
      .default("https://api.paddle.com")
      .describe("Base URL of the Paddle API"),
    timeout: requestTimeout.describe("Total time for all requests, retries included"),
    schedule: ownSchedule,
  })
  .superRefine((settings, context) =>
    refusePlanMistakes({ ...settings, plans: pricedPlans(settings), selection: SELECTION }, context),
  )
  .describe("Plans whose prices are in Paddle Billing");
export type PaddleSettings = z.infer<typeof PaddleSettings>;

export function pricedPlans({ plans }: { plans: z.infer<typeof PlanSettings>[] }): PricedPlan[] {
  return plans.map((plan) => ("priceIds" in plan ? { ...plan, named: plan.priceIds } : plan));
}
