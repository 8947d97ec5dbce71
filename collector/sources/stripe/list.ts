// Lists prices, each with its product.
import { fetchDocument } from "../fetch-document.ts";
import type { FetchOptions } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { explain, readPages } from "../../plans/plan-source.ts";
import type { Price } from "./price.ts";
import { stripeReader } from "./read.ts";
import { SELECTION } from "./settings.ts";

/** `api`: base URL. `currency`: three letters; amounts in others are dropped. The deadline is per page. */
export type StripeRequest = FetchOptions & { api: string; currency: string };

const PER_PAGE = 100;

/** All prices that match a query. @throws UpstreamError */
export function listPrices(query: [string, string][], request: StripeRequest): Promise<Price[]> {
  const read = async (_: number, last: string | undefined) => {
    const after: [string, string][] = last === undefined ? [] : [["starting_after", last]];
    const { data, has_more } = await readPage([...query, ...after], request);
    return { items: data, hasMore: has_more };
  };
  return readPages(read, { perPage: PER_PAGE, selection: SELECTION });
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
  const fetched = await fetchDocument(stripeReader, url.href, { ...request, selection }).catch((error: unknown) =>
    explain(error, HINTS),
  );
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
