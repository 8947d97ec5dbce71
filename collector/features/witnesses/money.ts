// Finds amounts of money in a text, as people write them: `$12`, `US$12.00`, `12,00 €`, `CHF 1’200.-`, `1 200 kr`, `580円`.
import { composed, isCurrencyCode } from "../../../snapshots/rules.ts";

/** Marks where an element begins or ends: an amount may be in several, as in `<sup>$</sup><b>12</b><sup>99</sup>`. */
export const EDGE = "\u0001";
/** Replaces each sign of the currency. */
const SIGN = "\u0002";

// Repetitions are limited, because a long one would fill the stack.
const NUMBER = /\d{1,30}(?:[.,'’]\d{1,30}| \d{3}(?!\d)){0,10}/g;
const GAP = `[\\s${EDGE}]*`;
/** A sign that another number is at, as in `12 $15`, is that one's. */
const SIGN_BEFORE = new RegExp(`(?:${SIGN}|(?<!\\d)${SIGN}${GAP})$`);
const SIGN_AFTER = new RegExp(`^(?:[.,]?[–-])?(?:${SIGN}|${GAP}${SIGN}(?!\\d))`);
/** An element without more text behind it, as in `<b>12</b> seats`. */
const EDGE_BEFORE = new RegExp(`${EDGE} ?$`);
const EDGE_AFTER = new RegExp(`^ ?${EDGE}(?! ?\\p{L})`, "u");
/** The second part of `12<sup>99</sup>` and `12€99`. */
const CENTS = new RegExp(
  `^(?:[.,]?(?= ?${EDGE})${GAP}[.,]?${GAP}|${EDGE}?${SIGN}|${EDGE}*${SIGN}${EDGE}+)(\\d\\d)(?!\\d)`,
);
/** The longest gap between a number and its sign, in UTF-16 units. */
const MAX_GAP = 20;

const MORE_SIGNS: Readonly<Record<string, string>> = {
  AED: "درهم",
  EUR: "يورو|euros?",
  INR: "Rs",
  JPY: "円",
  KRW: "원",
  RUB: "руб",
  SAR: "ريال",
  THB: "บาท",
  TRY: "TL",
  USD: "دولار|dollars?",
};

/** Finds the amounts of a currency in a text, in major units; `1.299` counts as 1299 and as 1.299. `stated`: the numbers
 * beside a sign of the currency. `alone`: the numbers that are the whole text of an element, as in a table, and so perhaps
 * amounts; none if no sign stands anywhere. `currency`: a code of ISO 4217, or any other sign. `check`: called between steps. */
export function amountsIn(text: string, currency: string, check = () => {}): Record<"stated" | "alone", Set<number>> {
  const signed = text.replace(signsOf(currency), SIGN);
  const [stated, alone] = [new Set<number>(), new Set<number>()];
  for (const { 0: number, index } of signed.includes(SIGN) ? signed.matchAll(NUMBER) : []) {
    check();
    const end = index + number.length;
    const [before, after] = [signed.slice(Math.max(0, index - MAX_GAP), index), signed.slice(end, end + MAX_GAP)];
    const isStated = SIGN_BEFORE.test(before) || SIGN_AFTER.test(after) || SIGN_AFTER.test(after.replace(CENTS, ""));
    const isAlone = EDGE_BEFORE.test(before) && EDGE_AFTER.test(after);
    if (isStated || isAlone) for (const amount of readings(number, after)) (isStated ? stated : alone).add(amount);
  }
  return { stated, alone: stated.size > 0 ? alone : new Set() };
}

/** Returns the amounts that a number may mean. `after`: the beginning of the text after it. */
function readings(number: string, after: string): number[] {
  if (/^(?:%|k\b)/i.test(after)) return [];
  const groups = number.split(/\D/);
  const [last = "", mark = "", ...marks] = [groups.at(-1), ...(number.match(/\D/g) ?? []).toReversed()];
  const isThousands = last.length === 3 && groups[0] !== "0" && marks.every((one) => one === mark);
  const isDecimal = /[.,]/.test(mark) && !marks.includes(mark) && !(isThousands && last.endsWith("0"));
  const cents = mark === "" || isThousands ? CENTS.exec(after)?.[1] : undefined;
  const found = [
    ...(/^['’ ]?$/.test(mark) || isThousands ? [groups.join("")] : []),
    ...(isDecimal ? [`${groups.slice(0, -1).join("")}.${last}`] : []),
    ...(cents === undefined ? [] : [`${groups.join("")}.${cents}`]),
  ];
  return found.map(Number);
}

/** The pattern has all of the currency's signs: for `USD` also `US$` and `$`, but not `A$`. */
function signsOf(currency: string): RegExp {
  const code = currency.toUpperCase();
  const signs = isCurrencyCode(code) ? signsOfCode(code) : [escaped(plainText(currency))];
  return new RegExp(`(?<!\\p{Script=Latin})(?:${signs.join("|")})\\.?(?:(?<!\\p{L})|(?!\\p{Script=Latin}))`, "giu");
}

function signsOfCode(code: string): string[] {
  const symbol = symbolOf(code, "en", "narrowSymbol");
  const local = ["en", "ar", "ja", "pl"].map((language) => symbolOf(code, language, "symbol"));
  const signs = [code, code.slice(0, 1) + symbol, code.slice(0, 2) + symbol, symbol, ...local];
  return [...signs.map(escaped), MORE_SIGNS[code] ?? code];
}

function symbolOf(currency: string, language: string, currencyDisplay: "symbol" | "narrowSymbol"): string {
  const parts = new Intl.NumberFormat(language, { style: "currency", currency, currencyDisplay }).formatToParts(0);
  return plainText(parts.find(({ type }) => type === "currency")?.value ?? currency).replace(/\.$/, "");
}

export function escaped(text: string): string {
  return text.replace(/[$.*+?^()[\]{}|\\/]/g, "\\$&");
}

/** Brings digits, spaces and signs into the form that `amountsIn` reads. A raised digit does not belong to the number before
 * it. The euro sign of windows-1252 is U+0080 in Node 20. */
export function plainText(text: string): string {
  return composed(text.replace(/[⁰¹²³⁴-⁹]+/g, `${EDGE}$&`).replaceAll("\u0080", "€"))
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replaceAll("٫", ".")
    .replaceAll("٬", ",")
    .replace(/[\p{Cf}\u0002-\u0008]/gu, "")
    .replace(/\s+/g, " ");
}
