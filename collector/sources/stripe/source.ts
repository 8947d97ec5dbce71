// Source `stripe`: the prices of the plans in the settings, read with a restricted key. It only requests the products and
// lookup keys in the settings, so that private data does not leave Stripe.
import { withDeadline } from "../../deadline.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Source, SourceContext } from "../../source.ts";
import { listPrices, type StripeRequest } from "./list.ts";
import { translatePlans } from "./plans.ts";
import type { Price } from "./price.ts";
import type { PlanSettings, StripeSettings } from "./settings.ts";

/** Determines the shape of responses, regardless of the account's default version. */
const API_VERSION = "2024-06-20";
/** Stripe's limit of lookup keys per request. */
const MAX_LOOKUPS = 10;

type PricesByPlan = ReadonlyMap<string, readonly Price[]>;

/** @throws Error if the key is missing or of the wrong kind, or if the source is configured for releases. */
export function openStripe(settings: StripeSettings, { names, environment, standIns }: SourceContext): Source {
  if (names.some((name) => name !== "plans")) throw new Error('a source of kind "stripe" has plans, no releases');
  const { authorization = "" } = secretHeaders({ authorization: `Bearer ${settings.key}` }, environment);
  refuseOtherKeys(settings.key, authorization.slice("Bearer ".length));
  const headers = { accept: "application/json", authorization, "stripe-version": API_VERSION };
  const { api, currency, timeout } = settings;
  return {
    kind: "stripe",
    names,
    fetch: ({ signal: stop }) =>
      withDeadline(timeout, stop, async (signal) => {
        try {
          const request = { api, currency, headers, standIns, signal, deadline: timeout };
          return { upstream: await readPlans(settings.plans, request) };
        } catch (error) {
          if (!signal.aborted || stop.aborted) throw error;
          throw new UpstreamError(`no complete answer within ${timeout / 1000} s`, { cause: error });
        }
      }),
    translate(upstream) {
      // The cast holds because a source is only given the result of its own fetch.
      const found = upstream as PricesByPlan;
      return translatePlans(settings, (plan) => found.get(plan) ?? []);
    },
  };
}

function refuseOtherKeys(name: string, key: string): void {
  const variable = `the environment variable ${name.slice(1)}`;
  if (/^[a-z]+_test_/.test(key)) throw new Error(`${variable} has a test mode key; use a live key`);
  if (key.startsWith("pk_")) throw new Error(`${variable} has a publishable key, which cannot read prices`);
}

/** One plan at a time, because Stripe limits the request rate. */
async function readPlans(plans: readonly PlanSettings[], request: StripeRequest): Promise<PricesByPlan> {
  const found = new Map<string, Price[]>();
  for (const plan of plans) {
    const prices = new Map<string, Price>();
    for (const query of queries(plan)) {
      for (const price of await listPrices(query, request).catch(named(plan.id))) prices.set(price.id, price);
    }
    found.set(plan.id, [...prices.values()]);
  }
  return found;
}

function queries(plan: PlanSettings): [string, string][][] {
  if ("prices" in plan) return [];
  // Only active prices: there can be thousands of inactive ones, made for single customers.
  if ("product" in plan) return [Object.entries({ product: plan.product, active: "true" })];
  const keys = Object.values(plan.lookup).map((key): [string, string] => ["lookup_keys[]", key]);
  return Array.from({ length: Math.ceil(keys.length / MAX_LOOKUPS) }, (_, index) =>
    keys.slice(index * MAX_LOOKUPS, (index + 1) * MAX_LOOKUPS),
  );
}

function named(plan: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof UpstreamError ? error.withMessage(`plan "${plan}": ${error.message}`) : error;
  };
}
