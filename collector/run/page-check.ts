// A public page of the vendor's as a witness: whether each published price and version is somewhere in what it says. What scripts
// draw it does not say, so a page that says nothing of prices or versions cannot be read, and is not wrong.
import { clip } from "../../snapshots/rules.ts";
import type { BillingCycle, Plan, PlansResponse } from "../../snapshots/schema.ts";
import type { Payload } from "../../snapshots/snapshot.ts";
import { UpstreamError } from "../http/errors.ts";
import { fetchText } from "../http/fetch.ts";
import { readPage, type Page } from "../parsing/html.ts";
import { amountsIn, escaped, plainText } from "../parsing/money.ts";
import { displayName } from "../parsing/shape.ts";
import { seriesOf } from "../releases/version.ts";
import type { SourceContext } from "../source.ts";
import { isSameVersion, shown, type CrossCheck, type Difference } from "./cross-check.ts";
import { BY_THE_YEAR } from "./guard.ts";

/** `timeout`: in ms. */
export function openPage(
  { page, timeout }: { page: string; timeout: number },
  { names, standIns }: Pick<SourceContext, "names" | "standIns">,
): Pick<CrossCheck, "names" | "ask"> {
  return {
    names,
    async ask(signal) {
      const answer = await fetchText(page, { signal, deadline: timeout, headers: { accept: "text/html" }, standIns });
      const read = readPage(answer === "unchanged" ? "" : answer.text);
      return (_, published) => compareWithPage(published, read);
    },
  };
}

/** What is published and not on the page. @throws UpstreamError if the page cannot be read. */
export function compareWithPage(published: Payload, page: Page): Difference | undefined {
  if ("plans" in published) return comparePrices(published, page);
  return published.hasUpdate ? compareVersion(published.latest.version, page) : undefined;
}

/** `months`: a page may show what the amount is by the month, instead. */
interface Price {
  label: string;
  amount: number;
  months: number;
}

function comparePrices({ currency, cycles, plans }: PlansResponse, { text, hasScript }: Page): Difference | undefined {
  const prices = plans.flatMap((plan) => pricesToShow(plan, cycles));
  const { stated, alone, hasYearly } = amountsIn(text, currency);
  const isThere = (price: Price) =>
    price.amount === 0
      ? stated.includes(0) || FREE.test(text)
      : alone.includes(price.amount) || stated.some((amount) => isShownAs(price, amount));
  const missing = prices.filter((price) => !isThere(price));
  const isPaid = prices.some(({ amount }) => amount > 0);
  if ((isPaid || missing.length > 0) && !stated.some((amount) => amount > 0))
    throw unread(`price in ${displayName(currency)}`);
  const isYearDrawn =
    hasScript && !hasYearly && prices.every((price) => price.months !== 12 || missing.includes(price));
  const [first, ...others] = missing.filter(({ months }) => !(isYearDrawn && months === 12));
  if (!first && missing.length > 0) throw unread("price by the year");
  if (!first) return undefined;
  const nearest = stated.toSorted((a, b) => Math.abs(a - first.amount) - Math.abs(b - first.amount));
  const inWords = [first, ...others].map(({ label, amount }) => `${label} ${amount}`);
  return { published: shown(inWords), found: shown(nearest.map(String)), atOnce: true };
}

/** Words for a price of 0. */
const FREE =
  /(?<!\p{L})(?:free|gratis|grátis|gratuit\p{L}*|kostenlos\p{L}*|darmow\p{L}*|ücretsiz|бесплатн\p{L}*|zdarma)(?!\p{L})|無料|免费|免費|무료|مجان|חינם/iu;

/** A little less, because fractions are not exact. */
const CENT = 0.0099;

/** The prices of a plan that a page must show: `monthlyPrice` and `annualPrice` only if they cannot be computed from another one. */
function pricesToShow({ id, prices, monthlyPrice, annualPrice }: Plan, cycles: readonly BillingCycle[]): Price[] {
  const listed = Object.entries(prices).map(([key, amount]) => {
    return { label: `${id} ${key}`, amount, months: cycles.find((cycle) => cycle.key === key)?.durationMonths ?? 1 };
  });
  const isListed = (price: number) => listed.some(({ amount, months }) => Math.abs(price - amount / months) < CENT);
  const others = [
    { label: `${id} by the month`, amount: monthlyPrice, months: 1 },
    { label: `${id} ${BY_THE_YEAR}`, amount: annualPrice, months: 12 },
  ].filter(({ amount, months }) => !isListed(amount) && !isListed(amount / months));
  const all = [...listed, ...others];
  // Beside a price, 0 says that there is no other one.
  return all.some(({ amount }) => amount > 0) ? all.filter(({ amount }) => amount > 0) : all;
}

/** Sites round the price by the month to a cent, or to the nearest tenth or whole unit, or down to it. */
function isShownAs({ amount, months }: Price, shown: number): boolean {
  if (months === 1 || shown === amount) return shown === amount;
  const byTheMonth = amount / months;
  const rounded = [1, 10].flatMap((unit) => [Math.floor, Math.round].map((round) => round(byTheMonth * unit) / unit));
  return Math.abs(shown - byTheMonth) < CENT || rounded.includes(shown);
}

/** A number with a word such as `v` or `Version` before it, or with a dot in it. A word after the name of a system is that one's. */
const VERSION =
  /(?<![\p{L}\d.,])(?:(?<!(?:os|windows|android|linux|java|python|node|node\.js)[\s\u0001])(?<word>v|ver\.?|versi\p{L}*|verze|wersja|версия|sürüm)[\s\u0001:]*(?=\d)|(?=\d+\.\d))(?<version>\d+(?:\.\d+)*(?:[-+_]?[A-Za-z][\w.+-]*|[-+_][\w.+-]+)?)/giu;

/** A page that lists more is no page about a version. */
const MAX_VERSIONS = 10_000;

function compareVersion(version: string, { text }: Page): Difference | undefined {
  /** Of each version on the page, whether a word says that it is one. */
  const versions = new Map<string, boolean>();
  for (const { groups } of text.matchAll(VERSION)) {
    const found = (groups?.version ?? "").replace(/[.+_-]+$/, "");
    if (versions.size < MAX_VERSIONS) versions.set(found, versions.get(found) || groups?.word !== undefined);
  }
  const asWord = new RegExp(`(?<![\\p{L}\\d.])${escaped(plainText(version))}(?![\\p{L}\\d]|\\.\\d)`, "iu");
  if ([...versions.keys()].some((found) => isSameVersion(version, found)) || asWord.test(text)) return undefined;
  // Dates and prices have dots, too.
  const isLike = (found: string) => /^\d+\.\d+\.\d/.test(found) && seriesOf(found) === seriesOf(version);
  const own = [...versions].filter(([found, hasWord]) => hasWord || isLike(found));
  if (own.length === 0) throw unread("version");
  return { published: version, found: shown(own.map(([found]) => clip(found, 40))), atOnce: true };
}

function unread(what: string): UpstreamError {
  return new UpstreamError(`cannot be read: no ${what} in its text or JSON-LD, perhaps because a script draws it`);
}
