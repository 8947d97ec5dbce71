// A public page of the vendor's is a witness: each published price and version must be somewhere in its text. Scripts are not
// run, so a page whose text has no price or version at all "cannot be read", which is no disagreement.
import { clip } from "../../../snapshots/rules.ts";
import type { Plan, PlansResponse } from "../../../snapshots/schema.ts";
import type { Payload } from "../../../snapshots/snapshot.ts";
import { UpstreamError } from "../../http/errors.ts";
import { fetchBytes } from "../../http/fetch.ts";
import { openBudget } from "./budget.ts";
import { amountsIn, escaped, plainText } from "./money.ts";
import { displayName } from "../../parsing/issues.ts";
import { seriesOf } from "../versions/version.ts";
import { BY_THE_YEAR } from "../prices/plan-prices.ts";
import type { SourceContext } from "../../source.ts";
import type { Difference } from "../../hooks.ts";
import { isSameVersion, shown, type CrossCheck } from "./cross-check.ts";
import { decodePage, readPage, type Page } from "./page.ts";

/** `timeout`: in ms. */
export function openPage(
  { page, timeout }: { page: string; timeout: number },
  { names, standIns }: Pick<SourceContext, "names" | "standIns">,
): Pick<CrossCheck, "names" | "ask"> {
  return {
    names,
    async ask(signal) {
      const answer = await fetchBytes(page, { signal, deadline: timeout, headers: { accept: "text/html" }, standIns });
      const isText =
        answer !== "unchanged" && /^(?:$|;|text\/(?:html|plain|markdown)|application\/xhtml)/i.test(answer.contentType);
      if (!isText) throw new UpstreamError("cannot be read: neither HTML nor plain text");
      const budget = openBudget(signal);
      const { body, contentType } = answer;
      const read = await budget((check) => readPage(decodePage(Buffer.from(body), contentType), check));
      return (_, published) => budget((check) => compareWithPage(published, read, check));
    },
  };
}

/** Returns what is published and not on the page; undefined if all of it is. `check`: called between steps. @throws UpstreamError if the
 * page cannot be read. */
export function compareWithPage(published: Payload, page: Page, check = () => {}): Difference | undefined {
  if ("plans" in published) return comparePrices(published, page, check);
  return published.hasUpdate ? compareVersion(published.latest.version, page, check) : undefined;
}

/** `months`: the length of its cycle; a page may show the amount by the month instead. */
interface ExpectedPrice {
  label: string;
  amount: number;
  months: number;
}

function comparePrices(
  { currency, cycles, plans }: PlansResponse,
  { text, hasScript }: Page,
  check: () => void,
): Difference | undefined {
  const months = new Map(cycles.map(({ key, durationMonths }) => [key, durationMonths]));
  const prices = plans.flatMap((plan) => pricesToShow(plan, months));
  const { stated, alone } = amountsIn(text, currency, check);
  const isFree = prices.some(({ amount }) => amount === 0) && FREE.test(text);
  const isThere = (price: ExpectedPrice) =>
    (price.amount > 0 ? alone.has(price.amount) : isFree) || formsOf(price).some((form) => stated.has(form));
  const missing = new Set(prices.filter((price) => !isThere(price)));
  if (missing.size === 0) return undefined;
  if (![...stated].some((amount) => amount > 0)) throw unread(`price in ${displayName(currency)}`);
  const paid = prices.filter((price) => price.amount > 0 && !missing.has(price));
  const explained = new Set(prices.flatMap(formsOf));
  const strange = [...stated].filter((amount) => !explained.has(amount)).toSorted((a, b) => a - b);
  const changed = [...missing].filter(({ amount }) => (firstFrom(amount / 2, strange) ?? Infinity) <= amount * 1.5);
  const said = new Set([...paid, ...changed].map(({ months }) => months));
  // A script that switches between cycles draws all prices of another one, over those of the first.
  const isDrawn = ({ months }: ExpectedPrice) => hasScript && paid.length > 0 && !said.has(months);
  const [first, ...others] = [...missing].filter((price) => !isDrawn(price));
  if (!first) throw unread("price of one of the cycles");
  const nearest = [...stated].toSorted((a, b) => Math.abs(a - first.amount) - Math.abs(b - first.amount));
  const inWords = [first, ...others].map(({ label, amount }) => `${label} ${amount}`);
  return { published: shown(inWords), found: shown(nearest.map(String)), atOnce: true };
}

/** The first of the sorted amounts that is not less. */
function firstFrom(least: number, amounts: readonly number[]): number | undefined {
  let [from, to] = [0, amounts.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((amounts[middle] ?? 0) < least) from = middle + 1;
    else to = middle;
  }
  return amounts[from];
}

const FREE =
  /(?<!\p{L})(?:free(?! trial)|gratis|grátis|gratuit\p{L}*|kostenlos\p{L}*|kostenfrei\p{L}*|umsonst|ilmai\p{L}*|darmow\p{L}*|ücretsiz|бесплатн\p{L}*|zdarma|miễn phí)(?!\p{L})|無料|免费|免費|무료|مجان|חינם|ฟรี/iu;

/** A page must show these prices of a plan: `monthlyPrice` and `annualPrice` only if they cannot be computed from another one. */
function pricesToShow(
  { id, prices, monthlyPrice, annualPrice }: Plan,
  lengths: ReadonlyMap<string, number>,
): ExpectedPrice[] {
  const listed = Object.entries(prices).map(([key, amount]) => {
    return { label: `${id} ${key}`, amount, months: lengths.get(key) ?? 1 };
  });
  // A page states one of two that are computed from each other, and that of the year by the month, too.
  const isTwelfth = Math.abs(annualPrice / 12 - monthlyPrice) <= 0.0051;
  const others = [
    ...(isTwelfth ? [] : [{ label: `${id} by the month`, amount: monthlyPrice, months: 1 }]),
    { label: `${id} ${BY_THE_YEAR}`, amount: annualPrice, months: 12 },
  ].filter((other) => !listed.some((one) => isShownAs(one, other.amount) || isShownAs(other, one.amount)));
  const all = [...listed, ...others];
  const paid = all.filter(({ amount }) => amount > 0);
  // Beside another price, 0 means that the plan has no such cycle.
  return paid.length > 0 ? paid : all;
}

/** A little less than a cent, because fractions are not exact. */
const CENT = 0.0099;

/** Sites state the price of a longer cycle by the month, too: to a cent, or the nearest tenth or whole unit, or down to it. */
function isShownAs({ amount, months }: ExpectedPrice, shown: number): boolean {
  if (months === 1 || shown === amount) return shown === amount;
  return Math.abs(shown - amount / months) < CENT || roundings(amount / months).includes(shown);
}

function roundings(amount: number): number[] {
  return [Math.floor(amount), Math.round(amount), Math.floor(amount * 10) / 10, Math.round(amount * 10) / 10];
}

/** All amounts that `isShownAs` takes, of three decimals at most: they are looked up on the page. */
function formsOf({ amount, months }: ExpectedPrice): number[] {
  if (months === 1) return [amount];
  const byTheMonth = amount / months;
  const near = [100, 1_000].flatMap((unit) => [
    Math.floor(byTheMonth * unit) / unit,
    Math.ceil(byTheMonth * unit) / unit,
  ]);
  return [amount, ...roundings(byTheMonth), ...near.filter((one) => Math.abs(one - byTheMonth) < CENT)];
}

/** A number with a word such as `v` or `Version` before it, or with a dot in it. One after the name of another thing, as in `Windows
 * version 11`, does not count. */
const VERSION =
  /(?<![\p{L}\d.,])(?:(?<!(?:os|windows|android|linux|java|python|node|node\.js|api|tls|framework)(?:[\s\u0001]{1,4}\d{1,4})?[\s\u0001,]{1,4})(?<word>v|ver\.?|versi\p{L}*|verze|wersja|версия|sürüm)[\s\u0001:]*(?=\d)|(?<!(?:v|version|kernel|section)[\s\u0001:]{1,4})(?=\d+\.\d))(?<version>\d+(?:\.\d+)*(?:[-+_]?[A-Za-z][\w.+-]*|[-+_][\w.+-]+)?)/giu;

/** Versions look at no more of a text. */
const MAX_VERSION = 200;

function compareVersion(version: string, { text }: Page, check: () => void): Difference | undefined {
  /** Whether a word is before it, anywhere. */
  const versions = new Map<string, boolean>();
  for (const { groups = {} } of text.matchAll(VERSION)) {
    check();
    const found = (groups.version ?? "").slice(0, MAX_VERSION).replace(/[.+_-]+$/, "");
    versions.set(found, groups.word !== undefined || versions.get(found) === true);
  }
  const after = `(?![\\p{L}\\d]|\\.\\d|[-_]?(?:alpha|beta|rc|pre|dev|nightly))`;
  const asWord = new RegExp(`(?<![\\p{L}\\d.])${escaped(plainText(version))}${after}`, "iu");
  const isPublished = (found: string) => {
    check();
    return isSameVersion(version, found);
  };
  if ([...versions.keys()].some(isPublished) || asWord.test(text)) return undefined;
  // Dates and prices have dots, too, and a number without one may be that of anything.
  const isLike = (found: string) =>
    /^\d+\.\d+\.(?!(?:19|20)\d\d$)\d/.test(found) && seriesOf(found) === seriesOf(version);
  const isOwn = (found: string, hasWord: boolean) => {
    check();
    return hasWord ? found.includes(".") || !version.includes(".") : isLike(found);
  };
  const own = [...versions].flatMap(([found, hasWord]) => (isOwn(found, hasWord) ? [clip(found, 40)] : []));
  if (own.length === 0) throw unread("version");
  return { published: version, found: shown([...new Set(own)]), atOnce: true };
}

function unread(what: string): UpstreamError {
  return new UpstreamError(`cannot be read: no ${what} in its text or JSON-LD, perhaps because a script draws it`);
}
