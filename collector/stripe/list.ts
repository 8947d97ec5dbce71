// Prices as Stripe lists them: page after page, to the end or not at all. Half a list would be a guess.
import * as z from "zod";
import { fetchText } from "../fetch.ts";
import { UpstreamError } from "../source.ts";
import type { StandIns } from "../stand-ins.ts";

export interface StripeRequest {
  /** Base URL of the API. */
  api: string;
  headers: Record<string, string>;
  standIns?: StandIns | undefined;
  signal: AbortSignal;
  /** Milliseconds for each page. */
  deadline: number;
}

const PAGE = 100;
const MAX_PAGES = 20;

const Page = z.object({
  object: z.literal("list"),
  has_more: z.boolean(),
  data: z.array(z.looseObject({ id: z.string().min(1).max(255) })),
});
type Page = z.infer<typeof Page>;

/** All prices that a query finds, each with its product and its amounts in other currencies. @throws UpstreamError */
export async function listPrices(query: [string, string][], request: StripeRequest): Promise<unknown[]> {
  const found = new Map<string, unknown>();
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

async function readPage(query: [string, string][], { api, ...request }: StripeRequest): Promise<Page> {
  const url = new URL("v1/prices", api.endsWith("/") ? api : `${api}/`);
  url.search = new URLSearchParams([
    ["limit", String(PAGE)],
    ["expand[]", "data.product"],
    ["expand[]", "data.currency_options"],
    ...query,
  ]).toString();
  const fetched = await fetchText(url.href, request).catch(explain);
  if (fetched === "unchanged") throw new UpstreamError("answered 304 to a request without conditions");
  const checked = Page.safeParse(parse(fetched));
  if (!checked.success) throw new UpstreamError("the answer is not a list of prices");
  return checked.data;
}

const MEANINGS = new Map([
  [400, "is there such a product?"],
  [401, "is the key right?"],
  [403, "may the key read Products and Prices?"],
  [404, "is there such a product?"],
]);

function explain(error: unknown): never {
  const meaning = error instanceof UpstreamError && error.status !== undefined && MEANINGS.get(error.status);
  if (!meaning) throw error;
  throw new UpstreamError(`answered ${error.status} (${meaning})`, { cause: error });
}

function parse({ text, type, bytes }: { text: string; type: string; bytes: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UpstreamError(`not JSON: ${type}, ${bytes} bytes`, { cause: error });
  }
}
