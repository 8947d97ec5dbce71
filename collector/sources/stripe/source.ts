// Source `stripe`: the prices of the plans in the settings, read with a restricted key. It only requests the products and
// lookup keys in the settings, so that private data does not leave Stripe.
import { secretHeaders } from "../../http/secrets.ts";
import type { PricedPlan } from "../../plans/plan-settings.ts";
import { planSource, readEachPlan } from "../../plans/plan-source.ts";
import { shownId, translatePlans, type Offer } from "../../plans/priced-plans.ts";
import type { Source, SourceContext } from "../../source.ts";
import { listPrices, type StripeRequest } from "./list.ts";
import { amountOf, monthsOf, type Price } from "./price.ts";
import { pricedPlans, SELECTION, type StripeSettings } from "./settings.ts";

/** Determines the shape of responses, regardless of the account's default version. */
const API_VERSION = "2024-06-20";
/** Stripe's limit of lookup keys per request. */
const MAX_LOOKUPS = 10;

/** @throws Error if the key is missing or of the wrong kind, or if the source is configured for releases. */
export function openStripe(settings: StripeSettings, { names, environment, standIns }: SourceContext): Source {
  const { api, currency, timeout } = settings;
  const plans = pricedPlans(settings);
  const headers = requestHeaders(settings.key, environment);
  return planSource<ReadonlyMap<string, Price[]>>("stripe", names, {
    timeout,
    read: (signal) => {
      const request = { api, currency, headers, standIns, signal, deadline: timeout };
      return readEachPlan(plans, (plan) => readPrices(plan, request));
    },
    translate: (found) =>
      translatePlans({ ...settings, plans, selection: SELECTION }, ({ id }) =>
        (found.get(id) ?? []).map((price) => offerOf(price, currency.toUpperCase())),
      ),
  });
}

function requestHeaders(name: string, environment: SourceContext["environment"]): Record<string, string> {
  const { authorization = "" } = secretHeaders({ authorization: `Bearer ${name}` }, environment);
  const key = authorization.slice("Bearer ".length);
  const variable = `the environment variable ${name.slice(1)}`;
  if (/^[a-z]+_test_/.test(key)) throw new Error(`${variable} has a test mode key; use a live key`);
  if (key.startsWith("pk_")) throw new Error(`${variable} has a publishable key, which cannot read prices`);
  return { accept: "application/json", authorization, "stripe-version": API_VERSION };
}

async function readPrices(plan: PricedPlan, request: StripeRequest): Promise<Price[]> {
  const prices = new Map<string, Price>();
  for (const query of queries(plan)) {
    for (const price of await listPrices(query, request)) prices.set(price.id, price);
  }
  return [...prices.values()];
}

function queries({ product, named = {} }: PricedPlan): [string, string][][] {
  // Only active prices: there can be thousands of inactive ones, made for single customers.
  if (product !== undefined) return [Object.entries({ product, active: "true" })];
  const keys = Object.values(named).map((key): [string, string] => ["lookup_keys[]", key]);
  return Array.from({ length: Math.ceil(keys.length / MAX_LOOKUPS) }, (_, index) =>
    keys.slice(index * MAX_LOOKUPS, (index + 1) * MAX_LOOKUPS),
  );
}

function offerOf(price: Price, currency: string): Offer {
  return {
    label: shownId(price.id),
    product: price.product.id,
    name: price.lookup_key,
    months: monthsOf(price),
    amount: () => amountOf(price, currency),
  };
}
