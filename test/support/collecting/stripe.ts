// A Stripe stand-in: lists prices as Stripe does, with queries, pages and products, and requires the key.
import type { Candidate } from "../../../collector/source.ts";
import { collectPlans, CYCLES, openPlans, planCandidate } from "./plan-source.ts";
import { json, startUpstream, status, type Behaviour } from "./upstream.ts";

export const KEY = "rk_live_xyzzy0123456789";

export { CYCLES };

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
    const data = found.slice(start, end);
    json({ object: "list", url: "/v1/prices", has_more: end < found.length, data })(request, response);
  };
}

const PRO = { id: "pro", product: "prod_pro" };

/** Starts a Stripe with these prices or this behaviour. Its settings publish `prod_pro` unless replaced. */
export async function startStripe(answer: readonly StripePrice[] | Behaviour, settings: object = {}) {
  const upstream = await startUpstream();
  upstream.set("/v1/prices", typeof answer === "function" ? answer : listing(answer));
  if (typeof answer !== "function") for (const price of answer) upstream.set(`/v1/prices/${price.id}`, json(price));
  const given = { currency: "USD", cycles: CYCLES, plans: [PRO], api: upstream.origin, ...settings };
  return { upstream, settings: { from: "stripe", key: "$STRIPE_KEY", timeout: "20s", ...given } };
}

/** Collects once. Returns the outcome, all text that was written or reported, and the requested paths. */
export async function collectStripe(answer: readonly StripePrice[] | Behaviour, wanted: object = {}) {
  const { upstream, settings } = await startStripe(answer, wanted);
  return collectPlans(upstream, settings, { STRIPE_KEY: KEY });
}

/** The source's candidate: its payload, and the prices that it picked and skipped. @throws UpstreamError */
export async function candidate(answer: readonly StripePrice[], wanted: object = {}): Promise<Candidate> {
  const { settings } = await startStripe(answer, wanted);
  return planCandidate(settings, { STRIPE_KEY: KEY });
}

/** Opens a source of plans with these settings, and files for the releases. @throws SettingsProblems, ZodError */
export function open(settings: unknown, directory: string, environment: Record<string, string> = { STRIPE_KEY: KEY }) {
  return openPlans(settings, directory, environment);
}
