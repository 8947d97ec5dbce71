// A Paddle stand-in: lists prices as Paddle does, with queries and pages, and requires the key.
import { json, status, type Behaviour } from "./upstream.ts";

export const KEY = "pdl_live_apikey_xyzzy0123456789";

export type PaddlePrice = Record<string, unknown> & { id: string };

/** An active price of `pro_notes`, 19.99 USD per month, in which these fields replace its own. */
export function price(id: string, fields: object = {}): PaddlePrice {
  return {
    id,
    product_id: "pro_notes",
    description: "xyzzy-description",
    type: "standard",
    name: "xyzzy-name",
    billing_cycle: every("month"),
    trial_period: null,
    tax_mode: "account_setting",
    unit_price: costs("1999"),
    unit_price_overrides: [],
    quantity: { minimum: 1, maximum: 100 },
    status: "active",
    custom_data: { margin: "xyzzy-margin" },
    import_meta: null,
    created_at: "2026-02-23T12:43:46.605Z",
    updated_at: "2026-04-05T15:53:44.687Z",
    product: product(),
    ...fields,
  };
}

export const yearly = (id: string, fields: object = {}) =>
  price(id, { billing_cycle: every("year"), unit_price: costs("19900"), ...fields });

export const every = (interval: string, frequency = 1) => ({ interval, frequency });
export const costs = (amount: string, currency_code = "USD") => ({ amount, currency_code });
export const product = (fields: object = {}) => ({
  id: "pro_notes",
  name: "Notes",
  status: "active",
  custom_data: { internal: "xyzzy-internal" },
  ...fields,
});

/** A page of a list. Paddle always states `next`, even on the last page. */
export const page = (data: unknown, has_more = false, next = "https://elsewhere.example/prices?after=x") => ({
  data,
  meta: { request_id: "xyzzy", pagination: { per_page: 200, next, has_more, estimated_total: 1 } },
});

/** `GET /prices` over these prices: `id`, `product_id`, `status`, `after`, `per_page`. */
export function listing(prices: readonly PaddlePrice[], most = 200): Behaviour {
  return (request, response) => {
    if (request.headers.authorization !== `Bearer ${KEY}`) return status(403)(request, response);
    const { searchParams: query } = new URL(request.url ?? "", "http://paddle");
    const isIn = (name: string, value: unknown, otherwise = "") =>
      (query.get(name) ?? otherwise).split(",").includes(String(value)) || (!query.has(name) && otherwise === "");
    const found = prices.filter(
      ({ id, product_id, status }) =>
        isIn("id", id) && isIn("product_id", product_id) && isIn("status", status, "active"),
    );
    const start = found.findIndex(({ id }) => id === query.get("after")) + 1;
    const end = start + Math.min(most, Number(query.get("per_page") ?? 50));
    json(page(found.slice(start, end), end < found.length))(request, response);
  };
}

/** The countries in which Paddle charges these currencies; it states none for the others. */
const COUNTRIES: Record<string, string[]> = { USD: ["US", "EC", "AE"], EUR: ["AT", "BG", "DE"], JPY: ["JP"] };

export const CURRENCIES = {
  data: Object.entries({ USD: 2, EUR: 2, JPY: 0, KRW: 0, CLP: 0, HUF: 2, KWD: 3 }).map(([code, decimal_places]) => ({
    code,
    name: "xyzzy",
    decimal_places,
    can_be_balance: false,
    applicable_countries: COUNTRIES[code] ?? [],
    minimum_payment_amount: "70",
  })),
};
