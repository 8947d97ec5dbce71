// Reads an amount as vendors write it: 12.5, "12.50", "$12.50", "$12/mo", "Free"; or finds that there is none, as
// in null, "" or "Contact us". A text with digits is an amount or a mistake, never none.
import { isCurrencyCode } from "../../../../snapshots/rules.ts";
import { majorUnits } from "../minor-units.ts";

export interface AmountForm {
  /** Decimals of amounts in minor units; 0 for major units. */
  minorUnits: number;
  /** An ISO code whose signs may stand beside the amount. */
  currency: string;
  /** The length of the cycle that the amount is for, which may stand behind it. */
  months: number;
}

/** True of what says that there is no amount. */
export function isNoAmount(value: unknown): boolean {
  if (typeof value === "string") return !/\p{Nd}/u.test(value) && !isFree(value);
  return value === undefined || value === null;
}

/** In major units, or what is wrong, in words that follow the field's name. */
export function readAmount(value: unknown, form: AmountForm): number | string {
  if (typeof value === "string" && isFree(value)) return 0;
  if (typeof value === "number" && form.minorUnits === 0) return value;
  const digits = typeof value === "number" ? String(value) : typeof value === "string" ? bare(value.trim(), form) : "";
  if (form.minorUnits > 0 && /^\d+\.\d*[1-9]/.test(digits)) {
    return 'has a fraction, and "minorUnits" says that it is in minor units: leave "minorUnits" out for major units';
  }
  return majorUnits(digits, form.minorUnits) ?? "must be an amount such as 12.50";
}

function isFree(text: string): boolean {
  return /^\s*free\s*$/i.test(text);
}

const LENGTHS: Readonly<Record<number, RegExp>> = {
  1: / ?(?:\/|per) ?mo(?:nth)?$/i,
  12: / ?(?:\/|per) ?y(?:ea)?r$/i,
};

/** The text without the sign of the currency on one side and the cycle's length behind it. */
function bare(text: string, { currency, months }: AmountForm): string {
  const length = LENGTHS[months];
  const amount = length ? text.replace(length, "") : text;
  const sign = signsOf(currency).find((one) => amount.startsWith(one) || amount.endsWith(one));
  if (sign === undefined) return amount;
  return amount.startsWith(sign) ? amount.slice(sign.length).trimStart() : amount.slice(0, -sign.length).trimEnd();
}

/** `USD`, `US$` and `$`. */
function signsOf(currency: string): string[] {
  if (!isCurrencyCode(currency)) return [];
  const shown = (["symbol", "narrowSymbol"] as const).flatMap((currencyDisplay) =>
    new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay }).formatToParts(0),
  );
  return [currency, ...shown.filter(({ type }) => type === "currency").map(({ value }) => value)];
}
