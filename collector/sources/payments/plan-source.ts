// The parts that all sources of plans with prices share: one deadline for all requests, complete lists, and errors that
// name the plan.
import { withDeadline } from "../../http/deadline.ts";
import { UpstreamError } from "../../http/errors.ts";
import type { FetchOptions } from "../../http/fetch.ts";
import type { PricedPlan } from "../../plans/plan-settings.ts";
import type { Candidate, DocumentReader, Source, SourceContext } from "../../source.ts";
import { fetchDocument } from "../fetch-document.ts";

interface Reading<Found> {
  /** Time for all requests, in ms. */
  timeout: number;
  read: (signal: AbortSignal) => Promise<Found>;
  translate: (found: Found) => Candidate;
}

/** @throws Error if the source is configured for releases. */
export function planSource<Found>(
  kind: string,
  names: SourceContext["names"],
  { timeout, read, translate }: Reading<Found>,
): Source {
  if (names.some((name) => name !== "plans"))
    throw new Error(`a source of kind "${kind}" provides plans, not releases`);
  return {
    kind,
    names,
    fetch: ({ signal: stop }) =>
      withDeadline(timeout, stop, async (signal) => {
        try {
          return { upstream: await read(signal) };
        } catch (error) {
          if (!signal.aborted || stop.aborted) throw error;
          throw new UpstreamError(`no complete answer within ${timeout / 1000} s`, { cause: error });
        }
      }),
    // The cast holds because a source is only given the result of its own fetch.
    translate: (upstream) => translate(upstream as Found),
  };
}

/** Reads one plan at a time, because upstreams limit the request rate. The result is by the plan's id. */
export async function readEachPlan<Found>(
  plans: readonly PricedPlan[],
  read: (plan: PricedPlan) => Promise<Found>,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  for (const plan of plans) {
    if (plan.prices) continue;
    const prices = await read(plan).catch((error: unknown) => {
      throw error instanceof UpstreamError ? error.withMessage(`plan "${plan.id}": ${error.message}`) : error;
    });
    found.set(plan.id, prices);
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
  { perPage, selection }: { perPage: number; selection: string },
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
export interface ApiRequest<Selection = undefined> extends Omit<FetchOptions, "validators"> {
  /** Base URL. */
  api: string;
  selection?: Selection;
  /** What to do about a refusal, by status. */
  hints: ReadonlyMap<number, string>;
}

/** The document at a path under the API's base URL. @throws UpstreamError */
export async function ask<Document, Selection>(
  reader: DocumentReader<Document, Selection>,
  path: string,
  { api, hints, ...request }: ApiRequest<Selection>,
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
