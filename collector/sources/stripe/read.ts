// One page of Stripe's list of prices. Amounts in currencies other than the selected one are dropped.
import * as z from "zod";
import { MAX_BYTES } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { parseJson } from "../../parsing/json.ts";
import { KIB, type DocumentReader } from "../fetch-document.ts";
import { readPrice, type Price } from "./price.ts";

const PricePage = z.object({
  object: z.literal("list"),
  has_more: z.boolean(),
  data: z.array(z.looseObject({ id: z.string().min(1).max(255) })).max(1_000),
});

/** `currency`: three letters, lower case. */
export const stripeReader: DocumentReader<{ has_more: boolean; data: Price[] }, { currency: string }> = {
  name: "stripe",
  maxInPlace: 128 * KIB,
  maxBytes: MAX_BYTES,
  read(text, { currency }) {
    const checked = PricePage.safeParse(parseJson(text));
    if (!checked.success) throw new UpstreamError("the answer is not a list of prices");
    const { has_more, data } = checked.data;
    return { has_more, data: data.map((price) => inCurrency(readPrice(price), currency)) };
  },
};

function inCurrency(price: Price, currency: string): Price {
  const options = price.currency_options ?? {};
  const amount = Object.hasOwn(options, currency) ? options[currency] : undefined;
  return { ...price, currency_options: amount ? { [currency]: amount } : {} };
}
