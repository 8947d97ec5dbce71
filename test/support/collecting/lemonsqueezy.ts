// A Lemon Squeezy stand-in: lists the prices of a variant with pages, newest first, and a product with its store.
import { json, status, type Behaviour } from "./upstream.ts";

export const KEY = "eyJ0eXAi.xyzzy0123456789";

export interface LemonPrice {
  type: string;
  id: string;
  attributes: Record<string, unknown> & { variant_id: number; created_at: string };
}

/** A standard subscription of variant 11, 19.99 per month, in which these attributes replace its own. */
export function price(id: string, attributes: object = {}): LemonPrice {
  return {
    type: "prices",
    id,
    attributes: {
      variant_id: 11,
      category: "subscription",
      scheme: "standard",
      usage_aggregation: null,
      unit_price: 1999,
      unit_price_decimal: null,
      setup_fee_enabled: false,
      setup_fee: null,
      package_size: 1,
      tiers: null,
      renewal_interval_unit: "month",
      renewal_interval_quantity: 1,
      trial_interval_unit: null,
      trial_interval_quantity: null,
      min_price: null,
      suggested_price: null,
      tax_code: "xyzzy-code",
      created_at: "2026-05-24T14:15:06.000000Z",
      updated_at: "2026-06-24T14:44:38.000000Z",
      ...attributes,
    },
  };
}

/** Of variant 12. */
export const yearly = (id: string, attributes: object = {}) =>
  price(id, { variant_id: 12, renewal_interval_unit: "year", unit_price: 19900, ...attributes });

export const variant = (id: number, attributes: object = {}) => ({
  type: "variants",
  id: String(id),
  attributes: {
    product_id: 5,
    name: "xyzzy-name",
    description: "<p>xyzzy-description</p>",
    status: "published",
    test_mode: false,
    ...attributes,
  },
});

/** The document of product 5 with its store and variants. */
export const product = (attributes: object = {}, { currency = "USD", variants = [variant(11), variant(12)] } = {}) => ({
  data: {
    type: "products",
    id: "5",
    attributes: { store_id: 1, name: "Notes", status: "published", test_mode: false, ...attributes },
  },
  included: [
    { type: "stores", id: "2", attributes: { currency: "EUR" } },
    { type: "stores", id: "1", attributes: { name: "xyzzy-store", currency, total_revenue: 123400 } },
    ...variants,
  ],
});

export const page = (data: unknown, included: unknown[], currentPage = 1, lastPage = 1) => ({
  meta: { page: { currentPage, from: 1, lastPage, perPage: 100, to: 1, total: 1 } },
  jsonapi: { version: "1.0" },
  links: { next: "https://elsewhere.example/v1/prices" },
  data,
  included,
});

/** `GET /v1/prices` over these prices: `filter[variant_id]`, `page[number]`, `page[size]`. `attributes`: of the variants. */
export function listing(prices: readonly LemonPrice[], attributes: object = {}): Behaviour {
  return (request, response) => {
    if (request.headers.authorization !== `Bearer ${KEY}`) return status(401)(request, response);
    const { searchParams: query } = new URL(request.url ?? "", "http://lemon");
    const id = Number(query.get("filter[variant_id]"));
    const found = prices.filter(({ attributes }) => attributes.variant_id === id);
    found.sort((a, b) => b.attributes.created_at.localeCompare(a.attributes.created_at));
    const [number, size] = [Number(query.get("page[number]") ?? 1), Number(query.get("page[size]") ?? 10)];
    const data = found.slice((number - 1) * size, number * size);
    const lastPage = Math.max(1, Math.ceil(found.length / size));
    json(page(data, [variant(id, attributes)], number, lastPage))(request, response);
  };
}
