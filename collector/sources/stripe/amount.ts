// Stripe states amounts in the currency's smallest unit; we publish major units. The decimal point moves in the text, so
// no binary fraction ever comes in between. The table is Stripe's own: Intl's digits differ for 19 currencies (ISK and UGX
// arrive with two decimals), and each difference would be a price wrong by a factor of ten or more.
const NO_DECIMALS = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" ");
const THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND".split(" ");

/** What a double carries without a loss, in decimal digits. */
const MAX_DIGITS = 15;

/** Major units of an amount such as `"1999"` or `"0.5"` minor units; undefined when it is no such text or has more digits
 * than a number carries exactly. `currency`: its three letters, upper case. */
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
