// Finds amounts of money in a text, as people write them: `$12`, `US$12.00`, `12,00 €`, `CHF 1’200.-`, `1 200 kr`, `580円`.
import { isCurrencyCode } from "../../snapshots/rules.ts";

/** Stands where an element begins or ends: an amount may be in several, as in `<sup>$</sup><b>12</b><sup>99</sup>`. */
export const EDGE = "\u0001";
/** Stands for each sign of the currency that is looked for. */
const SIGN = "\u0002";

// Repetitions are limited, because a long one would fill the stack.
const NUMBER = /\d{1,30}(?:[.,'’]\d{1,30}| \d{3}(?!\d)){0,10}/g;
const GAP = `(?:[\\s${EDGE}–—-]|[.,](?=[–—-])){0,20}`;
/** Several numbers may share a sign, such as `9 – 12 €`. */
const RUN = new RegExp(`(?:${SIGN}|${NUMBER.source})(?:${GAP}(?:${SIGN}|(?<!\\d)${NUMBER.source})){0,50}`, "g");
/** The second part of `12<sup>99</sup>`. */
const CENTS = new RegExp(`^[.,]?${EDGE}+[.,]?(\\d\\d)(?!\\d)`);
const LONGEST_CENTS = 12;

/** Patterns of signs beside those that Intl has. */
const MORE_SIGNS: Readonly<Record<string, string>> = {
  AED: "درهم|Dhs?",
  CHF: "S?Fr",
  CNY: "元",
  DKK: "[Kk]r|kroner",
  EUR: "[Ee]uros?|يورو|евро",
  INR: "Rs",
  JPY: "円|yen",
  KRW: "원",
  NOK: "[Kk]r|kroner",
  RUB: "руб",
  SAR: "ريال",
  SEK: "[Kk]r|kronor",
  THB: "บาท",
  TRY: "TL",
  TWD: "元",
  USD: "[Dd]ollars?|دولار|ドル|долл",
};

/** The text with SIGN in place of each sign of a currency. `currency`: a code of ISO 4217, or any other sign. */
export function withSigns(text: string, currency: string): string {
  return text.replace(new RegExp(signsOf(currency), "gu"), SIGN);
}

/** The amounts in a text with signs, in major units. A number is one if only gaps are between it and a sign, or another number that
 * has one. `1.200` counts as 1200 and as 1.2. */
export function amountsIn(signed: string): number[] {
  const amounts = new Set<number>();
  for (const { 0: run, index: start } of signed.matchAll(RUN)) {
    if (!run.includes(SIGN)) continue;
    for (const { 0: number, index } of run.matchAll(NUMBER)) {
      const end = start + index + number.length;
      for (const amount of readings(number, signed.slice(end, end + LONGEST_CENTS))) amounts.add(amount);
    }
  }
  return [...amounts];
}

/** Whether an amount is said to be for a year. */
const BY_THE_YEAR = new RegExp(
  `(?:${SIGN}[\\s${EDGE}]?[\\d.,]+|\\d[\\s${EDGE}]?${SIGN})\\D{0,24}?(?:(?<!\\p{L})(?:year|yr|annua|annum|jahr|jähr|annuel|anual|år|yıl|год)|(?:/|per|par|por|al?|na|pe)[\\s${EDGE}]?(?:an|ann[éo]e?|ano|año|rok|jaar)(?!\\p{L})|[年년]|سنة|سنوي|שנ)`,
  "iu",
);

export function hasAmountByTheYear(signed: string): boolean {
  return BY_THE_YEAR.test(signed);
}

const ALONE = new RegExp(`(?<=${EDGE} ?)${NUMBER.source}(?= ?${EDGE})`, "g");

/** The numbers without a sign that are all that an element says: perhaps amounts, such as in a table. */
export function numbersAlone(text: string): number[] {
  return [...text.matchAll(ALONE)].flatMap(([number]) => readings(number, ""));
}

/** What a number may stand for. `after`: the text behind it. */
function readings(number: string, after: string): number[] {
  if (after.startsWith("%")) return [];
  const groups = number.split(/\D/);
  const [last = "", mark = "", ...marks] = [groups.at(-1), ...(number.match(/\D/g) ?? []).toReversed()];
  const isGrouped =
    /^['’ ]?$/.test(mark) || (last.length === 3 && groups[0] !== "0" && marks.every((one) => one === mark));
  const isDecimal = /[.,]/.test(mark) && !marks.includes(mark);
  const cents = mark === "" ? CENTS.exec(after)?.[1] : undefined;
  const found = [
    ...(isGrouped ? [groups.join("")] : []),
    ...(isDecimal ? [`${groups.slice(0, -1).join("")}.${last}`] : []),
    ...(cents === undefined ? [] : [`${number}.${cents}`]),
  ];
  const unit = /^k(?![\p{L}\d])/iu.test(after) ? 1_000 : 1;
  return found.map((digits) => Number(digits) * unit);
}

/** A pattern of the currency's signs. A symbol of several currencies, such as `$`, is another one's if that one's code stands beside it. */
function signsOf(currency: string): string {
  const code = currency.toUpperCase();
  if (!isCurrencyCode(code)) return escaped(plainText(currency));
  const symbol = symbolOf(code, "en", "narrowSymbol");
  const others = Intl.supportedValuesOf("currency").filter((other) => {
    return other !== code && symbolOf(other, "en", "narrowSymbol") === symbol;
  });
  const other = others.length > 0 ? `(?:${others.join("|")})` : "(?!)";
  const symbols = ["en", "ar", "ja", "pl"].flatMap((language) => {
    return [symbolOf(code, language, "symbol"), symbolOf(code, language, "narrowSymbol")];
  });
  const prefixed = [1, 2].map((length) => code.slice(0, length) + symbol);
  const signs = [...new Set([code, ...prefixed, ...symbols])].map(escaped);
  const words = signs.filter((sign) => /^\p{L}/u.test(sign)).concat(MORE_SIGNS[code] ?? []);
  const marks = signs.filter((sign) => !words.includes(sign));
  const gap = `[\\s${EDGE}]?`;
  return [
    `(?<!\\p{L})(?:${words.join("|")})\\.?(?!\\p{L})`,
    ...marks.map((mark) => `(?<!\\p{L}|${other}${gap})${mark}(?!${gap}[\\d.,]+${gap}${other}(?!\\p{L}))`),
  ].join("|");
}

function symbolOf(currency: string, language: string, currencyDisplay: "symbol" | "narrowSymbol"): string {
  const parts = new Intl.NumberFormat(language, { style: "currency", currency, currencyDisplay }).formatToParts(0);
  return plainText(parts.find(({ type }) => type === "currency")?.value ?? currency).replace(/\.$/, "");
}

/** A pattern that matches a text. */
export function escaped(text: string): string {
  return text.replace(/[$.*+?^()[\]{}|\\/]/g, "\\$&");
}

const DIGITS = /[٠-٩۰-۹]/g;

/** A text with its digits, spaces and signs in the form that amounts are looked for. A digit that is raised is no part of the number
 * before it. */
export function plainText(text: string): string {
  return text
    .replace(/[⁰¹²³⁴-⁹]+/g, `${EDGE}$&`)
    .normalize("NFKC")
    .replace(DIGITS, (digit) => String(digit.charCodeAt(0) % 16))
    .replaceAll("٫", ".")
    .replaceAll("٬", ",")
    .replace(/[\p{Cf}\u0002-\u0008]/gu, "")
    .replace(/\s+/g, " ");
}
