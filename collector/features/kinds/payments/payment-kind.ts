// A kind of source for a payment provider reads offers, plain values, and offers.ts chooses among them. All of them share
// settings, one deadline for all requests, complete lists, and errors that name the plan.
import * as z from "zod";
import { BillingCycle } from "../../../../snapshots/schema.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { inTime, type FetchOptions } from "../../../http/fetch.ts";
import { requestTimeout, secretHeaders, secretName } from "../../../http/request.ts";
import { explain, type Hints } from "../explain.ts";
import { plansFrom, refusalOf, refusePlanMistakes, type Offer, type PricedPlan, type PricedPlans } from "../offers.ts";
import { ownSchedule } from "../../../setting-values.ts";
import { fetchDocument, sourceKind, type Read } from "../../../source.ts";

/** What a product is called. A price is published without it. */
export const words = z.string().max(10_000).nullish().catch(undefined);

/** The length of a trial in units. A price is published without it. */
export const trialLength = z.int().min(1).nullish().catch(undefined);
export const trialUnit = z.enum(["day", "week", "month", "year"]).nullish().catch(undefined);

/** The remark on a price with a trial: `with a trial of 14 days`. */
export function trialRemark(length: number | null | undefined, unit: string | null | undefined): string | undefined {
  return length && unit ? `with a trial of ${length} ${unit}${length === 1 ? "" : "s"}` : undefined;
}

export const currency = z
  .string()
  .regex(/^([A-Z]{3}|[a-z]{3})$/, "must be three letters such as USD")
  .describe("Currency of the prices, such as USD; published as written");

interface Provider<From extends string, Plan extends z.ZodType<PricedPlan>> {
  from: From;
  description: string;
  plan: Plan;
  /** The settings of a plan that name prices. */
  selections: PricedPlans["selections"];
  /** Descriptions of the settings `key`, after the first words, and `plans`. */
  key: string;
  plans: string;
  api: z.ZodType<string>;
  currency?: typeof currency;
  headers: Record<string, string>;
  /** Keys that cannot read prices, and the reason. */
  refusedKeys?: readonly [RegExp, string][];
  /** What to do about an answer of 400 or 404, and of 403. */
  missing: string;
  forbidden: string;
  /** Returns what finds the offers for a plan, possibly with some of other plans, during one fetch. @throws UpstreamError */
  offers(api: Api): OffersOf;
}

type OffersOf = (plan: PricedPlan) => Promise<readonly Offer[]>;

const MAX_PAGES = 20;

export function paymentKind<From extends string, Plan extends z.ZodType<PricedPlan>>(own: Provider<From, Plan>) {
  const { from, selections, missing, forbidden, refusedKeys = [] } = own;
  const hints = (about?: string) => {
    const unknown = `${about === undefined ? "" : ` for ${about}`} (${missing})`;
    return { 400: unknown, 401: " (is the key right?)", 403: ` (${forbidden})`, 404: unknown };
  };
  const settings = z
    .strictObject({
      from: z.literal(from),
      key: secretName.describe(`"$NAME", the environment variable with ${own.key}`),
      currency: own.currency ?? currency,
      cycles: z.array(BillingCycle).min(1).describe('The billing cycles to publish: `[{ "key": "monthly", … }]`'),
      plans: z.array(own.plan).min(1).max(100).describe(`${own.plans}: \`[{ "id": "pro", … }]\``),
      api: own.api.refine(
        (url) => !/\/(?:v1|prices)\/*$/.test(url),
        "must end before /v1 or /prices, which requests add",
      ),
      timeout: requestTimeout,
      schedule: ownSchedule,
    })
    .superRefine((settings, context) => refusePlanMistakes({ ...settings, selections }, context))
    .describe(own.description);
  return sourceKind({
    settings,
    open(settings, { names, environment, standIns }) {
      const { key, timeout: deadline } = settings;
      if (names.some((name) => name !== "plans"))
        throw new Error(`a source of kind "${from}" provides plans, not releases`);
      const headers = secretHeaders({ ...own.headers, authorization: `Bearer ${key}` }, environment);
      const variable = key.slice(1);
      const refused = refusedKeys.find(([pattern]) => pattern.test(environment[variable] ?? ""));
      if (refused) throw new Error(`the environment variable ${variable} has ${refused[1]}`);
      const request = { base: settings.api.replace(/\/?$/, "/"), headers, standIns, deadline };
      const currency = settings.currency.toUpperCase();
      return {
        kind: from,
        names,
        fetch: ({ signal }) =>
          inTime({ deadline, limit: "timeout", signal }, async (signal) => {
            const api = openApi({ ...request, signal }, { currency, hints, selection: selections[0] });
            return { upstream: await offersOfAll(settings, own.offers(api)) };
          }),
        // The cast holds because a source is only given the result of its own fetch.
        translate: (offers) => plansFrom({ ...settings, selections }, offers as ReadonlyMap<string, Offer[]>),
      };
    },
  });
}

/** Opens the API for one fetch. `hints`: what to do about an answer, by its status. `selection`: the setting that names single
 * prices. Both functions throw an UpstreamError. */
function openApi(
  { base, ...options }: FetchOptions & { base: string },
  { currency, hints, selection }: { currency: string; hints: (about?: string) => Hints; selection: string },
) {
  /** `about`: what the settings name, of which a refusal speaks. */
  async function get<Document>(read: Read<Document>, path: string, about?: string): Promise<Document> {
    const request = fetchDocument(read, new URL(path, base).href, options);
    const fetched = await request.catch((error: unknown) => explain(error, hints(about)));
    if (fetched === "unchanged") throw new TypeError("unchanged, though not asked with validators");
    return fetched.upstream;
  }
  /** Reads a list of prices page by page, completely or not at all: half a list would be a guess. `pathOf`: gets the number of
   * the page, from 1, and the id of the last price before it. */
  async function list<Price extends { id: string }>(
    read: Read<{ items: readonly Price[]; hasMore: boolean }>,
    pathOf: (page: number, last: string | undefined) => string,
    about?: string,
  ): Promise<Price[]> {
    const found = new Map<string, Price>();
    let last: string | undefined;
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { items, hasMore } = await get(read, pathOf(page, last), about);
      const before = found.size;
      for (const item of items) found.set(item.id, item);
      if (!hasMore) return [...found.values()];
      if (found.size === before) throw new UpstreamError("the list announces more prices, but has none");
      last = items.at(-1)?.id;
    }
    throw new UpstreamError(`more than ${found.size} prices: select the ones to publish with "${selection}"`);
  }
  return { currency, get, list };
}
export type Api = ReturnType<typeof openApi>;

/** Reads the offers of one plan at a time, because upstreams limit the request rate. */
async function offersOfAll({ plans, cycles }: Pick<PricedPlans, "plans" | "cycles">, read: OffersOf) {
  const found = new Map<string, readonly Offer[]>();
  for (const plan of plans) {
    if (plan.prices) continue;
    const offers = await read(plan).catch((error: unknown) => {
      throw refusalOf(plan, error, cycles);
    });
    found.set(plan.id, offers);
  }
  return found;
}
