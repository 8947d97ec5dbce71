// Whether a plan can have a Paddle price, and its amount.
import { UpstreamError } from "../../http/upstream-error.ts";
import { majorUnits } from "../../plans/amount.ts";
import { monthsIn, shownId, type Offer } from "../../plans/priced-plans.ts";
import type { Price } from "./read.ts";

/** `code`: three letters, upper case. `decimals`: those of Paddle's amounts in it. */
export interface Currency {
  code: string;
  decimals: number;
}

export function offerOf(price: Price, currency: Currency): Offer {
  return {
    label: shownId(price.id),
    product: price.product_id,
    name: price.id,
    months: monthsOf(price),
    amount: () => amountOf(price, currency),
  };
}

/** Months that a price pays for, or the reason why no plan can have it. A trial changes neither. */
function monthsOf({ status, type, product, billing_cycle, quantity }: Price): number | string {
  if (status !== "active") return "archived";
  if (product.status !== "active") return "its product is archived";
  if (type !== "standard") return "made for one customer";
  if (!billing_cycle) return "paid once";
  if (quantity.minimum > 1) return `sold from ${quantity.minimum} units on`;
  return monthsIn(billing_cycle.interval, billing_cycle.frequency);
}

/** @throws UpstreamError if there are several amounts, or one that cannot be represented exactly. */
function amountOf(price: Price, { code, decimals }: Currency): number | undefined {
  const inCurrency =
    price.unit_price.currency_code === code
      ? [price.unit_price]
      : price.unit_price_overrides.map(({ unit_price }) => unit_price);
  const [amount, another] = new Set(inCurrency.map(({ amount }) => amount));
  if (amount === undefined) return undefined;
  const label = shownId(price.id);
  if (another !== undefined) throw new UpstreamError(`${label} has several amounts in ${code}, by country`);
  const units = majorUnits(amount, decimals);
  if (units === undefined) throw new UpstreamError(`${label} has no amount that can be represented exactly`);
  return units;
}
