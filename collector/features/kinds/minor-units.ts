// Amounts in decimal digits: from minor units, such as cents, and without the errors of binary fractions.

/** Decimal digits that a double represents exactly. */
const MAX_DIGITS = 15;

/** Converts an amount in minor units, such as `"1999"` or `"0.5"`; undefined if it is not such a text or has more digits than
 * a double represents exactly. The decimal point is moved in the text, so that no binary fraction is involved. `decimals`:
 * those of the currency at this upstream, at most MAX_DIGITS. */
export function majorUnits(minor: string, decimals: number): number | undefined {
  const [, whole, fraction = ""] = /^(\d{1,15})(?:\.(\d{1,12}))?$/.exec(minor) ?? [];
  if (whole === undefined) return undefined;
  const padded = whole.padStart(MAX_DIGITS, "0");
  const point = padded.length - decimals;
  const digits = padded + fraction;
  if (digits.replace(/^0+/, "").replace(/0+$/, "").length > MAX_DIGITS) return undefined;
  return Number(`${digits.slice(0, point)}.${digits.slice(point)}`);
}

const MOST_DECIMALS = 4;
/** Of binary fractions, in major units. */
export const MOST_ERROR = 1e-9;
const USUAL_DECIMALS = 2;

/** An amount of at most four decimals as it is, and one that is the currency's but for an error of binary fractions without that;
 * undefined for any other. */
export function exactIn(currency: string, amount: number): number | undefined {
  if (Number(amount.toFixed(MOST_DECIMALS)) === amount) return amount;
  const exact = Number(amount.toFixed(decimalsOf(currency)));
  // A price that is next to nothing is not free.
  return exact > 0 && Math.abs(exact - amount) <= MOST_ERROR ? exact : undefined;
}

/** By ISO 4217, where they are not 2. Those of Intl are of people's habits: it shows no fillér of HUF. */
const WITHOUT = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "));
const WITH_THREE = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));

/** The usual number for what is no code. */
export function decimalsOf(currency: string): number {
  const code = currency.toUpperCase();
  return WITHOUT.has(code) ? 0 : WITH_THREE.has(code) ? 3 : USUAL_DECIMALS;
}
