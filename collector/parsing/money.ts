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
const ALONE = new RegExp(`(?<=${EDGE} ?)${NUMBER.source}(?= ?${EDGE})`, "g");
/** An amount, and behind it that it is for a year. */
const FOR_A_YEAR = new RegExp(
  `(?:${SIGN}[\\s${EDGE}]?[\\d.,]+|\\d[\\s${EDGE}]?${SIGN})\\D{0,24}?` +
    "(?:(?<!\\p{L})(?:year|yr|annu|jahr|jähr|anual|år|yıl|год)|(?:/|par|por|per|al?) ?(?:an|ann[éo]e?|ano|año|rok|jaar)(?!\\p{L})|[年년שנ]|سنة|سنوي)",
  "iu",
);

/** Patterns of signs beside those that Intl has. */
const MORE_SIGNS: Readonly<Record<string, string>> = {
  AED: "درهم",
  CHF: "S?Fr",
  DKK: "Kr",
  EUR: "[Ee]uros?|يورو|евро",
  INR: "Rs",
  JPY: "円",
  KRW: "원",
  NOK: "Kr",
  RUB: "руб",
  SAR: "ريال",
  SEK: "Kr",
  THB: "บาท",
  TRY: "TL",
  USD: "[Dd]ollars?|دولار|ドル",
};

/** `stated`: the amounts in a currency, in major units. A number is one if only gaps are between it and a sign of the currency, or another
 * number that has one; `1.200` counts as 1200 and 1.2. `alone`: the numbers that are all that an element says, as in a table, perhaps
 * amounts. `hasYearly`: whether one is said to be for a year. `currency`: a code of ISO 4217, or any other sign. */
export function amountsIn(text: string, currency: string) {
  const signed = text.replace(new RegExp(signsOf(currency), "gu"), SIGN);
  const stated = [...signed.matchAll(RUN)].flatMap(({ 0: run, index: start }) => {
    const numbers = run.includes(SIGN) ? [...run.matchAll(NUMBER)] : [];
    return numbers.flatMap(({ 0: number, index }) => {
      const end = start + index + number.length;
      return readings(number, signed.slice(end, end + 12));
    });
  });
  const alone = [...signed.matchAll(ALONE)].flatMap(([number]) => readings(number, ""));
  return { stated: [...new Set(stated)], alone, hasYearly: FOR_A_YEAR.test(signed) };
}

/** What a number may stand for. `after`: the beginning of the text behind it. */
function readings(number: string, after: string): number[] {
  if (after.startsWith("%")) return [];
  const groups = number.split(/\D/);
  const [last = "", mark = "", ...marks] = [groups.at(-1), ...(number.match(/\D/g) ?? []).toReversed()];
  const isThousands = last.length === 3 && groups[0] !== "0" && marks.every((one) => one === mark);
  const cents = mark === "" ? CENTS.exec(after)?.[1] : undefined;
  const found = [
    ...(/^['’ ]?$/.test(mark) || isThousands ? [groups.join("")] : []),
    ...(/[.,]/.test(mark) && !marks.includes(mark) ? [`${groups.slice(0, -1).join("")}.${last}`] : []),
    ...(cents === undefined ? [] : [`${number}.${cents}`]),
  ];
  const unit = /^k(?![\p{L}\d])/iu.test(after) ? 1_000 : 1;
  return found.map((digits) => Number(digits) * unit);
}

/** A pattern of the currency's signs. A symbol of several, such as `$`, is another one's if that one's code stands beside it. */
function signsOf(currency: string): string {
  const code = currency.toUpperCase();
  if (!isCurrencyCode(code)) return escaped(plainText(currency));
  const symbol = symbolOf(code);
  const others = Intl.supportedValuesOf("currency").filter((one) => one !== code && symbolOf(one) === symbol);
  const other = others.length > 0 ? `(?:${others.join("|")})` : "(?!)";
  const local = ["en", "ar", "ja", "pl"].map((language) => symbolOf(code, language, "symbol"));
  const signs = [...new Set([code, code.slice(0, 1) + symbol, code.slice(0, 2) + symbol, symbol, ...local])].map(
    escaped,
  );
  const words = signs.filter((sign) => /^\p{L}/u.test(sign)).concat(MORE_SIGNS[code] ?? []);
  const marks = signs.filter((sign) => !words.includes(sign));
  const gap = `[\\s${EDGE}]?`;
  return [
    `(?<!\\p{L})(?:${words.join("|")})\\.?(?!\\p{L})`,
    ...marks.map((mark) => `(?<!\\p{L}|${other}${gap})${mark}(?!${gap}[\\d.,]+${gap}${other}(?!\\p{L}))`),
  ].join("|");
}

function symbolOf(
  currency: string,
  language = "en",
  currencyDisplay: "symbol" | "narrowSymbol" = "narrowSymbol",
): string {
  const parts = new Intl.NumberFormat(language, { style: "currency", currency, currencyDisplay }).formatToParts(0);
  return plainText(parts.find(({ type }) => type === "currency")?.value ?? currency).replace(/\.$/, "");
}

/** A pattern that matches a text. */
export function escaped(text: string): string {
  return text.replace(/[$.*+?^()[\]{}|\\/]/g, "\\$&");
}

/** A text with its digits, spaces and signs in the form in which amounts are looked for. A raised digit is no part of the number before it. */
export function plainText(text: string): string {
  return text
    .replace(/[⁰¹²³⁴-⁹]+/g, `${EDGE}$&`)
    .normalize("NFKC")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replaceAll("٫", ".")
    .replaceAll("٬", ",")
    .replace(/[\p{Cf}\u0002-\u0008]/gu, "")
    .replace(/\s+/g, " ");
}
