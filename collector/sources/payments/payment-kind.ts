// A kind of source for a payment provider: it reads offers, plain values, and collector/plans/ chooses among them. All of them
// share settings, one deadline for all requests, complete lists, and errors that name the plan.
import * as z from "zod";
import { BillingCycle } from "../../../snapshots/schema.ts";
import { withDeadline } from "../../http/deadline.ts";
import { UpstreamError } from "../../http/errors.ts";
import { MAX_BYTES, type FetchOptions, type TypedText } from "../../http/fetch.ts";
import { requestTimeout, secretHeaders, type Environment } from "../../http/request.ts";
import { parseJson } from "../../parsing/json.ts";
import { plansFrom, type Offer } from "../../plans/offers.ts";
import { refusePlanMistakes, type PricedPlan, type PricedPlans, type Selection } from "../../plans/plan-settings.ts";
import { ownSchedule } from "../../setting-values.ts";
import { sourceKind, type DocumentReader } from "../../source.ts";
import { fetchDocument } from "../fetch-document.ts";

export const currency = z
  .string()
  .regex(/^([A-Z]{3}|[a-z]{3})$/, "must be three letters such as USD")
  .describe("Currency of the prices, such as USD; published as written");

const apiKey = z
  .string()
  .regex(
    /^\$[A-Za-z_][A-Za-z0-9_]*$/,
    'must be "$NAME", the environment variable with the key; keys do not belong in this file',
  );

/** The settings of a payment provider. */
export function paymentSettings<From extends string, Plan extends z.ZodType<PricedPlan>>(own: {
  from: From;
  /** One of its plans. */
  plan: Plan;
  /** The setting of a plan that names prices. */
  selection: Selection;
  /** Descriptions of the settings `key`, after the first words, and `plans`. */
  key: string;
  plans: string;
  api: z.ZodType<string>;
  currency?: typeof currency;
}) {
  return z
    .strictObject({
      from: z.literal(own.from),
      key: apiKey.describe(`"$NAME", the environment variable with ${own.key}`),
      currency: own.currency ?? currency,
      cycles: z.array(BillingCycle).min(1).describe("The billing cycles to publish"),
      plans: z.array(own.plan).min(1).max(100).describe(own.plans),
      api: own.api,
      timeout: requestTimeout,
      schedule: ownSchedule,
    })
    .superRefine((settings, context) => refusePlanMistakes({ ...settings, selection: own.selection }, context));
}

interface PaymentSettings extends Omit<PricedPlans, "selection"> {
  from: string;
  key: string;
  api: string;
  timeout: number;
}

interface Provider<Settings extends z.ZodType<PaymentSettings>> {
  settings: Settings;
  selection: Selection;
  /** Headers of each request, beside `authorization`. */
  headers: Record<string, string>;
  /** Keys that cannot read prices, and the reason. */
  refusedKeys?: readonly [RegExp, string][];
  /** What to do about a refusal, by status. */
  hints: ReadonlyMap<number, string>;
  /** The offers for each plan, by its id, possibly with some of other plans. `currency`: three letters, upper case.
   * @throws UpstreamError */
  offers(
    plans: readonly PricedPlan[],
    request: ApiRequest & { currency: string },
  ): Promise<ReadonlyMap<string, readonly Offer[]>>;
}

export function paymentKind<Settings extends z.ZodType<PaymentSettings>>(provider: Provider<Settings>) {
  const { selection, hints, refusedKeys = [] } = provider;
  return sourceKind<Settings>({
    settings: provider.settings,
    open(settings, { names, environment, standIns }) {
      const { from, key, api, timeout, plans } = settings;
      if (names.some((name) => name !== "plans"))
        throw new Error(`a source of kind "${from}" provides plans, not releases`);
      const headers = secretHeaders({ ...provider.headers, authorization: `Bearer ${key}` }, environment);
      refuseKey(key.slice(1), environment, refusedKeys);
      return {
        kind: from,
        names,
        fetch: ({ signal: stop }) =>
          withDeadline(timeout, stop, async (signal) => {
            const currency = settings.currency.toUpperCase();
            const request = { api, headers, standIns, signal, deadline: timeout, hints, currency };
            try {
              return { upstream: await provider.offers(plans, request) };
            } catch (error) {
              if (!signal.aborted || stop.aborted) throw error;
              throw new UpstreamError(`no complete answer within ${timeout / 1000} s`, { cause: error });
            }
          }),
        // The cast holds because a source is only given the result of its own fetch.
        translate: (offers) => plansFrom({ ...settings, selection }, offers as ReadonlyMap<string, Offer[]>),
      };
    },
  });
}

/** @throws Error that names the variable of a key that cannot be used. */
function refuseKey(variable: string, environment: Environment, refused: readonly [RegExp, string][]): void {
  const reason = refused.find(([pattern]) => pattern.test(environment[variable] ?? ""))?.[1];
  if (reason !== undefined) throw new Error(`the environment variable ${variable} has ${reason}`);
}

/** Reads one plan at a time, because upstreams limit the request rate. The result is by the plan's id. */
export async function ofEachPlan<Found>(
  plans: readonly PricedPlan[],
  read: (plan: PricedPlan) => Promise<Found>,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  for (const plan of plans) {
    if (plan.prices) continue;
    const ofPlan = await read(plan).catch((error: unknown) => {
      throw error instanceof UpstreamError ? error.withMessage(`plan "${plan.id}": ${error.message}`) : error;
    });
    found.set(plan.id, ofPlan);
  }
  return found;
}

const MAX_PAGES = 20;

interface PageOf<Item> {
  items: readonly Item[];
  hasMore: boolean;
}

/** Reads a list of prices page by page, completely or not at all: half a list would be a guess. `read`: gets the number of
 * the page, from 1, and the id of the last price before it. @throws UpstreamError */
export async function readPages<Item extends { id: string }>(
  read: (page: number, last: string | undefined) => Promise<PageOf<Item>>,
  { perPage, selection }: { perPage: number; selection: Selection },
): Promise<Item[]> {
  const found = new Map<string, Item>();
  let last: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { items, hasMore } = await read(page, last);
    const before = found.size;
    for (const item of items) found.set(item.id, item);
    if (!hasMore) return [...found.values()];
    if (found.size === before) throw new UpstreamError("the list announces more prices, but has none");
    last = items.at(-1)?.id;
  }
  throw new UpstreamError(`more than ${MAX_PAGES * perPage} prices: select the ones to publish with "${selection}"`);
}

/** How an upstream's API is asked. The deadline is for one answer. */
export interface ApiRequest extends Omit<FetchOptions, "validators"> {
  /** Base URL. */
  api: string;
  /** What to do about a refusal, by status. */
  hints: ReadonlyMap<number, string>;
}

/** The document at a path under the API's base URL. @throws UpstreamError */
export async function ask<Document>(
  reader: DocumentReader<Document>,
  path: string,
  { api, hints, ...request }: ApiRequest,
): Promise<Document> {
  const url = new URL(path, api.endsWith("/") ? api : `${api}/`);
  const fetched = await fetchDocument(reader, url.href, request).catch((error: unknown) => explain(error, hints));
  if (fetched === "unchanged") throw new UpstreamError("answered 304 to an unconditional request");
  return fetched.upstream;
}

/** Adds a hint to a refusal. */
function explain(error: unknown, hints: ReadonlyMap<number, string>): never {
  if (!(error instanceof UpstreamError)) throw error;
  // A refusal with a pause is a rate limit, and its message is already clear.
  const hint = error.retryAfterMs === undefined ? hints.get(error.status ?? 0) : undefined;
  throw hint === undefined ? error : error.withMessage(`answered ${error.status} (${hint})`);
}

/** A reader of answers of this shape. `expected`: the answer, in words. @throws UpstreamError from `read` */
export function jsonReader<Answer, Document>(
  [shape, expected]: [z.ZodType<Answer>, string],
  read: (answer: Answer) => Document,
): DocumentReader<Document> {
  return {
    maxBytes: MAX_BYTES,
    read(text: TypedText) {
      const checked = shape.safeParse(parseJson(text));
      if (!checked.success) throw new UpstreamError(`the answer is not ${expected}`);
      return read(checked.data);
    },
  };
}

/** An object of an answer. `noun`: such as `a price`; `hints`: what to do about a field that is not readable, by its name.
 * @throws UpstreamError naming the first field that cannot be read. */
export function readable<T>(shape: z.ZodType<T>, value: unknown, noun: string, hints: Record<string, string> = {}): T {
  const checked = shape.safeParse(value);
  if (checked.success) return checked.data;
  // JSON:API has all fields but the id under this name.
  const field = String(checked.error.issues[0]?.path.find((step) => step !== "attributes") ?? "id");
  const hint = Object.hasOwn(hints, field) ? ` (${hints[field]})` : "";
  throw new UpstreamError(`${noun} without a readable "${field}"${hint}`);
}
