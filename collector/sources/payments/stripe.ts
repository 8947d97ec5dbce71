// Source `stripe`: the prices of the plans in the settings, read with a restricted key. It only requests the products and
// lookup keys in the settings, so that private data does not leave Stripe.
import * as z from "zod";
import { UpstreamError } from "../../http/errors.ts";
import { MAX_BYTES } from "../../http/fetch.ts";
import { requestTimeout, secretHeaders, upstreamUrl, type Environment } from "../../http/request.ts";
import { parseJson } from "../../parsing/json.ts";
import { shortText } from "../../parsing/shape.ts";
import { majorUnits, monthsIn, shownId, translatePlans, type Offer } from "../../plans/offers.ts";
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
import { ownSchedule } from "../../setting-values.ts";
import { KIB, sourceKind, type DocumentReader } from "../../source.ts";
import { ask, planSource, readEachPlan, readPages, type ApiRequest } from "./plan-source.ts";

/** The setting that selects one of several prices. */
const SELECTION = "lookup";

const Fixed = z.strictObject({ ...planFields, prices: fixedPrices.describe("Prices that are not in Stripe") });
const ByProduct = z.strictObject({
  ...planFields,
  product: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,255}$/, "must be an id such as prod_Abc")
    .describe("Id of the product; its active prices fill the cycles of the same length"),
});
const ByLookup = z.strictObject({
  ...planFields,
  lookup: byCycle(z.string().min(1).max(200)).describe(
    "The lookup key of a price for each cycle, by the key of the cycle",
  ),
});

const PlanSettings = z.union([ByProduct, ByLookup, Fixed]);

const StripeSettings = z
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
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .superRefine((settings, context) =>
    refusePlanMistakes({ ...settings, plans: pricedPlans(settings), selection: SELECTION }, context),
  )
  .describe("Plans whose prices are in Stripe");

const PriceAmount = z.object({
  unit_amount: z.int().nullish(),
  unit_amount_decimal: shortText.nullish(),
});

/** One Stripe price: the fields that are read. `metadata` and other private fields are not among them. */
const Price = PriceAmount.extend({
  id: shortText,
  active: z.boolean(),
  livemode: z.boolean(),
  type: shortText,
  currency: shortText,
  billing_scheme: shortText,
  lookup_key: shortText.nullish(),
  tax_behavior: shortText.nullish(),
  tiers_mode: shortText.nullish(),
  custom_unit_amount: z.unknown().optional(),
  transform_quantity: z.unknown().optional(),
  recurring: z.object({ interval: shortText, interval_count: z.int().min(1), usage_type: shortText }).nullish(),
  // Only an expanded product states whether it is archived.
  product: z.object({ id: shortText, deleted: z.boolean().optional(), active: z.boolean().optional() }),
  currency_options: z.record(shortText, PriceAmount).nullish(),
});
type Price = z.infer<typeof Price>;

const PricePage = z.object({
  object: z.literal("list"),
  has_more: z.boolean(),
  data: z.array(z.looseObject({ id: z.string().min(1).max(255) })).max(1_000),
});

/** Reads one page of the list of prices; drops amounts in other currencies. `currency`: three letters, lower case. */
const reader: DocumentReader<{ has_more: boolean; data: Price[] }, { currency: string }> = {
  name: "stripe",
  maxInPlace: 128 * KIB,
  maxBytes: MAX_BYTES,
  read(text, { currency }) {
    const checked = PricePage.safeParse(parseJson(text));
    if (!checked.success) throw new UpstreamError("the answer is not a list of prices");
    const { has_more, data } = checked.data;
    return { has_more, data: data.map((price) => inCurrency(readPrice(price), currency)) };
  },
};

export const stripe = sourceKind({
  settings: StripeSettings,
  readers: [reader],
  open(settings, { names, environment, standIns }) {
    const { api, currency, timeout } = settings;
    const plans = pricedPlans(settings);
    const headers = keyHeaders(settings.key, environment);
    const selection = { currency: currency.toLowerCase() };
    return planSource<ReadonlyMap<string, Price[]>>("stripe", names, {
      timeout,
      read: (signal) => {
        const request = { api, headers, standIns, signal, deadline: timeout, selection, hints: HINTS };
        return readEachPlan(plans, (plan) => readPrices(plan, request));
      },
      translate: (found) =>
        translatePlans({ ...settings, plans, selection: SELECTION }, ({ id }) =>
          (found.get(id) ?? []).map((price) => offerOf(price, currency.toUpperCase())),
        ),
    });
  },
});

function pricedPlans({ plans }: { plans: z.infer<typeof PlanSettings>[] }): PricedPlan[] {
  return plans.map((plan) => ("lookup" in plan ? { ...plan, named: plan.lookup } : plan));
}

/** Determines the shape of responses, regardless of the account's default version. */
const API_VERSION = "2024-06-20";

/** @throws Error if the key is missing or of the wrong kind. */
function keyHeaders(name: string, environment: Environment): Record<string, string> {
  const { authorization = "" } = secretHeaders({ authorization: `Bearer ${name}` }, environment);
  const key = authorization.slice("Bearer ".length);
  const variable = `the environment variable ${name.slice(1)}`;
  if (/^[a-z]+_test_/.test(key)) throw new Error(`${variable} has a test mode key; use a live key`);
  if (key.startsWith("pk_")) throw new Error(`${variable} has a publishable key, which cannot read prices`);
  return { accept: "application/json", authorization, "stripe-version": API_VERSION };
}

type StripeRequest = ApiRequest<{ currency: string }>;

const HINTS = new Map([
  [400, "does the product exist?"],
  [401, "is the key right?"],
  [403, "may the key read Products and Prices?"],
  [404, "does the product exist?"],
]);

async function readPrices(plan: PricedPlan, request: StripeRequest): Promise<Price[]> {
  const prices = new Map<string, Price>();
  for (const query of queries(plan)) {
    for (const price of await listPrices(query, request)) prices.set(price.id, price);
  }
  return [...prices.values()];
}

/** Stripe's limit of lookup keys per request. */
const MAX_LOOKUPS = 10;

function queries({ product, named = {} }: PricedPlan): [string, string][][] {
  // Only active prices: there can be thousands of inactive ones, made for single customers.
  if (product !== undefined) return [Object.entries({ product, active: "true" })];
  const keys = Object.values(named).map((key): [string, string] => ["lookup_keys[]", key]);
  return Array.from({ length: Math.ceil(keys.length / MAX_LOOKUPS) }, (_, index) =>
    keys.slice(index * MAX_LOOKUPS, (index + 1) * MAX_LOOKUPS),
  );
}

const PER_PAGE = 100;

/** All prices that match a query, each with its product. @throws UpstreamError */
function listPrices(query: [string, string][], request: StripeRequest): Promise<Price[]> {
  const read = async (_: number, last: string | undefined) => {
    const search = new URLSearchParams([
      ["limit", String(PER_PAGE)],
      ["expand[]", "data.product"],
      ["expand[]", "data.currency_options"],
      ...query,
    ]);
    if (last !== undefined) search.append("starting_after", last);
    const { data, has_more } = await ask(reader, `v1/prices?${search}`, request);
    return { items: data, hasMore: has_more };
  };
  return readPages(read, { perPage: PER_PAGE, selection: SELECTION });
}

/** @throws UpstreamError naming the first field that cannot be read. */
function readPrice(upstream: unknown): Price {
  const checked = Price.safeParse(upstream);
  if (checked.success) return checked.data;
  const [field] = checked.error.issues[0]?.path ?? [];
  const hint = field === "product" ? " (may the key read Products?)" : "";
  throw new UpstreamError(`a price without a readable "${String(field ?? "id")}"${hint}`);
}

function inCurrency(price: Price, currency: string): Price {
  const options = price.currency_options ?? {};
  const amount = Object.hasOwn(options, currency) ? options[currency] : undefined;
  return { ...price, currency_options: amount ? { [currency]: amount } : {} };
}

function offerOf(price: Price, currency: string): Offer {
  return {
    label: shownId(price.id),
    product: price.product.id,
    name: price.lookup_key,
    months: monthsOf(price),
    amount: () => amountOf(price, currency),
    remarks: [TAX.get(price.tax_behavior ?? "")],
  };
}

/** By `tax_behavior`. */
const TAX = new Map([
  ["inclusive", "tax is included"],
  ["exclusive", "tax is added"],
  ["unspecified", "whether tax is included is not specified"],
]);

/** Months that a price pays for, or the reason why no plan can have it. */
function monthsOf(price: Price): number | string {
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

/** Major units in a currency (upper case); undefined if the price has no amount in it.
 * @throws UpstreamError if the amount cannot be represented exactly. */
function amountOf(price: Price, currency: string): number | undefined {
  const code = currency.toLowerCase();
  const options = price.currency_options ?? {};
  const stated =
    price.currency.toLowerCase() === code ? price : Object.hasOwn(options, code) ? options[code] : undefined;
  if (!stated) return undefined;
  const minor = stated.unit_amount_decimal ?? stated.unit_amount?.toString();
  const amount = minor === undefined ? undefined : majorUnits(minor, decimalsOf(currency));
  if (amount === undefined)
    throw new UpstreamError(`${shownId(price.id)} has no amount that can be represented exactly`);
  return amount;
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
