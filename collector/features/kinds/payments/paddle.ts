// Source `paddle`: the prices of the plans in the settings, from Paddle Billing. It only requests the products and prices in
// the settings, and the decimals of the currency, which Paddle asks not to assume.
import * as z from "zod";
import { parseUrl } from "../../../../snapshots/rules.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { upstreamUrl } from "../../../http/request.ts";
import { displayName } from "../../../parsing/issues.ts";
import { jsonReader, listOf, shortText } from "../shape.ts";
import { amountIn, byCycle, fixedPlan, monthsIn, planFields, productPlan } from "../offers.ts";
import type { Offer, PricedPlan } from "../offers.ts";
import { paymentKind, trialLength, trialRemark, trialUnit, words, type Api } from "./payment-kind.ts";

const ByPriceIds = z.strictObject({
  ...planFields,
  priceIds: byCycle(z.string().regex(/^pri_[A-Za-z0-9]{1,60}$/, "must be an id such as pri_01abc")).describe(
    'The id of a price for each cycle: `{ "monthly": "pri_01abc" }`',
  ),
});

const Money = z.object({ amount: shortText, currency_code: shortText });

/** None, where they cannot be read: then an amount for some of them is no price of the currency. */
const Countries = z
  .array(shortText)
  .max(500)
  .nullish()
  .catch(undefined)
  .transform((codes) => codes ?? []);

/** One price (https://developer.paddle.com/api-reference/prices/list-prices). The description of a price, `custom_data` and other private
 * fields are not read. */
const PaddlePrice = z.object({
  id: shortText.min(1),
  product_id: shortText,
  status: shortText,
  type: shortText,
  billing_cycle: z.object({ interval: shortText, frequency: z.int().min(1) }).nullable(),
  trial_period: z.object({ interval: trialUnit, frequency: trialLength }).nullish().catch(undefined),
  unit_price: Money,
  // Some countries may have a price of their own, possibly in another currency.
  unit_price_overrides: z.array(z.object({ unit_price: Money, country_codes: Countries })).max(500),
  tax_mode: shortText.nullish(),
  quantity: z.object({ minimum: z.int() }),
  // Only an included product states whether it is archived.
  product: z.object(
    { status: shortText, name: words, description: words },
    "is not readable: may the key read products?",
  ),
});
type PaddlePrice = z.infer<typeof PaddlePrice>;

const PricePage = z
  .object({ data: listOf(PaddlePrice, 1_000), meta: z.object({ pagination: z.object({ has_more: z.boolean() }) }) })
  .transform(({ data, meta }) => ({ items: data, hasMore: meta.pagination.has_more }));

export const readPrices = jsonReader(PricePage, "a list of prices");

const Currencies = z.object({
  data: listOf(
    // In these countries, Paddle charges the currency by default (https://developer.paddle.com/api-reference/currencies).
    z.object({ code: shortText, decimal_places: z.int().min(0).max(4), applicable_countries: Countries }),
    500,
  ),
});

export const readCurrencies = jsonReader(Currencies, "a list of currencies");

export const paddle = paymentKind({
  from: "paddle",
  description: "Plans whose prices are in Paddle Billing",
  plan: z.union([productPlan(/^pro_[A-Za-z0-9]{1,60}$/, "pro_01abc"), ByPriceIds, fixedPlan("Paddle")]),
  selections: ["priceIds"],
  api: upstreamUrl
    .refine(
      (url) => parseUrl(url)?.hostname !== "sandbox-api.paddle.com",
      "is the sandbox, whose prices are not real: leave it out, with a key of the live account",
    )
    .default("https://api.paddle.com")
    .describe("Base URL of the Paddle API"),
  key: "a live API key: read for prices and products, otherwise none",
  plans: "The plans to publish, each with `prices`, a `product` or `priceIds`",
  headers: { accept: "application/json", "paddle-version": "1" },
  // Keys from before May 2025 have no prefix; Paddle refuses those of the sandbox with 403.
  refusedKeys: [
    [/^pdl_sdbx_/, "a sandbox key; use a live key"],
    [/^pdl_ntfset_|^(?:pro|pri|ntfset)_/, "a webhook's secret or an id, which is no API key"],
    [/^(test|live)_/, "a client-side token, which cannot read prices: take an API key, pdl_live_apikey_…"],
  ],
  missing: "does the product or price exist?",
  // Paddle answers 403 to an unknown key, too.
  forbidden: "is the key a live one, and may it read prices and products?",
  offers(api) {
    let currency: Promise<Currency> | undefined;
    return async (plan) => {
      const prices = await listPrices(plan, api);
      const known = await (currency ??= currencyOf(api));
      return prices.map((price) => offerOf(price, known));
    };
  },
});

async function currencyOf(api: Api): Promise<Currency> {
  const { data } = await api.get(readCurrencies, "currencies").catch((error: unknown) => {
    const isMissing = error instanceof UpstreamError && error.failure.status === 404;
    throw isMissing ? new UpstreamError("its list of currencies (/currencies) answered 404") : error;
  });
  const known = data.find(({ code }) => code === api.currency);
  if (!known) throw new UpstreamError(`Paddle has no currency ${api.currency}`);
  return known;
}

/** Lists all prices of the plan's product, or those named in the settings. Pages are requested by their `after`, because a
 * link from the answer could lead the key elsewhere. */
function listPrices({ product, priceIds = {} }: PricedPlan, api: Api): Promise<PaddlePrice[]> {
  const wanted: Record<string, string> =
    product === undefined
      ? { id: [...new Set(Object.values(priceIds))].join(","), status: "active,archived" }
      : { product_id: product, status: "active" };
  const pathOf = (_: number, after: string | undefined) => {
    const query = { ...wanted, include: "product", per_page: "200", ...(after !== undefined && { after }) };
    return `prices?${new URLSearchParams(query)}`;
  };
  return api.list(readPrices, pathOf, product ?? Object.values(priceIds).join(", "));
}

type Currency = z.infer<typeof Currencies>["data"][number];

function offerOf(price: PaddlePrice, currency: Currency): Offer {
  return {
    id: price.id,
    product: price.product_id,
    words: price.product,
    name: price.id,
    months: monthsOf(price),
    currency: price.unit_price.currency_code,
    ...amountOf(price, currency),
    remarks: [
      TAX.get(price.tax_mode ?? ""),
      trialRemark(price.trial_period?.frequency, price.trial_period?.interval),
      price.unit_price_overrides.length > 0 ? "some countries have a price of their own" : undefined,
    ],
  };
}

const TAX = new Map([
  ["internal", "tax is included"],
  ["external", "tax is added"],
  ["account_setting", "tax is included or added by country, as the account's settings say"],
  ["location", "tax is included or added by country"],
]);

/** Returns the months that a price pays for, or the reason why no plan can have it. A trial changes neither. */
function monthsOf({ status, type, product, billing_cycle, quantity }: PaddlePrice): number | string {
  if (status !== "active") return "archived";
  if (product.status !== "active") return "its product is archived";
  if (type !== "standard") return "made for one customer";
  if (!billing_cycle) return "paid once";
  if (quantity.minimum > 1) return `sold from ${quantity.minimum} units on`;
  return monthsIn(billing_cycle.interval, billing_cycle.frequency);
}

/** An amount for some countries is the price of a currency only if it is that of all in which Paddle charges this currency; the base
 * price is none if each of them has another. */
function amountOf({ unit_price, unit_price_overrides }: PaddlePrice, currency: Currency) {
  const { code, decimal_places, applicable_countries } = currency;
  const withOwn = new Set(unit_price_overrides.flatMap(({ country_codes }) => country_codes));
  const isBasePaid = applicable_countries.length === 0 || applicable_countries.some((country) => !withOwn.has(country));
  if (unit_price.currency_code === code && isBasePaid) return amountIn(unit_price.amount, decimal_places);
  const inCurrency = unit_price_overrides.filter((one) => one.unit_price.currency_code === code);
  const [amount, another] = new Set(inCurrency.map((one) => one.unit_price.amount));
  if (amount === undefined) return {};
  if (another !== undefined) return { problem: `has several amounts in ${code}, by country` };
  const countries = new Set(inCurrency.flatMap(({ country_codes }) => country_codes));
  const missing = applicable_countries.find((country) => !countries.has(country));
  if (applicable_countries.length > 0 && missing === undefined) return amountIn(amount, decimal_places);
  const where =
    missing === undefined ? "Paddle does not state which countries pay in it" : `not for ${displayName(missing)}`;
  return { problem: `has an amount in ${code} for single countries only: ${where}` };
}
