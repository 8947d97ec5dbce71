// Which of a variant's prices is the current one, and whether a plan can have it. A change of a price creates a new one and
// keeps the old ones, so the newest counts, even if no plan can have it (https://docs.lemonsqueezy.com/api/prices).
import { UpstreamError } from "../../http/upstream-error.ts";
import { majorUnits } from "../../plans/amount.ts";
import { monthsIn, shownId, type Offer } from "../../plans/priced-plans.ts";
import type { Price, Product, Variant } from "./read.ts";

const CENT_DECIMALS = 2;

/** A variant with all prices that it ever had. */
export interface PricedVariant {
  variant: Variant;
  product: Product;
  prices: readonly Price[];
}

/** `priceIds`: decide if several prices are equally new. `currency`: three letters, upper case.
 * @throws UpstreamError if they do not decide. */
export function offerOf(found: PricedVariant, priceIds: readonly string[], currency: string): Offer {
  const price = currentPrice(found.prices, priceIds);
  const { variant, product } = found;
  return {
    label: shownId(price.id),
    name: variant.id,
    months: monthsOf(price, variant, product),
    amount: () => (product.currency.toUpperCase() === currency ? amountOf(price) : undefined),
  };
}

function currentPrice(prices: readonly Price[], priceIds: readonly string[]): Price {
  const times = prices.map(({ attributes }) => Date.parse(attributes.created_at));
  const newest = prices.filter((_, index) => times[index] === Math.max(...times));
  const [current, another] = newest.length > 1 ? newest.filter(({ id }) => priceIds.includes(id)) : newest;
  if (current && !another) return current;
  const ids = newest.slice(0, 3).map(({ id }) => shownId(id));
  throw new UpstreamError(
    `${newest.length} prices of one variant are equally new, ${ids.join(", ")}: name the current one in "priceIds"`,
  );
}

/** Months that a price pays for, or the reason why no plan can have it. A trial changes neither. */
function monthsOf({ attributes }: Price, { attributes: variant }: Variant, product: Product): number | string {
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

/** @throws UpstreamError if the amount cannot be represented exactly. */
function amountOf({ id, attributes: { unit_price } }: Price): number {
  const amount = unit_price === null ? undefined : majorUnits(String(unit_price), CENT_DECIMALS);
  if (amount === undefined) throw new UpstreamError(`${shownId(id)} has no amount that can be represented exactly`);
  return amount;
}
