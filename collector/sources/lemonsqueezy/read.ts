// Lemon Squeezy's prices of a variant, and a product with its store and variants (https://docs.lemonsqueezy.com/api).
// Names, descriptions, links and the store's revenue are not read.
import * as z from "zod";
import { MAX_BYTES, type TypedText } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { parseJson } from "../../parsing/json.ts";
import { shortText } from "../../parsing/shape.ts";
import { KIB, type DocumentReader } from "../fetch-document.ts";

const id = z.string().regex(/^\d{1,20}$/);

const Price = z.object({
  id,
  attributes: z.object({
    variant_id: z.int(),
    category: shortText,
    scheme: shortText,
    usage_aggregation: shortText.nullable(),
    unit_price: z.int().nullable(),
    renewal_interval_unit: shortText.nullable(),
    renewal_interval_quantity: z.int().min(1).nullable(),
    created_at: z.iso.datetime(),
  }),
});
export type Price = z.infer<typeof Price>;

const Resource = z.looseObject({ type: shortText, id });
const Variant = z.object({
  id,
  attributes: z.object({ product_id: z.int(), status: shortText, test_mode: z.boolean() }),
});
export type Variant = z.infer<typeof Variant>;

const Page = z.object({
  meta: z.object({ page: z.object({ currentPage: z.int(), lastPage: z.int() }) }),
  data: z.array(z.looseObject({ type: z.literal("prices") })).max(1_000),
  included: z.array(Resource).max(1_000).default([]),
});

export interface PricePage {
  prices: Price[];
  variants: Variant[];
  hasMore: boolean;
}

export const lemonSqueezyReader: DocumentReader<PricePage> = {
  name: "lemonsqueezy",
  maxInPlace: 128 * KIB,
  maxBytes: MAX_BYTES,
  read(text) {
    const { meta, data, included } = checked(Page, text, "a list of prices");
    return {
      prices: data.map((price) => readable(Price, price, "price")),
      variants: ofType(included, "variants").map((variant) => readable(Variant, variant, "variant")),
      hasMore: meta.page.currentPage < meta.page.lastPage,
    };
  },
};

const ProductDocument = z.object({
  data: z.object({
    type: z.literal("products"),
    attributes: z.object({ store_id: z.int(), status: shortText, test_mode: z.boolean() }),
  }),
  included: z.array(Resource).max(1_000),
});
const Store = z.object({ id, attributes: z.object({ currency: shortText }) });

export interface Product {
  status: string;
  test_mode: boolean;
  /** The currency of its store. */
  currency: string;
  hasSeveralVariants: boolean;
}

export const lemonSqueezyProductReader: DocumentReader<Product> = {
  name: "lemonsqueezy-product",
  maxInPlace: 128 * KIB,
  maxBytes: MAX_BYTES,
  read(text) {
    const { data, included } = checked(ProductDocument, text, "a product with its store");
    const { store_id, status, test_mode } = data.attributes;
    const store = ofType(included, "stores").find(({ id }) => id === String(store_id));
    if (!store) throw new UpstreamError("a product without its store");
    const { currency } = readable(Store, store, "store").attributes;
    return { status, test_mode, currency, hasSeveralVariants: ofType(included, "variants").length > 1 };
  },
};

function ofType<R extends { type: string }>(resources: R[], type: string): R[] {
  return resources.filter((resource) => resource.type === type);
}

function checked<T>(shape: z.ZodType<T>, text: TypedText, name: string): T {
  const result = shape.safeParse(parseJson(text));
  if (!result.success) throw new UpstreamError(`the answer is not ${name}`);
  return result.data;
}

/** @throws UpstreamError naming the first field that cannot be read. */
function readable<T>(shape: z.ZodType<T>, resource: unknown, name: string): T {
  const result = shape.safeParse(resource);
  if (result.success) return result.data;
  throw new UpstreamError(`a ${name} without a readable "${String(result.error.issues[0]?.path.at(-1) ?? "id")}"`);
}
