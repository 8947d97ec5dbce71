// One page of Stripe's list of prices. Of the amounts in other currencies, only the one that is wanted goes on.
import * as z from "zod";
import type { TypedText } from "../../http/fetch.ts";
import { parseJson } from "../../parsing/json.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { readPrice, type Price } from "./price.ts";

const Page = z.object({
  object: z.literal("list"),
  has_more: z.boolean(),
  data: z.array(z.looseObject({ id: z.string().min(1).max(255) })).max(1_000),
});

export interface StripePage {
  has_more: boolean;
  data: Price[];
}

/** `currency`: three letters, lower case. @throws UpstreamError */
export function readFeed(text: TypedText, { currency }: { currency: string }): StripePage {
  const checked = Page.safeParse(parseJson(text));
  if (!checked.success) throw new UpstreamError("the answer is not a list of prices");
  const { has_more, data } = checked.data;
  return { has_more, data: data.map((price) => inCurrency(readPrice(price), currency)) };
}

function inCurrency(price: Price, currency: string): Price {
  const options = price.currency_options ?? {};
  const amount = Object.hasOwn(options, currency) ? options[currency] : undefined;
  return { ...price, currency_options: amount ? { [currency]: amount } : {} };
}
