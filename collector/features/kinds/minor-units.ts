// Amounts in minor units, such as cents, in decimal digits.

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
