// Source `stripe`: the prices of listed plans, read with a restricted key. It asks for the products and lookup keys of the
// settings and for nothing else, so that what is private in Stripe does not even travel.
import { withDeadline } from "../../deadline.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Source, SourceContext } from "../../source.ts";
import { listPrices, type StripeRequest } from "./list.ts";
import { translatePlans } from "./plans.ts";
import type { Price } from "./price.ts";
import type { PlanSettings, StripeSettings } from "./settings.ts";

/** The shape of answers is that of this version, whichever one the vendor's account has. */
const VERSION = "2024-06-20";
/** As many lookup keys as Stripe takes in one request. */
const MOST_LOOKUPS = 10;

/** Prices by the id of the plan that they were asked for. */
type Found = ReadonlyMap<string, readonly Price[]>;

/** @throws Error when the key is missing or of the wrong kind, or releases are wanted. */
export function openStripe(settings: StripeSettings, { names, environment, standIns }: SourceContext): Source {
  if (names.some((name) => name !== "plans")) throw new Error("stripe knows plans and prices, no releases");
  const { authorization = "" } = secretHeaders({ authorization: `Bearer ${settings.key}` }, environment);
  refuseOtherKeys(settings.key, authorization.slice("Bearer ".length));
  const headers = { accept: "application/json", authorization, "stripe-version": VERSION };
  const { api, currency, timeout } = settings;
  return {
    kind: "stripe",
    names,
    fetch: ({ signal: stop }) =>
      withDeadline(timeout, stop, async (signal) => {
        try {
          return {
            upstream: await readPlans(settings.plans, { api, currency, headers, standIns, signal, deadline: timeout }),
          };
        } catch (error) {
          if (!signal.aborted || stop.aborted) throw error;
          throw new UpstreamError(`no whole answer within ${timeout / 1000} s`, { cause: error });
        }
      }),
    translate(upstream) {
      // The cast holds because nothing but its own fetch's answer is ever given to a source.
      const found = upstream as Found;
      return translatePlans(settings, (plan) => found.get(plan) ?? []);
    },
  };
}

function refuseOtherKeys(name: string, key: string): void {
  const variable = `the environment variable ${name.slice(1)}`;
  if (/^[a-z]+_test_/.test(key)) throw new Error(`${variable} has a key of test mode, whose prices nobody pays`);
  if (key.startsWith("pk_")) throw new Error(`${variable} has a publishable key, which cannot read prices`);
}

/** One plan after the other: Stripe counts requests. */
async function readPlans(plans: readonly PlanSettings[], request: StripeRequest): Promise<Found> {
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
  // Prices made for single customers are never active, and there can be thousands of them.
  if ("product" in plan)
    return [
      [
        ["product", plan.product],
        ["active", "true"],
      ],
    ];
  const keys = Object.values(plan.lookup).map((key): [string, string] => ["lookup_keys[]", key]);
  return Array.from({ length: Math.ceil(keys.length / MOST_LOOKUPS) }, (_, index) =>
    keys.slice(index * MOST_LOOKUPS, (index + 1) * MOST_LOOKUPS),
  );
}

function named(plan: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof UpstreamError ? error.withMessage(`plan "${plan}": ${error.message}`) : error;
  };
}
