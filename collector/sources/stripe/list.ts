// Lists prices page by page, completely or not at all: half a list would be a guess.
import { fetchDocument } from "../fetch-document.ts";
import type { FetchOptions } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Price } from "./price.ts";
import { stripeReader } from "./read.ts";

/** `api`: base URL. `currency`: three letters; amounts in others are dropped. The deadline is per page. */
export type StripeRequest = FetchOptions & { api: string; currency: string };

const PER_PAGE = 100;
const MAX_PAGES = 20;

/** All prices that match a query, each with its product. @throws UpstreamError */
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
    if (found.size === before) throw new UpstreamError("the list announces more prices, but has none");
    last = data.at(-1)?.id;
  }
  throw new UpstreamError(`more than ${MAX_PAGES * PER_PAGE} prices: select the ones to publish with "lookup"`);
}

async function readPage(query: [string, string][], { api, currency, ...request }: StripeRequest) {
  const url = new URL("v1/prices", api.endsWith("/") ? api : `${api}/`);
  url.search = new URLSearchParams([
    ["limit", String(PER_PAGE)],
    ["expand[]", "data.product"],
    ["expand[]", "data.currency_options"],
    ...query,
  ]).toString();
  const selection = { currency: currency.toLowerCase() };
  const fetched = await fetchDocument(stripeReader, url.href, { ...request, selection }).catch(explain);
  if (fetched === "unchanged") throw new UpstreamError("answered 304 to an unconditional request");
  return fetched.upstream;
}

/** Hints by status. */
const HINTS = new Map([
  [400, "does the product exist?"],
  [401, "is the key right?"],
  [403, "may the key read Products and Prices?"],
  [404, "does the product exist?"],
]);

function explain(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error;
  // A refusal with a pause is a rate limit, and its message is already clear.
  const hint = error.retryAfterMs === undefined ? HINTS.get(error.status ?? 0) : undefined;
  throw hint === undefined ? error : error.withMessage(`answered ${error.status} (${hint})`);
}
