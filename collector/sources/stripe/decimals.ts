// Decimals of Stripe's amounts. The table is Stripe's own: the digits of Intl differ for 19 currencies (Stripe has ISK and
// UGX with two decimals), and each difference would make a price wrong by a factor of ten or more.
const NO_DECIMALS = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" ");
const THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND".split(" ");

/** `currency`: three letters, upper case. */
export function decimalsOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0;
  return THREE_DECIMALS.includes(currency) ? 3 : 2;
}
