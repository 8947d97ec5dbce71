// Source `lemonsqueezy`: the prices of the plans in the settings. It only requests their variants and products; the currency
// is that of the product's store.
import * as z from "zod";
import { UpstreamError } from "../../../http/errors.ts";
import { upstreamUrl } from "../../../http/request.ts";
import { htmlText } from "../html.ts";
import { jsonReader, listOf, shortText } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { amountIn, byCycle, fixedPlan, monthsIn, planFields, type Offer } from "../offers.ts";
import { attempt } from "../../../../snapshots/rules.ts";
import { currency, paymentKind, trialLength, trialRemark, trialUnit, words, type Api } from "./payment-kind.ts";

const numericId = z.string().regex(/^\d{1,20}$/, 'must be an id such as "123456"');

const ByVariants = z.strictObject({
  ...planFields,
  variants: byCycle(numericId).describe(
    'The id of a variant for each cycle, whose newest price counts: `{ "monthly": "123456" }`',
  ),
  priceIds: byCycle(numericId)
    .optional()
    .describe("The id of a price for a cycle, if several prices of its variant are equally new"),
});

function hasCents(currency: string): boolean {
  if (!/^[A-Za-z]{3}$/.test(currency)) return true; // reported already
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits === 2;
}

/** One price (https://docs.lemonsqueezy.com/api). Links and the store's revenue are not read. */
const VariantPrice = z.object({
  type: z.literal("prices"),
  id: numericId,
  attributes: z.object({
    variant_id: z.int(),
    category: shortText,
    scheme: shortText,
    usage_aggregation: shortText.nullable(),
    unit_price: z.int().nullable(),
    setup_fee_enabled: z.boolean().nullish(),
    setup_fee: z.int().nullish(),
    renewal_interval_unit: shortText.nullable(),
    renewal_interval_quantity: z.int().min(1).nullable(),
    trial_interval_unit: trialUnit,
    trial_interval_quantity: trialLength,
    created_at: z.iso.datetime(),
  }),
});
type VariantPrice = z.infer<typeof VariantPrice>;

const Variant = z.object({
  type: z.literal("variants"),
  id: numericId,
  attributes: z.object({ product_id: z.int(), status: shortText, test_mode: z.boolean() }),
});
type Variant = z.infer<typeof Variant>;

const PricePage = z
  .object({
    meta: z.object({ page: z.object({ currentPage: z.int(), lastPage: z.int() }) }),
    data: listOf(VariantPrice, 1_000),
    included: listOf(Variant, 1_000).default([]),
  })
  .transform(({ data, meta: { page }, included }) => ({
    items: data.map((price) => ({
      ...price,
      variant: included.find(({ id }) => id === String(price.attributes.variant_id)),
    })),
    hasMore: page.currentPage < page.lastPage,
  }));

/** Reads one page of the prices of a variant, each with the variant. */
export const readPrices = jsonReader(PricePage, "a list of prices");

const Related = z.object({
  type: shortText,
  id: numericId,
  attributes: z.object({ currency: shortText.optional() }).optional(),
});
const Product = z
  .object({
    data: z.object({
      type: z.literal("products"),
      attributes: z.object({
        store_id: z.int(),
        status: shortText,
        test_mode: z.boolean(),
        name: words,
        description: words,
      }),
    }),
    included: listOf(Related, 1_000),
  })
  .transform(({ data: { attributes }, included }, context) => {
    const isStore = ({ type, id }: z.infer<typeof Related>) => type === "stores" && id === String(attributes.store_id);
    const currency = included.find(isStore)?.attributes?.currency;
    if (currency === undefined) context.addIssue("must have its store, with a currency");
    const hasSeveralVariants = included.filter(({ type }) => type === "variants").length > 1;
    return { ...attributes, currency: currency ?? "", hasSeveralVariants };
  });
type Product = z.infer<typeof Product>;

export const readProduct = jsonReader(Product, "a product with its store");

// Their documentation requires both types with every request.
const type = "application/vnd.api+json";

export const lemonSqueezy = paymentKind({
  from: "lemonsqueezy",
  description: "Plans whose prices are in Lemon Squeezy",
  plan: z.union([ByVariants, fixedPlan("Lemon Squeezy")]),
  selections: ["variants"],
  currency: currency.refine(
    hasCents,
    'must have cents: Lemon Squeezy does not document its amounts in others; state the plans in a file: "plans": { "from": "file", "path": "plans.json" }',
  ),
  api: upstreamUrl.default("https://api.lemonsqueezy.com").describe("Base URL of the Lemon Squeezy API"),
  key: "an API key of the live mode",
  plans: "The plans to publish, each with `prices` or `variants`",
  headers: { accept: type, "content-type": type },
  missing: "does the variant exist?",
  forbidden: "may the key read the store?",
  offers(api) {
    const products = new Map<number, Product>();
    return async ({ variants = {}, priceIds = {} }) => {
      const offers: Offer[] = [];
      // Of a variant in two cycles, one is enough to name its price.
      for (const [id, cycle] of new Map(Object.entries(variants).map(([cycle, id]) => [id, cycle]))) {
        const prices = await listPrices(id, api);
        const [price] = prices;
        if (!price) continue;
        const { variant } = price;
        if (!variant) throw new UpstreamError("prices without their variant");
        const { product_id } = variant.attributes;
        const product =
          products.get(product_id) ?? (await api.get(readProduct, `v1/products/${product_id}?include=store,variants`));
        products.set(product_id, product);
        offers.push(offerOf({ prices, variant, product, cycle, priceIds }, api.currency));
      }
      return offers;
    };
  },
});

/** A variant with all prices that it ever had. */
interface PricedVariant {
  variant: Variant;
  product: Product;
  prices: readonly VariantPrice[];
  /** The key of its cycle, and the settings that decide if several prices are equally new. */
  cycle: string;
  priceIds: Readonly<Record<string, string>>;
}

async function listPrices(variantId: string, api: Api) {
  const query = { "filter[variant_id]": variantId, include: "variant", "page[size]": "100" };
  const all = await api.list(
    readPrices,
    (page) => `v1/prices?${new URLSearchParams({ ...query, "page[number]": String(page) })}`,
    variantId,
  );
  return all.filter(({ attributes }) => String(attributes.variant_id) === variantId);
}

const CENT_DECIMALS = 2;

/** @throws UpstreamError if several prices are equally new, and the settings name none of them. */
function offerOf(priced: PricedVariant, currency: string): Offer {
  const { variant, product } = priced;
  const price = currentPrice(priced);
  const { unit_price, setup_fee_enabled, setup_fee, trial_interval_quantity, trial_interval_unit } = price.attributes;
  const isInCurrency = product.currency.toUpperCase() === currency;
  return {
    id: price.id,
    // HTML; a price is published without one that cannot be read.
    words: { name: product.name, description: attempt(() => htmlText(product.description ?? "")) },
    name: variant.id,
    months: monthsOf(price, variant, product),
    currency: product.currency,
    ...(isInCurrency && amountIn(unit_price?.toString(), CENT_DECIMALS)),
    remarks: [
      setup_fee_enabled && setup_fee !== 0 ? "a setup fee is added" : undefined,
      trialRemark(trial_interval_quantity, trial_interval_unit),
    ],
  };
}

/** Returns the newest: a change of a price creates a new one and keeps the old ones. It counts even if no plan can have it
 * (https://docs.lemonsqueezy.com/api/prices). */
function currentPrice({ prices, cycle, priceIds }: PricedVariant): VariantPrice {
  const named = new Set(Object.values(priceIds));
  const times = prices.map(({ attributes }) => Date.parse(attributes.created_at));
  const last = Math.max(...times);
  const newest = prices.filter((_, index) => times[index] === last);
  const [current, another] = newest.length > 1 ? newest.filter(({ id }) => named.has(id)) : newest;
  if (current && !another) return current;
  const ids = newest.slice(0, 3).map(({ id }) => displayName(id));
  throw new UpstreamError(
    `${newest.length} prices of one variant are equally new, ${ids.join(", ")}: name the current one in "priceIds": { "${cycle}": "…" }`,
  );
}

/** Returns the months that a price pays for, or the reason why no plan can have it. A trial changes neither. */
function monthsOf({ attributes }: VariantPrice, { attributes: variant }: Variant, product: Product): number | string {
  const { category, scheme, usage_aggregation, renewal_interval_unit, renewal_interval_quantity } = attributes;
  if (variant.test_mode || product.test_mode) return "test mode";
  if (product.status !== "published") return "its product is not published";
  // The checkout shows a pending variant only if it is the product's only one.
  const isOnSale = variant.status === "published" || (variant.status === "pending" && !product.hasSeveralVariants);
  if (!isOnSale) return "its variant is not published";
  if (category === "one_time") return "paid once";
  if (category === "pwyw") return "the customer chooses the amount";
  if (category !== "subscription") return "not a subscription";
  if (usage_aggregation !== null) return "metered";
  if (scheme === "package") return "sold in packages";
  if (scheme !== "standard") return "tiered";
  return monthsIn(renewal_interval_unit ?? "", renewal_interval_quantity ?? 0);
}
