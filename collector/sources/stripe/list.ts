// Prices as Stripe lists them: page after page, to the end or not at all. Half a list would be a guess.
import type { StripePage } from "./read.ts";
import { fetchFeed } from "../fetch-document.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { StandIns } from "../../http/stand-ins.ts";
import type { Price } from "./price.ts";

export interface StripeRequest {
  /** Base URL of the API. */
  api: string;
  /** Three letters; amounts in other currencies are left behind. */
  currency: string;
  headers: Record<string, string>;
  standIns?: StandIns | undefined;
  signal: AbortSignal;
  /** Milliseconds for each page. */
  deadline: number;
}

const PAGE = 100;
const MAX_PAGES = 20;

/** All prices that a query finds, each with its product and its amounts in other currencies. @throws UpstreamError */
export async function listPrices(query: [string, string][], request: StripeRequest): Promise<Price[]> {
  const found = new Map<string, Price>();
  let last: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data, has_more } = await readPage(
      last === undefined ? query : [...query, ["starting_after", last]],
      request,
    );
    const before = found.size;
    for (const price of data) found.set(price.id, price);
    if (!has_more) return [...found.values()];
    if (found.size === before) throw new UpstreamError("says that there are more prices, and gives none");
    last = data.at(-1)?.id;
  }
  throw new UpstreamError(`more than ${MAX_PAGES * PAGE} prices: name the ones to show by lookup`);
}

async function readPage(query: [string, string][], { api, currency, ...request }: StripeRequest): Promise<StripePage> {
  const url = new URL("v1/prices", api.endsWith("/") ? api : `${api}/`);
  url.search = new URLSearchParams([
    ["limit", String(PAGE)],
    ["expand[]", "data.product"],
    ["expand[]", "data.currency_options"],
    ...query,
  ]).toString();
  const wanted = { currency: currency.toLowerCase() };
  const fetched = await fetchFeed("stripe", url.href, { ...request, wanted }).catch(explain);
  if (fetched === "unchanged") throw new UpstreamError("answered 304 to a request without conditions");
  return fetched.feed;
}

const MEANINGS = new Map([
  [400, "is there such a product?"],
  [401, "is the key right?"],
  [403, "may the key read Products and Prices?"],
  [404, "is there such a product?"],
]);

function explain(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error;
  // With a pause it is no refusal, but a rate limit, whose message says so.
  const meaning = error.retryAfter === undefined ? MEANINGS.get(error.status ?? 0) : undefined;
  throw meaning === undefined ? error : error.withMessage(`answered ${error.status} (${meaning})`);
}
