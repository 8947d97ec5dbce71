// Source `paddle`: the prices of the plans in the settings, from Paddle Billing. It only requests the products and prices in
// the settings, and the decimals of the currency, which Paddle asks not to assume.
import * as z from "zod";
import { parseUrl } from "../../../snapshots/rules.ts";
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
const SELECTION = "priceIds";

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

const PaddleSettings = z
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
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .superRefine((settings, context) =>
    refusePlanMistakes({ ...settings, plans: pricedPlans(settings), selection: SELECTION }, context),
  )
  .describe("Plans whose prices are in Paddle Billing");

const Money = z.object({ amount: shortText, currency_code: shortText });

/** One price (https://developer.paddle.com/api-reference/prices/list-prices). Descriptions, `custom_data` and other private
 * fields are not read. */
const Price = z.object({
  id: z.string().min(1).max(255),
  product_id: shortText,
  status: shortText,
  type: shortText,
  billing_cycle: z.object({ interval: shortText, frequency: z.int().min(1) }).nullable(),
  unit_price: Money,
  // Prices for some countries, possibly in another currency.
  unit_price_overrides: z.array(z.object({ unit_price: Money })).max(500),
  tax_mode: shortText.nullish(),
  quantity: z.object({ minimum: z.int() }),
  // Only an included product states whether it is archived.
  product: z.object({ status: shortText }),
});
/** Its overrides are only those in the currency of the settings. */
type Price = z.infer<typeof Price> & { hasCountries: boolean };

const PricePage = z.object({
  data: z.array(z.unknown()).max(1_000),
  meta: z.object({ pagination: z.object({ has_more: z.boolean() }) }),
});

/** Reads one page of the list of prices; drops amounts in other currencies. `currency`: three letters, upper case. */
const priceReader: DocumentReader<{ prices: Price[]; hasMore: boolean }, { currency: string }> = {
  name: "paddle",
  maxInPlace: 128 * KIB,
  maxBytes: MAX_BYTES,
  read(text, { currency }) {
    const checked = PricePage.safeParse(parseJson(text));
    if (!checked.success) throw new UpstreamError("the answer is not a list of prices");
    const { data, meta } = checked.data;
    return { prices: data.map((price) => readPrice(price, currency)), hasMore: meta.pagination.has_more };
  },
};

const Currencies = z.object({
  data: z.array(z.object({ code: shortText, decimal_places: z.int().min(0).max(4) })).max(500),
});

/** Reads the decimals of a currency, as Paddle states them; undefined if Paddle does not have it. */
const currencyReader: DocumentReader<number | undefined, { currency: string }> = {
  name: "paddle-currencies",
  maxInPlace: 128 * KIB,
  maxBytes: MAX_BYTES,
  read(text, { currency }) {
    const checked = Currencies.safeParse(parseJson(text));
    if (!checked.success) throw new UpstreamError("the answer is not a list of currencies");
    return checked.data.data.find(({ code }) => code === currency)?.decimal_places;
  },
};

type Found = { decimals: number; prices: ReadonlyMap<string, Price[]> };

export const paddle = sourceKind({
  settings: PaddleSettings,
  readers: [priceReader, currencyReader],
  open(settings, { names, environment, standIns }) {
    const { api, timeout } = settings;
    const plans = pricedPlans(settings);
    const code = settings.currency.toUpperCase();
    const headers = keyHeaders(settings.key, environment);
    const selection = { currency: code };
    return planSource<Found>("paddle", names, {
      timeout,
      async read(signal) {
        const request = { api, headers, standIns, signal, deadline: timeout, selection, hints: HINTS };
        const prices = await readEachPlan(plans, (plan) => listPrices(plan, request));
        const decimals = await ask(currencyReader, "currencies", request);
        if (decimals === undefined) throw new UpstreamError(`Paddle has no currency ${code}`);
        return { decimals, prices };
      },
      translate: ({ decimals, prices }) =>
        translatePlans({ ...settings, plans, selection: SELECTION }, ({ id }) =>
          (prices.get(id) ?? []).map((price) => offerOf(price, { code, decimals })),
        ),
    });
  },
});

function pricedPlans({ plans }: { plans: z.infer<typeof PlanSettings>[] }): PricedPlan[] {
  return plans.map((plan) => ("priceIds" in plan ? { ...plan, named: plan.priceIds } : plan));
}

/** @throws Error if the key is missing or of the wrong kind. */
function keyHeaders(name: string, environment: Environment): Record<string, string> {
  const { authorization = "" } = secretHeaders({ authorization: `Bearer ${name}` }, environment);
  const key = authorization.slice("Bearer ".length);
  const variable = `the environment variable ${name.slice(1)}`;
  // Keys from before May 2025 have no prefix; Paddle refuses those of the sandbox with 403.
  if (key.startsWith("pdl_sdbx_")) throw new Error(`${variable} has a sandbox key; use a live key`);
  if (/^(test|live)_/.test(key)) throw new Error(`${variable} has a client-side token, which cannot read prices`);
  return { accept: "application/json", "paddle-version": "1", authorization };
}

/** Paddle answers 403 to an unknown key, too. */
const HINTS = new Map([
  [400, "does the product or price exist?"],
  [401, "is the key right?"],
  [403, "is the key a live one, and may it read prices and products?"],
  [404, "does the product or price exist?"],
]);

const PER_PAGE = 200;

/** All prices of the plan's product, or those named in the settings. Pages are requested by their `after`, because a link
 * from the answer could lead the key elsewhere. */
async function listPrices(
  { product, named = {} }: PricedPlan,
  request: ApiRequest<{ currency: string }>,
): Promise<Price[]> {
  const wanted: Record<string, string> =
    product === undefined
      ? { id: [...new Set(Object.values(named))].join(","), status: "active,archived" }
      : { product_id: product, status: "active" };
  const read = async (_: number, after: string | undefined) => {
    const query = { ...wanted, include: "product", per_page: String(PER_PAGE), ...(after !== undefined && { after }) };
    const { prices, hasMore } = await ask(priceReader, `prices?${new URLSearchParams(query)}`, request);
    return { items: prices, hasMore };
  };
  return readPages(read, { perPage: PER_PAGE, selection: SELECTION });
}

/** @throws UpstreamError naming the first field that cannot be read. */
function readPrice(upstream: unknown, currency: string): Price {
  const checked = Price.safeParse(upstream);
  if (!checked.success) {
    const [field] = checked.error.issues[0]?.path ?? [];
    const hint = field === "product" ? " (may the key read products?)" : "";
    throw new UpstreamError(`a price without a readable "${String(field ?? "id")}"${hint}`);
  }
  const overrides = checked.data.unit_price_overrides;
  const inCurrency = overrides.filter(({ unit_price }) => unit_price.currency_code === currency);
  return { ...checked.data, unit_price_overrides: inCurrency, hasCountries: overrides.length > 0 };
}

/** `code`: three letters, upper case. `decimals`: those of Paddle's amounts in it. */
interface Currency {
  code: string;
  decimals: number;
}

function offerOf(price: Price, currency: Currency): Offer {
  return {
    label: shownId(price.id),
    product: price.product_id,
    name: price.id,
    months: monthsOf(price),
    amount: () => amountOf(price, currency),
    remarks: [
      TAX.get(price.tax_mode ?? ""),
      price.hasCountries ? "some countries have a price of their own" : undefined,
    ],
  };
}

/** By `tax_mode`. */
const TAX = new Map([
  ["internal", "tax is included"],
  ["external", "tax is added"],
  ["account_setting", "tax is included or added by country, as the account's settings say"],
  ["location", "tax is included or added by country"],
]);

/** Months that a price pays for, or the reason why no plan can have it. A trial changes neither. */
function monthsOf({ status, type, product, billing_cycle, quantity }: Price): number | string {
  if (status !== "active") return "archived";
  if (product.status !== "active") return "its product is archived";
  if (type !== "standard") return "made for one customer";
  if (!billing_cycle) return "paid once";
  if (quantity.minimum > 1) return `sold from ${quantity.minimum} units on`;
  return monthsIn(billing_cycle.interval, billing_cycle.frequency);
}

/** @throws UpstreamError if there are several amounts, or one that cannot be represented exactly. */
function amountOf(price: Price, { code, decimals }: Currency): number | undefined {
  const inCurrency =
    price.unit_price.currency_code === code
      ? [price.unit_price]
      : price.unit_price_overrides.map(({ unit_price }) => unit_price);
  const [amount, another] = new Set(inCurrency.map(({ amount }) => amount));
  if (amount === undefined) return undefined;
  const label = shownId(price.id);
  if (another !== undefined) throw new UpstreamError(`${label} has several amounts in ${code}, by country`);
  const units = majorUnits(amount, decimals);
  if (units === undefined) throw new UpstreamError(`${label} has no amount that can be represented exactly`);
  return units;
}
