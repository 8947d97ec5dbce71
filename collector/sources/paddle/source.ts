// Source `paddle`: the prices of the plans in the settings, from Paddle Billing. It only requests the products and prices in
// the settings, and the decimals of the currency, which Paddle asks not to assume.
import { fetchDocument, type DocumentReader } from "../fetch-document.ts";
import type { FetchOptions } from "../../http/fetch.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { PricedPlan } from "../../plans/plan-settings.ts";
import { explain, planSource, readEachPlan, readPages } from "../../plans/plan-source.ts";
import { translatePlans } from "../../plans/priced-plans.ts";
import type { Source, SourceContext } from "../../source.ts";
import { offerOf } from "./price.ts";
import { paddleCurrencyReader, paddleReader, type Price } from "./read.ts";
import { pricedPlans, SELECTION, type PaddleSettings } from "./settings.ts";

const PER_PAGE = 200;

type Request = FetchOptions & { api: string; selection: { currency: string } };
type Found = { decimals: number; prices: ReadonlyMap<string, Price[]> };

/** @throws Error if the key is missing or of the wrong kind, or if the source is configured for releases. */
export function openPaddle(settings: PaddleSettings, { names, environment, standIns }: SourceContext): Source {
  const { api, timeout } = settings;
  const plans = pricedPlans(settings);
  const code = settings.currency.toUpperCase();
  const headers = requestHeaders(settings.key, environment);
  return planSource<Found>("paddle", names, {
    timeout,
    async read(signal) {
      const request = { api, headers, standIns, signal, deadline: timeout, selection: { currency: code } };
      const prices = await readEachPlan(plans, (plan) => listPrices(plan, request));
      const decimals = await ask(paddleCurrencyReader, "currencies", request);
      if (decimals === undefined) throw new UpstreamError(`Paddle has no currency ${code}`);
      return { decimals, prices };
    },
    translate: ({ decimals, prices }) =>
      translatePlans({ ...settings, plans, selection: SELECTION }, ({ id }) =>
        (prices.get(id) ?? []).map((price) => offerOf(price, { code, decimals })),
      ),
  });
}

function requestHeaders(name: string, environment: SourceContext["environment"]): Record<string, string> {
  const { authorization = "" } = secretHeaders({ authorization: `Bearer ${name}` }, environment);
  const key = authorization.slice("Bearer ".length);
  const variable = `the environment variable ${name.slice(1)}`;
  // Keys from before May 2025 have no prefix; Paddle refuses those of the sandbox with 403.
  if (key.startsWith("pdl_sdbx_")) throw new Error(`${variable} has a sandbox key; use a live key`);
  if (/^(test|live)_/.test(key)) throw new Error(`${variable} has a client-side token, which cannot read prices`);
  return { accept: "application/json", "paddle-version": "1", authorization };
}

/** All prices of the plan's product, or those named in the settings. Pages are requested by their `after`, because a link
 * from the answer could lead the key elsewhere. */
async function listPrices({ product, named = {} }: PricedPlan, request: Request): Promise<Price[]> {
  const wanted: Record<string, string> =
    product === undefined
      ? { id: [...new Set(Object.values(named))].join(","), status: "active,archived" }
      : { product_id: product, status: "active" };
  const read = async (_: number, after: string | undefined) => {
    const query = { ...wanted, include: "product", per_page: String(PER_PAGE), ...(after !== undefined && { after }) };
    const { prices, hasMore } = await ask(paddleReader, `prices?${new URLSearchParams(query)}`, request);
    return { items: prices, hasMore };
  };
  return readPages(read, { perPage: PER_PAGE, selection: SELECTION });
}

async function ask<Document>(
  reader: DocumentReader<Document, Request["selection"]>,
  path: string,
  { api, ...request }: Request,
): Promise<Document> {
  const url = new URL(path, api.endsWith("/") ? api : `${api}/`);
  const fetched = await fetchDocument(reader, url.href, request).catch((error: unknown) => explain(error, HINTS));
  if (fetched === "unchanged") throw new UpstreamError("answered 304 to an unconditional request");
  return fetched.upstream;
}

/** Hints by status. Paddle answers 403 to an unknown key, too. */
const HINTS = new Map([
  [400, "does the product or price exist?"],
  [401, "is the key right?"],
  [403, "is the key a live one, and may it read prices and products?"],
  [404, "does the product or price exist?"],
]);
