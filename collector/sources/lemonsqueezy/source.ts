// Source `lemonsqueezy`: the prices of the plans in the settings. It only requests their variants and products; the currency
// is that of the product's store.
import { fetchDocument, type DocumentReader } from "../fetch-document.ts";
import type { FetchOptions } from "../../http/fetch.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { explain, planSource, readEachPlan, readPages } from "../../plans/plan-source.ts";
import { translatePlans } from "../../plans/priced-plans.ts";
import type { Source, SourceContext } from "../../source.ts";
import { offerOf, type PricedVariant } from "./price.ts";
import { lemonSqueezyProductReader, lemonSqueezyReader, type Product, type Variant } from "./read.ts";
import { pricedPlans, SELECTION, type LemonSqueezySettings } from "./settings.ts";

const PER_PAGE = 100;

type Request = FetchOptions & { api: string };
type VariantsByPlan = ReadonlyMap<string, PricedVariant[]>;

/** @throws Error if the key is missing, or if the source is configured for releases. */
export function openLemonSqueezy(
  settings: LemonSqueezySettings,
  { names, environment, standIns }: SourceContext,
): Source {
  const { api, timeout, currency } = settings;
  const plans = pricedPlans(settings);
  const type = "application/vnd.api+json";
  const authorization = `Bearer ${settings.key}`;
  // Their documentation requires both types with every request.
  const headers = secretHeaders({ accept: type, "content-type": type, authorization }, environment);
  const priceIds = new Map(plans.map((plan) => [plan.id, Object.values(plan.priceIds ?? {})]));
  return planSource<VariantsByPlan>("lemonsqueezy", names, {
    timeout,
    read(signal) {
      const request = { api, headers, standIns, signal, deadline: timeout };
      const products = new Map<number, Product>();
      return readEachPlan(plans, ({ named = {} }) => readVariants(Object.values(named), products, request));
    },
    translate: (found) =>
      translatePlans({ ...settings, plans, selection: SELECTION }, ({ id }) =>
        (found.get(id) ?? []).map((variant) => offerOf(variant, priceIds.get(id) ?? [], currency.toUpperCase())),
      ),
  });
}

/** The variants that have a price. `products`: those that were read before. */
async function readVariants(
  ids: readonly string[],
  products: Map<number, Product>,
  request: Request,
): Promise<PricedVariant[]> {
  const found: PricedVariant[] = [];
  for (const id of new Set(ids)) {
    const { prices, variant } = await listPrices(id, request);
    if (prices.length === 0) continue;
    if (!variant) throw new UpstreamError("prices without their variant");
    const productId = variant.attributes.product_id;
    const path = `products/${productId}?include=store,variants`;
    const product = products.get(productId) ?? (await ask(lemonSqueezyProductReader, path, request));
    products.set(productId, product);
    found.push({ prices, variant, product });
  }
  return found;
}

async function listPrices(variantId: string, request: Request) {
  let variant: Variant | undefined;
  const read = async (page: number) => {
    const query = { "filter[variant_id]": variantId, include: "variant", "page[size]": String(PER_PAGE) };
    const search = new URLSearchParams({ ...query, "page[number]": String(page) });
    const { prices, variants, hasMore } = await ask(lemonSqueezyReader, `prices?${search}`, request);
    variant ??= variants.find(({ id }) => id === variantId);
    return { items: prices, hasMore };
  };
  const all = await readPages(read, { perPage: PER_PAGE, selection: SELECTION });
  return { variant, prices: all.filter(({ attributes }) => String(attributes.variant_id) === variantId) };
}

async function ask<Document>(
  reader: DocumentReader<Document>,
  path: string,
  { api, ...request }: Request,
): Promise<Document> {
  const url = new URL(`v1/${path}`, api.endsWith("/") ? api : `${api}/`);
  const fetched = await fetchDocument(reader, url.href, request).catch((error: unknown) => explain(error, HINTS));
  if (fetched === "unchanged") throw new UpstreamError("answered 304 to an unconditional request");
  return fetched.upstream;
}

/** Hints by status. */
const HINTS = new Map([
  [400, "does the variant exist?"],
  [401, "is the key right?"],
  [403, "may the key read the store?"],
  [404, "does the variant exist?"],
]);
