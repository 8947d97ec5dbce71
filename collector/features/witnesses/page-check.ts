// A public page of the vendor's is a witness: each published price and version must be somewhere in its text. Scripts are not
// run, so a page whose text has no price or version at all "cannot be read", which is no disagreement.
import { clip } from "../../../snapshots/rules.ts";
import type { BillingCycle, Plan, PlansResponse } from "../../../snapshots/schema.ts";
import type { Payload } from "../../../snapshots/snapshot.ts";
import { UpstreamError } from "../../http/errors.ts";
import { fetchBytes } from "../../http/fetch.ts";
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
      const read = readPage(decodePage(Buffer.from(answer.body), answer.contentType));
      return (_, published) => compareWithPage(published, read);
    },
  };
}

/** Returns what is published and not on the page; undefined if all of it is. @throws UpstreamError if the page cannot be read. */
export function compareWithPage(published: Payload, page: Page): Difference | undefined {
  if ("plans" in published) return comparePrices(published, page);
  return published.hasUpdate ? compareVersion(published.latest.version, page) : undefined;
}

/** `months`: the length of its cycle; a page may show the amount by the month instead. */
interface ExpectedPrice {
  label: string;
  amount: number;
  months: number;
}

function comparePrices({ currency, cycles, plans }: PlansResponse, { text, hasScript }: Page): Difference | undefined {
  const prices = plans.flatMap((plan) => pricesToShow(plan, cycles));
  const { stated, alone } = amountsIn(text, currency);
  const isThere = (price: ExpectedPrice) =>
    (alone.includes(price.amount) && price.amount > 0) ||
    stated.some((amount) => isShownAs(price, amount)) ||
    (price.amount === 0 && FREE.test(text));
  const missing = prices.filter((price) => !isThere(price));
  if (missing.length === 0) return undefined;
  if (!stated.some((amount) => amount > 0)) throw unread(`price in ${displayName(currency)}`);
  const paid = prices.filter((price) => price.amount > 0 && !missing.includes(price));
  const strange = stated.filter((amount) => !prices.some((price) => isShownAs(price, amount)));
  const changed = missing.filter(({ amount }) => strange.some((other) => Math.abs(other - amount) <= amount / 2));
  const said = new Set([...paid, ...changed].map(({ months }) => months));
  // A script that switches between cycles draws all prices of another one, over those of the first.
  const isDrawn = ({ months }: ExpectedPrice) => hasScript && paid.length > 0 && !said.has(months);
  const [first, ...others] = missing.filter((price) => !isDrawn(price));
  if (!first) throw unread("price of one of the cycles");
  const nearest = stated.toSorted((a, b) => Math.abs(a - first.amount) - Math.abs(b - first.amount));
  const inWords = [first, ...others].map(({ label, amount }) => `${label} ${amount}`);
  return { published: shown(inWords), found: shown(nearest.map(String)), atOnce: true };
}

const FREE =
  /(?<!\p{L})(?:free(?! trial)|gratis|grátis|gratuit\p{L}*|kostenlos\p{L}*|kostenfrei\p{L}*|umsonst|ilmai\p{L}*|darmow\p{L}*|ücretsiz|бесплатн\p{L}*|zdarma|miễn phí)(?!\p{L})|無料|免费|免費|무료|مجان|חינם|ฟรี/iu;

/** A page must show these prices of a plan: `monthlyPrice` and `annualPrice` only if they cannot be computed from another one. */
function pricesToShow(
  { id, prices, monthlyPrice, annualPrice }: Plan,
  cycles: readonly BillingCycle[],
): ExpectedPrice[] {
  const listed = Object.entries(prices).map(([key, amount]) => {
    return { label: `${id} ${key}`, amount, months: cycles.find((cycle) => cycle.key === key)?.durationMonths ?? 1 };
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

/** Sites state the price of a longer cycle by the month, too: to a cent, or the nearest tenth or whole unit, or down to it. */
function isShownAs({ amount, months }: ExpectedPrice, shown: number): boolean {
  if (months === 1 || shown === amount) return shown === amount;
  const byTheMonth = amount / months;
  const rounded = [1, 10].flatMap((unit) => [Math.floor, Math.round].map((round) => round(byTheMonth * unit) / unit));
  // A little less than a cent, because fractions are not exact.
  return Math.abs(shown - byTheMonth) < 0.0099 || rounded.includes(shown);
}

/** A number with a word such as `v` or `Version` before it, or with a dot in it. One after the name of another thing, as in `Windows
 * version 11`, does not count. */
const VERSION =
  /(?<![\p{L}\d.,])(?:(?<!(?:os|windows|android|linux|java|python|node|node\.js|api|tls|framework)(?:[\s\u0001]{1,4}\d{1,4})?[\s\u0001,]{1,4})(?<word>v|ver\.?|versi\p{L}*|verze|wersja|версия|sürüm)[\s\u0001:]*(?=\d)|(?<!(?:v|version|kernel|section)[\s\u0001:]{1,4})(?=\d+\.\d))(?<version>\d+(?:\.\d+)*(?:[-+_]?[A-Za-z][\w.+-]*|[-+_][\w.+-]+)?)/giu;

function compareVersion(version: string, { text }: Page): Difference | undefined {
  const versions = [...text.matchAll(VERSION)].map(({ groups }) => {
    return { hasWord: groups?.word !== undefined, found: (groups?.version ?? "").replace(/[.+_-]+$/, "") };
  });
  const after = `(?![\\p{L}\\d]|\\.\\d|[-_]?(?:alpha|beta|rc|pre|dev|nightly))`;
  const asWord = new RegExp(`(?<![\\p{L}\\d.])${escaped(plainText(version))}${after}`, "iu");
  if (versions.some(({ found }) => isSameVersion(version, found)) || asWord.test(text)) return undefined;
  // Dates and prices have dots, too, and a number without one may be that of anything.
  const isLike = (found: string) =>
    /^\d+\.\d+\.(?!(?:19|20)\d\d$)\d/.test(found) && seriesOf(found) === seriesOf(version);
  const isOwn = (found: string, hasWord: boolean) =>
    hasWord ? found.includes(".") || !version.includes(".") : isLike(found);
  const own = versions.flatMap(({ hasWord, found }) => (isOwn(found, hasWord) ? [clip(found, 40)] : []));
  if (own.length === 0) throw unread("version");
  return { published: version, found: shown([...new Set(own)]), atOnce: true };
}

function unread(what: string): UpstreamError {
  return new UpstreamError(`cannot be read: no ${what} in its text or JSON-LD, perhaps because a script draws it`);
}
