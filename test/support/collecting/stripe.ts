// A Stripe stand-in: lists prices as Stripe does, with queries, pages and products, and requires the key.
import { json, status, type Behaviour } from "./upstream.ts";

export const KEY = "rk_live_xyzzy0123456789";

export type StripePrice = Record<string, unknown> & { id: string };

/** A live price of `prod_pro`, 19.99 USD per month, in which these fields replace its own. */
export function price(id: string, fields: object = {}): StripePrice {
  return {
    id,
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: 1_790_000_000,
    currency: "usd",
    custom_unit_amount: null,
    livemode: true,
    lookup_key: null,
    metadata: { internal: "xyzzy-metadata" },
    nickname: "xyzzy-nickname",
    product: product("prod_pro"),
    recurring: every("month"),
    tax_behavior: "exclusive",
    tiers_mode: null,
    transform_quantity: null,
    type: "recurring",
    unit_amount: 1999,
    unit_amount_decimal: "1999",
    ...fields,
  };
}

export function product(id: string, fields: object = {}): object {
  const metadata = { margin: "xyzzy-margin" };
  return { id, object: "product", active: true, livemode: true, name: "Notes", metadata, ...fields };
}

export function every(interval: string, interval_count = 1, fields: object = {}): object {
  return { interval, interval_count, meter: null, trial_period_days: null, usage_type: "licensed", ...fields };
}

export const yearly = (id: string, fields: object = {}) =>
  price(id, { recurring: every("year"), unit_amount: 19900, unit_amount_decimal: "19900", ...fields });

/** Fields of a price in minor units. */
export const costs = (unit_amount_decimal: string | null, unit_amount: number | null = null) => ({
  unit_amount,
  unit_amount_decimal,
});

export const page = (data: unknown, has_more = false) => ({ object: "list", url: "/v1/prices", has_more, data });

/** `GET /v1/prices` over these prices: `limit`, `product`, `lookup_keys[]`, `active`, `starting_after`. */
export function listing(prices: readonly StripePrice[], most = 100): Behaviour {
  return (request, response) => {
    if (request.headers.authorization !== `Bearer ${KEY}`) return status(401)(request, response);
    const { searchParams: query } = new URL(request.url ?? "", "http://stripe");
    const found = prices.filter(
      ({ product, lookup_key, active }) =>
        (!query.has("product") || Object(product).id === query.get("product")) &&
        (!query.has("lookup_keys[]") || query.getAll("lookup_keys[]").includes(String(lookup_key))) &&
        (!query.has("active") || String(active) === query.get("active")),
    );
    const start = found.findIndex(({ id }) => id === query.get("starting_after")) + 1;
    const end = start + Math.min(most, Number(query.get("limit") ?? 10));
    json(page(found.slice(start, end), end < found.length))(request, response);
  };
}
