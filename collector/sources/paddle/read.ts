// Paddle's lists of prices (https://developer.paddle.com/api-reference/prices/list-prices) and of currencies. Descriptions,
// `custom_data` and other private fields are not read, and amounts in other currencies are dropped.
import * as z from "zod";
import { MAX_BYTES } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { parseJson } from "../../parsing/json.ts";
import { shortText } from "../../parsing/shape.ts";
import { KIB, type DocumentReader } from "../fetch-document.ts";

const Money = z.object({ amount: shortText, currency_code: shortText });

const Price = z.object({
  id: z.string().min(1).max(255),
  product_id: shortText,
  status: shortText,
  type: shortText,
  billing_cycle: z.object({ interval: shortText, frequency: z.int().min(1) }).nullable(),
  unit_price: Money,
  // Prices for some countries, possibly in another currency.
  unit_price_overrides: z.array(z.object({ unit_price: Money })).max(500),
  quantity: z.object({ minimum: z.int() }),
  // Only an included product states whether it is archived.
  product: z.object({ status: shortText }),
});
export type Price = z.infer<typeof Price>;

export interface PricePage {
  prices: Price[];
  hasMore: boolean;
}

const Page = z.object({
  data: z.array(z.unknown()).max(1_000),
  meta: z.object({ pagination: z.object({ has_more: z.boolean() }) }),
});

/** `currency`: three letters, upper case. */
export const paddleReader: DocumentReader<PricePage, { currency: string }> = {
  name: "paddle",
  maxInPlace: 128 * KIB,
  maxBytes: MAX_BYTES,
  read(text, { currency }) {
    const checked = Page.safeParse(parseJson(text));
    if (!checked.success) throw new UpstreamError("the answer is not a list of prices");
    const { data, meta } = checked.data;
    return { prices: data.map((price) => readPrice(price, currency)), hasMore: meta.pagination.has_more };
  },
};

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
  return { ...checked.data, unit_price_overrides: inCurrency };
}

const Currencies = z.object({
  data: z.array(z.object({ code: shortText, decimal_places: z.int().min(0).max(4) })).max(500),
});

/** The decimals of a currency, as Paddle states them; undefined if Paddle does not have it. */
export const paddleCurrencyReader: DocumentReader<number | undefined, { currency: string }> = {
  name: "paddle-currencies",
  maxInPlace: 128 * KIB,
  maxBytes: MAX_BYTES,
  read(text, { currency }) {
    const checked = Currencies.safeParse(parseJson(text));
    if (!checked.success) throw new UpstreamError("the answer is not a list of currencies");
    return checked.data.data.find(({ code }) => code === currency)?.decimal_places;
  },
};
