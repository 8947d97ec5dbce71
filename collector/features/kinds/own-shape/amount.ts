// Reads an amount as vendors write it: 12.5, "12.50", "$12.50", "$12/mo", "Free"; or finds that there is none, as in null, false, -1,
// "" or "Contact us". Any other text with digits is an amount or a mistake, never none.
import { isCurrencyCode } from "../../../../snapshots/rules.ts";
import { displayName } from "../../../parsing/issues.ts";
import { decimalsOf, majorUnits, MOST_ERROR } from "../minor-units.ts";

const MAX_NAMED = 3;

/** Made once for all amounts: to ask for the signs of a currency takes longer than to read an amount. `minorUnits`: the decimals of
 * amounts in minor units. `signs`: may stand beside the amount; none if the currency is no ISO code. */
export function amountForm(currency: string, minorUnits = 0) {
  return { minorUnits, currency, signs: signsOf(currency), decimals: decimalsOf(currency) };
}
export type AmountForm = ReturnType<typeof amountForm>;

/** True of what says that there is no amount. */
export function isNoAmount(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "-1" || (!/\p{Nd}/u.test(value) && !isFree(value));
  return value === undefined || value === null || value === false || value === -1;
}

/** In major units, or what is wrong, in words that follow the field's name. `months`: the length of the cycle that the amount is for,
 * which may stand behind it. */
export function readAmount(value: unknown, months: number, form: AmountForm): number | string {
  if (typeof value === "string" && isFree(value)) return 0;
  if (typeof value === "number" && form.minorUnits === 0)
    return value < 0 ? "must be at least 0" : charged(value, form);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const members = Object.entries(value).filter(([, one]) => typeof one !== "object" && !isNoAmount(one));
    const inside = members.slice(0, MAX_NAMED).map(([key]) => `/${displayName(key)}`);
    if (inside.length > 0) return `is an object: add ${inside.join(" or ")} to its pointer`;
  }
  const text = typeof value === "string" ? bare(value.trim(), months, form) : "";
  const digits = typeof value === "number" ? String(value) : text;
  const [, decimals] = /^\d+\.(\d+)$/.exec(digits) ?? [];
  if (form.minorUnits > 0 && decimals !== undefined) {
    return 'has a fraction, and "minorUnits" is for whole ones: state what is charged, or leave "minorUnits" out for major units';
  }
  // 1.299 € may be a thousand times as much as it seems.
  if (typeof value === "string" && decimals !== undefined && decimals.length > form.decimals) {
    return "has more decimals than its currency: write thousands without a mark, such as 1299";
  }
  const amount = majorUnits(digits, form.minorUnits);
  if (amount !== undefined) return charged(amount, form);
  if (digits.startsWith("-")) return "must be at least 0";
  const other = typeof value === "string" ? otherMark(value, form) : undefined;
  if (other !== undefined) return `is in ${other}, and "currency" is ${form.currency}: correct one of them`;
  const sample = form.decimals > 0 ? "12.50" : "1250";
  return `must be an amount such as ${sample}${form.signs.length > 0 ? ` or ${sample} ${form.currency}` : ""}`;
}

/** An amount that the currency can have, or what is wrong. An average such as 8.3325 EUR a month is one; yen have no decimals at all. */
function charged(amount: number, { currency, decimals, minorUnits }: AmountForm): number | string {
  if (decimals > 0 || Math.abs(Math.round(amount) - amount) <= MOST_ERROR) return amount;
  const remedy =
    minorUnits > 0 ? `write "minorUnits": ${decimals}` : 'state it as it is charged, or write its "currency"';
  return `has more decimals than ${currency}: ${remedy}`;
}

/** The code or sign of another currency. */
function otherMark(text: string, { signs }: AmountForm): string | undefined {
  const [mark] = /(?<!\p{L})[A-Z]{3}(?!\p{L})|[$€£]/u.exec(text) ?? [];
  const isCode = mark !== undefined && (mark.length === 1 || isCurrencyCode(mark));
  return isCode && signs.length > 0 && !signs.some((sign) => sign.includes(mark)) ? mark : undefined;
}

function isFree(text: string): boolean {
  return /^\s*free\s*$/i.test(text);
}

const LENGTHS: Readonly<Record<number, RegExp>> = {
  1: / ?(?:\/|per) ?mo(?:nth)?$/i,
  12: / ?(?:\/|per) ?y(?:ea)?r$/i,
};

/** The text without the sign of the currency on one side and the cycle's length behind it. */
function bare(text: string, months: number, { signs }: AmountForm): string {
  const length = LENGTHS[months];
  const amount = length ? text.replace(length, "") : text;
  const sign = signs.find((one) => amount.startsWith(one) || amount.endsWith(one));
  if (sign === undefined) return amount;
  return amount.startsWith(sign) ? amount.slice(sign.length).trimStart() : amount.slice(0, -sign.length).trimEnd();
}

/** `USD`, `$` and `US$`. */
function signsOf(currency: string): string[] {
  if (!isCurrencyCode(currency)) return [];
  const parts = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  }).formatToParts(0);
  const sign = parts.find(({ type }) => type === "currency")?.value ?? currency;
  return [currency, sign, `${currency.slice(0, 2)}${sign}`];
}

/** The code that a sign or a name stands for, such as `€`, `US$` or `Euro`; undefined if it may be that of several currencies. */
export function currencyMeant(text: string): string | undefined {
  const meant = text.trim().toUpperCase();
  if (isCurrencyCode(meant)) return meant;
  const names = new Intl.DisplayNames("en", { type: "currency" });
  const [code, another] = Intl.supportedValuesOf("currency").filter((one) =>
    [...signsOf(one), names.of(one)].some((said) => said?.toUpperCase() === meant),
  );
  return another === undefined ? code : undefined;
}
