// Source `stripe`: the prices of the plans in the settings, read with a restricted key. It only requests the products and
// lookup keys in the settings, so that private data does not leave Stripe.
import * as z from "zod";
import { upstreamUrl } from "../../../http/request.ts";
import { jsonReader, listOf, shortText } from "../shape.ts";
import { amountIn, byCycle, fixedPlan, monthsIn, planFields, productPlan } from "../offers.ts";
import type { Offer, PricedPlan } from "../offers.ts";
import { paymentKind, trialLength, trialRemark, words, type Api } from "./payment-kind.ts";

const ByLookup = z.strictObject({
  ...planFields,
  lookup: byCycle(z.string().min(1).max(200)).describe(
    'The lookup key of a price for each cycle: `{ "monthly": "pro_monthly" }`',
  ),
});
const ByPriceIds = z.strictObject({
  ...planFields,
  priceIds: byCycle(z.string().regex(/^price_[A-Za-z0-9]{1,200}$/, "must be an id such as price_1Abc")).describe(
    'The id of a price for each cycle: `{ "monthly": "price_1Abc" }`',
  ),
});

const PriceAmount = z.object({
  unit_amount: z.int().nullish(),
  unit_amount_decimal: shortText.nullish(),
  tax_behavior: shortText.nullish(),
});

/** One Stripe price: the fields that are read. `metadata` and other private fields are not among them. */
const StripePrice = PriceAmount.extend({
  id: shortText,
  active: z.boolean(),
  livemode: z.boolean(),
  type: shortText,
  currency: shortText,
  billing_scheme: shortText,
  lookup_key: shortText.nullish(),
  tiers_mode: shortText.nullish(),
  custom_unit_amount: z.unknown().optional(),
  transform_quantity: z.unknown().optional(),
  recurring: z
    .object({
      interval: shortText,
      interval_count: z.int().min(1),
      usage_type: shortText,
      trial_period_days: trialLength,
    })
    .nullish(),
  // Only an expanded product states whether it is archived.
  product: z.object(
    { id: shortText, deleted: z.boolean().optional(), active: z.boolean().optional(), name: words, description: words },
    "is not readable: may the key read Products?",
  ),
  currency_options: z.record(shortText, PriceAmount).nullish(),
});
type StripePrice = z.infer<typeof StripePrice>;

const PricePage = z
  .object({ object: z.literal("list"), has_more: z.boolean(), data: listOf(StripePrice, 1_000) })
  .transform(({ data, has_more }) => ({ items: data, hasMore: has_more }));

export const readStripe = jsonReader(PricePage, "a list of prices");
const readPrice = jsonReader(StripePrice, "a price");

export const stripe = paymentKind({
  from: "stripe",
  description: "Plans whose prices are in Stripe",
  plan: z.union([productPlan(/^(?!price_)[\w.-]{1,255}$/, "prod_Abc"), ByLookup, ByPriceIds, fixedPlan("Stripe")]),
  selections: ["lookup", "priceIds"],
  api: upstreamUrl.default("https://api.stripe.com").describe("Base URL of the Stripe API"),
  key: "a restricted live key: read for Products and Prices, otherwise none",
  plans: "The plans to publish, each with `prices`, a `product`, a `lookup` of prices or `priceIds`",
  // The version determines the shape of responses, regardless of the account's default.
  headers: { accept: "application/json", "stripe-version": "2024-06-20" },
  refusedKeys: [
    [/^[a-z]+_test_/, "a test mode key; use a live key"],
    [/^(?:whsec|acct|prod|price)_/, "a webhook's secret or an id, which is no API key"],
    [/^pk_/, "a publishable key, which cannot read prices: take a restricted one, rk_live_…"],
  ],
  missing: "does the product or price exist?",
  forbidden: "may the key read Products and Prices?",
  offers: (api) => async (plan) => {
    const prices = new Map<string, StripePrice>();
    for (const id of Object.values(plan.priceIds ?? {}))
      prices.set(id, await api.get(readPrice, `v1/prices/${id}?${expand("")}`, id));
    for (const query of queries(plan))
      for (const price of await listPrices(query, plan, api)) prices.set(price.id, price);
    return [...prices.values()].map((price) => offerOf(price, plan, api.currency));
  },
});

/** Stripe's limit of lookup keys per request. */
const MAX_LOOKUPS = 10;

function queries({ product, lookup = {} }: PricedPlan): [string, string][][] {
  // Only active prices are asked for: there can be thousands of inactive ones, made for single customers.
  if (product !== undefined) return [Object.entries({ product, active: "true" })];
  const keys = Object.values(lookup).map((key): [string, string] => ["lookup_keys[]", key]);
  return Array.from({ length: Math.ceil(keys.length / MAX_LOOKUPS) }, (_, index) =>
    keys.slice(index * MAX_LOOKUPS, (index + 1) * MAX_LOOKUPS),
  );
}

function listPrices(query: [string, string][], { product }: PricedPlan, api: Api): Promise<StripePrice[]> {
  const pathOf = (_: number, last: string | undefined) => {
    const after: [string, string][] = last === undefined ? [] : [["starting_after", last]];
    return `v1/prices?${new URLSearchParams([["limit", "100"], ...query, ...after])}&${expand("data.")}`;
  };
  return api.list(readStripe, pathOf, product);
}

/** Asks for what a price only refers to. `path`: that of the price in the answer. */
function expand(path: string): URLSearchParams {
  return new URLSearchParams(
    ["product", "currency_options"].map((field): [string, string] => ["expand[]", path + field]),
  );
}

/** `currency`: three letters, upper case. */
function offerOf(price: StripePrice, { priceIds }: PricedPlan, currency: string): Offer {
  const stated = statedIn(price, currency.toLowerCase());
  return {
    id: price.id,
    product: price.product.id,
    words: price.product,
    name: priceIds ? price.id : price.lookup_key,
    months: monthsOf(price),
    currency: price.currency,
    ...(stated && amountIn(stated.unit_amount_decimal ?? stated.unit_amount?.toString(), decimalsOf(currency))),
    remarks: [TAX.get(stated?.tax_behavior ?? ""), trialRemark(price.recurring?.trial_period_days, "day")],
  };
}

const TAX = new Map([
  ["inclusive", "tax is included"],
  ["exclusive", "tax is added"],
  ["unspecified", "whether tax is included is not specified"],
]);

/** Returns the months that a price pays for, or the reason why no plan can have it. */
function monthsOf(price: StripePrice): number | string {
  const { product, recurring } = price;
  if (!price.livemode) return "test mode";
  if (!price.active) return "archived";
  if (product.deleted === true) return "its product is deleted";
  if (product.active !== true) return "its product is archived";
  if (price.type !== "recurring" || !recurring) return "paid once";
  if (recurring.usage_type !== "licensed") return "metered";
  if (price.billing_scheme !== "per_unit" || isPresent(price.tiers_mode)) return "tiered";
  if (isPresent(price.transform_quantity)) return "sold in packages";
  if (isPresent(price.custom_unit_amount)) return "the customer chooses the amount";
  return monthsIn(recurring.interval, recurring.interval_count);
}

/** What the price states in a currency: its own amount, or that of an option, each with its own tax behaviour. */
function statedIn(price: StripePrice, code: string): z.infer<typeof PriceAmount> | undefined {
  const { currency, currency_options: options } = price;
  if (currency.toLowerCase() === code) return price;
  return options && Object.hasOwn(options, code) ? options[code] : undefined;
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

// The table is Stripe's own: the digits of Intl differ for 19 currencies (Stripe has ISK and UGX with two decimals), and each
// difference would make a price wrong by a factor of ten or more.
const NO_DECIMALS = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" ");
const THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND".split(" ");

/** Decimals of Stripe's amounts. `currency`: three letters, upper case. */
function decimalsOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0;
  return THREE_DECIMALS.includes(currency) ? 3 : 2;
}
