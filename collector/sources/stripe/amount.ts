// Converts Stripe's amounts, in a currency's smallest unit, to major units. The decimal point is moved in the text, so that
// no binary fraction is involved. The table is Stripe's own: the digits of Intl differ for 19 currencies (Stripe has ISK
// and UGX with two decimals), and each difference would make a price wrong by a factor of ten or more.
const NO_DECIMALS = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" ");
const THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND".split(" ");

/** Decimal digits that a double represents exactly. */
const MAX_DIGITS = 15;

/** Major units of an amount in minor units, such as `"1999"` or `"0.5"`; undefined if it is not such a text or has more
 * than MAX_DIGITS digits. `currency`: three letters, upper case. */
export function majorUnits(minor: string, currency: string): number | undefined {
  const [, whole, fraction = ""] = /^(\d{1,15})(?:\.(\d{1,12}))?$/.exec(minor) ?? [];
  if (whole === undefined) return undefined;
  const padded = whole.padStart(MAX_DIGITS, "0");
  const point = padded.length - decimals(currency);
  const digits = padded + fraction;
  if (digits.replace(/^0+/, "").replace(/0+$/, "").length > MAX_DIGITS) return undefined;
  return Number(`${digits.slice(0, point)}.${digits.slice(point)}`);
}

function decimals(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0;
  return THREE_DECIMALS.includes(currency) ? 3 : 2;
}
