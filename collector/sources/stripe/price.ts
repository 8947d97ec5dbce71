// One Stripe price: the fields that are read, and whether a plan can have it. `metadata` and other private fields are not
// read.
import * as z from "zod";
import { UpstreamError } from "../../http/upstream-error.ts";
import { shortText } from "../../parsing/shape.ts";
import { majorUnits } from "../../plans/amount.ts";
import { monthsIn, shownId } from "../../plans/priced-plans.ts";
import { decimalsOf } from "./decimals.ts";

const PriceAmount = z.object({
  unit_amount: z.int().nullish(),
  unit_amount_decimal: shortText.nullish(),
});

export const Price = PriceAmount.extend({
  id: shortText,
  active: z.boolean(),
  livemode: z.boolean(),
  type: shortText,
  currency: shortText,
  billing_scheme: shortText,
  lookup_key: shortText.nullish(),
  tiers_mode: shortText.nullish(),
  custom_unit_amount: z.unknown().optional(),
  transform_quantity: z.unknown().optional(),
  recurring: z.object({ interval: shortText, interval_count: z.int().min(1), usage_type: shortText }).nullish(),
  // Only an expanded product states whether it is archived.
  product: z.object({ id: shortText, deleted: z.boolean().optional(), active: z.boolean().optional() }),
  currency_options: z.record(shortText, PriceAmount).nullish(),
});
export type Price = z.infer<typeof Price>;

/** @throws UpstreamError naming the first field that cannot be read. */
export function readPrice(upstream: unknown): Price {
  const checked = Price.safeParse(upstream);
  if (checked.success) return checked.data;
  const [field] = checked.error.issues[0]?.path ?? [];
  const hint = field === "product" ? " (may the key read Products?)" : "";
  throw new UpstreamError(`a price without a readable "${String(field ?? "id")}"${hint}`);
}

/** Months that a price pays for, or the reason why no plan can have it. */
export function monthsOf(price: Price): number | string {
  const { product, recurring } = price;
  if (!price.livemode) return "test mode";
  if (!price.active) return "archived";
  if (product.deleted === true) return "its product is deleted";
  if (product.active !== true) return "its product is archived";
  if (price.type !== "recurring" || !recurring) return "paid once";
  if (recurring.usage_type !== "licensed") return "metered";
  if (price.billing_scheme !== "per_unit" || isPresent(price.tiers_mode)) return "tiered";
  if (isPresent(price.transform_quantity)) return "sold in packages";
  if (isPresent(price.custom_unit_amount)) return "the customer chooses the amount";
  return monthsIn(recurring.interval, recurring.interval_count);
}

/** Major units in a currency (upper case); undefined if the price has no amount in it.
 * @throws UpstreamError if the amount cannot be represented exactly. */
export function amountOf(price: Price, currency: string): number | undefined {
  const code = currency.toLowerCase();
  const options = price.currency_options ?? {};
  const stated =
    price.currency.toLowerCase() === code ? price : Object.hasOwn(options, code) ? options[code] : undefined;
  if (!stated) return undefined;
  const minor = stated.unit_amount_decimal ?? stated.unit_amount?.toString();
  const amount = minor === undefined ? undefined : majorUnits(minor, decimalsOf(currency));
  if (amount === undefined)
    throw new UpstreamError(`${shownId(price.id)} has no amount that can be represented exactly`);
  return amount;
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}
