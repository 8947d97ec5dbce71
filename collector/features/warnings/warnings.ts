// Facts that have passed the gate may contradict themselves. Such probable mistakes are shown to the operator, and published; only
// two prices that were one until now are held, by the guard. Runs, dry runs and `check` show them. Without this feature, they are
// published without a word.
// after: kinds, prices
import { displayName } from "../../parsing/issues.ts";
import { fileName } from "../../parsing/link.ts";
import { isCurrencyCode, isThisComputer, NO_CURRENCY, parseUrl, whatApplies } from "../../../snapshots/rules.ts";
import type { BillingCycle, Plan, PlansResponse, Release } from "../../../snapshots/schema.ts";
import type { Payload } from "../../../snapshots/snapshot.ts";
import { BY_THE_YEAR, isOnePrice, pricesFor, pricesOf } from "../prices/plan-prices.ts";
import type { Describe } from "../../source.ts";
import { decimalsOf } from "../kinds/minor-units.ts";
import { isNoDay } from "../kinds/releases/date.ts";
import { decoded, readFileName } from "../kinds/releases/file-name.ts";
import { currencyMeant } from "../kinds/own-shape/amount.ts";
import { namesOtherVersion, TEMPLATE, versionsIn } from "../kinds/releases/release.ts";

/** Adds the warnings that a fact itself gives rise to. */
export const contradictions: Describe = ({ fact, warnings }) => ({
  warnings: [...warnings, ...warningsOf(fact.payload)],
});

const MAX_OF_A_SORT = 5;

/** A line quotes no more of the facts than ids, keys and versions. */
export function warningsOf(payload: Payload): string[] {
  if ("hasUpdate" in payload) return payload.hasUpdate ? ofRelease(payload.latest) : [];
  const { currency, cycles, plans } = payload;
  const [ids, decimals] = [plans.map(({ id }) => id.toLowerCase()), decimalsOf(currency)];
  const keys = new Set(cycles.map(({ key }) => key));
  const plansThat = (isOdd: (plan: Plan) => boolean, why: string) =>
    plans.flatMap((plan) => (isOdd(plan) ? [`plan "${plan.id}": ${why}`] : []));
  const known = `: write ${[...keys].slice(0, MAX_OF_A_SORT).join(" or ")} in "prices"`;
  const shown = /^[\p{L}\p{Sc}]{1,8}$/u.test(currency) ? ` "${currency}"` : "";
  const popular = plans.flatMap(({ id, popular }) => (popular ? [`"${id}"`] : []));
  const warnings = [
    isCurrencyCode(currency) || currency === NO_CURRENCY
      ? []
      : [`the currency${shown} is not an ISO 4217 code: write ${currencyMeant(currency) ?? "one such as USD"}`],
    proseIn("currency", currency),
    cycles.flatMap(({ key, labelKey }) => proseIn(`labelKey of "${key}"`, labelKey)),
    plans.flatMap(({ id, prices }) =>
      Object.keys(prices).flatMap((key) =>
        keys.has(key) ? [] : [`plan "${id}": the price "${key}" is for no cycle${known}`],
      ),
    ),
    popular.length > 1
      ? [`several plans are marked popular: ${popular.slice(0, MAX_OF_A_SORT).join(", ")}; leave one`]
      : [],
    plansThat(
      ({ prices }) => Object.values(prices).some((price) => Number(price.toFixed(decimals)) !== price),
      `a price has more decimals than ${currency}: write what is charged${decimals === 0 ? ", in whole numbers" : ""}, or correct "currency"`,
    ),
    plansThat(
      ({ id }) => ids.indexOf(id.toLowerCase()) !== ids.lastIndexOf(id.toLowerCase()),
      "another differs in capitals only",
    ),
    plansThat(hasFreePart, "0 beside paid prices, which reads as free"),
    plansThat((plan) => {
      const [month = 0, year = month] = [1, 12].map((months) => pricesFor(months, plan, cycles)[0]);
      return year > 0 && year < month;
    }, "12 months cost less than one: are the two swapped? If it is a month's share, write what all 12 cost"),
    plansThat(
      (plan) => costsMoreForLonger(plan, cycles),
      "paying for longer costs more than by the month: is an amount in another unit?",
    ),
    plansThat(
      (plan) => isOnePrice(plan, cycles) === false,
      "monthlyPrice differs from the price of the cycle of 1 month: edit both",
    ),
    plansThat(
      (plan) => isOtherYear(plan, cycles),
      "annualPrice is neither the price of the cycle of 12 months nor a twelfth of it: correct one of the two",
    ),
    badgeWarnings(payload),
    cycles
      .filter((cycle) => cycle.durationMonths !== monthsMeant(cycle))
      .map(
        (cycle) =>
          `cycle "${cycle.key}": durationMonths is ${cycle.durationMonths}: write ${monthsMeant(cycle)} for it`,
      ),
    cycles.filter(lacksPrice(plans)).map(({ key }) => `no plan has a price for the cycle "${key}"`),
    whatApplies({
      "all prices are whole and large: are they cents? Then write 19.99 rather than 1999": areCents(payload),
    }),
  ];
  return warnings.flatMap((lines) => lines.slice(0, MAX_OF_A_SORT));
}

/** Warns if a text that should be one word, or a date, may be read as prose or markup: a model gets it as it is. */
function proseIn(field: string, text: string): string[] {
  // `November 22, 2026` is one. JavaScript also reads past other words before a date, and what is in brackets.
  const isDate = field === "date" && /^(?:\d|[A-Z][a-z]{2,8} \d)[^<>()]*$/.test(text) && Date.parse(text) > 0;
  if (isDate || !/[<>\s]/.test(text)) return [];
  return [`the ${field} has spaces or angle brackets, which a model may take for prose`];
}

/** `monthlyPrice` and `annualPrice` are the prices of two, unless a badge speaks of more. */
const lacksPrice =
  (plans: readonly Plan[]) =>
  ({ key, durationMonths, savingBadge }: BillingCycle): boolean =>
    (Boolean(savingBadge) || ![1, 12].includes(durationMonths)) &&
    plans.some(({ prices }) => Object.values(prices).some((price) => price > 0)) &&
    plans.every(({ prices }) => !Object.hasOwn(prices, key));

const MONTHS = new Map(Object.entries({ month: 1, monthly: 1, year: 12, yearly: 12, annual: 12 }));
const ONCE = /^(?:lifetime|forever|perpetual|once|one[-_]?time)/i;

/** By the key. A cycle of more than 120 months is shown as paid once. */
function monthsMeant({ key, durationMonths }: BillingCycle): number {
  return MONTHS.get(key.toLowerCase()) ?? (ONCE.test(key) && durationMonths <= 120 ? 1200 : durationMonths);
}

/** Few plans cost hundreds a month in these currencies. */
function areCents({ currency, plans }: PlansResponse): boolean {
  const amounts = plans.map(({ monthlyPrice }) => monthlyPrice).filter((price) => price > 0);
  const isOdd = (price: number) => Number.isInteger(price) && price >= 400;
  return ["USD", "EUR", "GBP", "CHF"].includes(currency) && amounts.length > 0 && amounts.every(isOdd);
}

const DAY_MS = 24 * 60 * 60_000;

function ofRelease(latest: Release): string[] {
  const { platform, version, downloadURL, date } = latest;
  const name = fileName(downloadURL);
  const { form, platform: marked } = readFileName(name, new Set());
  // A product may be called after a system, and so its name begins.
  const { platform: archived } = readFileName(name.replace(/^\p{L}+/u, ""), new Set());
  const isForOther = form === "archive" && archived === (platform === "macos" ? "windows" : "macos");
  const ending = platform === "macos" ? "dmg" : "exe";
  const time = Date.parse(date);
  const [own, another] = versionsIn(name);
  const { hostname = "" } = parseUrl(downloadURL) ?? {};
  const doubts = whatApplies({
    [`the file's name is that of no installer for ${platform}: give the link of one, such as a .${ending}`]:
      (form === "installer" && marked !== platform) || form === "side" || isForOther || ELSEWHERE.test(downloadURL),
    [`the file is the updater's archive: give the link of an installer, such as a .${ending}, if there is one`]:
      /\.(?:app\.t(?:ar\.)?gz|nsis\.zip|msi\.zip)$/i.test(name),
    "downloadURL leads to a page: give the link of the file": PAGE.test(downloadURL),
    "downloadURL leads to this computer only": leadsHere(downloadURL),
    "downloadURL leads to a network of your own: give a public link": NEARBY.test(hostname),
    "downloadURL is for programs, or needs a login: give the link that people click": FOR_PROGRAMS.test(downloadURL),
    "downloadURL has a signature or token, which expires: give a link that lasts": PASSING.test(downloadURL),
    "downloadURL has a placeholder: a template that was not filled in?":
      TEMPLATE.test(decoded(downloadURL)) || UNFILLED.test(hostname),
    [`version has no digit: write ${own !== undefined && another === undefined ? `that of the file, ${own}` : "one such as 4.2.1"}, which readers compare with their own`]:
      !/\d/.test(version),
    "version is a range: write that of the file": /(?:^|\.)[x*](?:\.|$)/i.test(version),
    [`version has a comma: write ${displayName(version.replaceAll(",", "."))}`]: /\d,\d/.test(version),
    "date names a day or a time that does not exist": isNoDay(date) || (Number.isNaN(time) && /^\d{4}-/.test(date)),
    [`date is a number, perhaps of seconds since 1970: write ${daysMeant(date)}`]: /^\d{9,}(?:\.\d+)?$/.test(date),
    [`date has its day and month in doubt: write ${daysMeant(date)}`]: DAY_IN_DOUBT.test(date),
    [`date is none for who reads it later: write ${daysMeant(date)}`]: /\bago$|^(?:to|yester)day$/i.test(date),
    "date is in the future: write the day of the release, or leave it out": time > Date.now() + DAY_MS,
    "date is before 2000: correct it, or leave it out": time < LONG_PAST,
  });
  return [...namesOtherVersion(latest), ...proseIn("version", version), ...proseIn("date", date), ...doubts];
}

const LONG_PAST = Date.UTC(2000);
const DAY_IN_DOUBT = /^(\d{1,2})[./-](\d{1,2})[./-](\d{2}|\d{4})$/;

/** The days that a date may stand for. */
function daysMeant(date: string): string {
  const [, one = "", other = "", year = ""] = DAY_IN_DOUBT.exec(date) ?? [];
  const [first, second] = [one, other].map((part) => part.padStart(2, "0"));
  const inOrder = [`${second}-${first}`, `${first}-${second}`].map((day) => `${year.padStart(4, "20")}-${day}`);
  // As milliseconds, today's number of seconds is of 1970.
  const time = Number(date) * (Number(date) < 1e11 ? 1000 : 1);
  const days = /^\d{9,13}(?:\.|$)/.test(date) ? [new Date(time).toISOString().slice(0, 10)] : inOrder;
  const real = days.filter((day) => /^20\d\d-\d\d-\d\d$/.test(day) && !isNoDay(day));
  return [...new Set(real)].join(" or ") || "a day such as 2026-11-02";
}

/** Updates, and programs for Linux. */
const ELSEWHERE = /\.(?:nupkg|appimage|deb|rpm)$/i;

/** Addresses in digits without TLS are those of doubles, in a rehearsal. */
function leadsHere(link: string): boolean {
  const { protocol = "", hostname = "" } = parseUrl(link) ?? {};
  return isThisComputer(hostname) && (protocol === "https:" || hostname === "localhost");
}

/** A list of releases, or a file as GitHub, Google Drive or Dropbox shows it. */
const PAGE =
  /\/releases(?:\/latest|\/tag\/[^/]+)?\/?$|^https:\/\/(?:github\.com\/[^/]+\/[^/]+\/blob\/|drive\.google\.com\/file\/|www\.dropbox\.com\/(?!.*[?&](?:dl|raw)=1))/;
/** The API of GitHub, and what a build there has left. */
const FOR_PROGRAMS = /^https:\/\/api\.github\.com\/|\/actions\/runs\/\d+\/artifacts\//;
/** Those of Firebase last. */
const PASSING = /^(?!.*[?&]alt=media).*[?&](?:x-(?:amz|goog)-signature|signature|sig|(?:access_|private_)?token)=/i;
/** Has no dot, or ends as names do that only a network of one's own knows. */
const NEARBY = /^(?!localhost$)[^.:]+$|\.(?:local|lan|internal|home\.arpa)$/;
const UNFILLED = /(?:^|\.)your-?(?:domain|company|site|server|app|bucket)\b/;

/** The price of a licence paid once, beside a `monthlyPrice` of 0, is such a case, too. */
function hasFreePart(plan: Plan): boolean {
  const amounts = [...pricesOf(plan).values()];
  return amounts.includes(0) && amounts.some((amount) => amount > 0);
}

/** Whether `annualPrice` is neither the price of 12 months nor a twelfth of it, whatever the rounding. */
function isOtherYear(plan: Plan, cycles: readonly BillingCycle[]): boolean {
  const years = pricesFor(12, plan, cycles).filter((price) => price > 0);
  const isNear = (price: number) => Math.abs(plan.annualPrice / price - 1) < ROUNDING - 1;
  return years.length > 0 && plan.annualPrice > 0 && !years.some((price) => isNear(price) || isNear(price / 12));
}

/** What rounding the price of a month can add up to. */
const ROUNDING = 1.05;

/** Whether a year, or a cycle of several months, costs clearly more than as many months. Five years may be a lifetime. */
function costsMoreForLonger(plan: Plan, cycles: readonly BillingCycle[]): boolean {
  const most = Math.max(plan.monthlyPrice, ...pricesFor(1, plan, cycles)) * ROUNDING;
  const prices = pricesOf(plan);
  const isDearer = ({ key, durationMonths }: Pick<BillingCycle, "key" | "durationMonths">) =>
    durationMonths > 1 && durationMonths <= 12 && (prices.get(key) ?? 0) > most * durationMonths;
  return most > 0 && [...cycles, { key: BY_THE_YEAR, durationMonths: 12 }].some(isDearer);
}

/** `-17%`, `− 3 €`: says that a cycle is cheaper. */
const LESS = /^\s*[-\u2010-\u2015\u2212]\s*\p{Sc}?\s*\d/u;
/** `+5%`, `+ 3`: says that it is dearer; `+2 months` does not. */
const MORE = /^\s*\+\s*\p{Sc}?\s*\d\P{L}*$/u;

/** `17%`, `Save 17 %`; `+5%` is no saving. */
const SAVING = /^[^%+]*?(\d+(?:[.,]\d+)?) ?%[^%]*$/;
/** What rounding a saving can add to it. */
const POINT = 0.01;

/** Warns if a badge says the opposite of the prices, or promises more than any plan saves. */
function badgeWarnings({ currency, cycles, plans }: PlansResponse): string[] {
  const monthly = new Map(plans.map((plan) => [plan, pricesFor(1, plan, cycles)[0]]));
  const cent = 10 ** -decimalsOf(currency);
  return cycles.flatMap(({ key, durationMonths, savingBadge }) => {
    const rates = plans.flatMap((plan) => {
      const price = Object.hasOwn(plan.prices, key) ? (plan.prices[key] ?? 0) : 0;
      const usual = (monthly.get(plan) ?? plan.monthlyPrice) * durationMonths;
      // The price of a month may be computed from this one, and rounded.
      const isShare = monthly.get(plan) === undefined && Math.abs(price - usual) < durationMonths * cent;
      return price > 0 && usual > 0 && !isShare ? [{ id: plan.id, rate: price / usual }] : [];
    });
    const badge = savingBadge ?? "";
    const promise = rates.length > 0 ? wrongIn(badge, rates) : undefined;
    const wrong = /^\s*\d+\s*$/.test(badge) ? "is a number alone: write what it says, as in -17%" : promise;
    return wrong === undefined ? [] : [`the badge of the cycle "${key}" ${wrong}`];
  });
}

/** `rate`: what a plan costs in the cycle, compared with its months. */
function wrongIn(badge: string, rates: readonly { id: string; rate: number }[]): string | undefined {
  const sign = LESS.test(badge) ? -1 : Number(MORE.test(badge));
  // The tolerance hides what binary fractions add: 3 × 0.1 is more than 0.3.
  const opposite = rates.find(({ rate }) => (rate - 1) * sign < -0.000_001);
  const [says, costs] = sign < 0 ? ["cheaper", "more"] : ["dearer", "less"];
  if (opposite) return `says ${says}, but plan "${opposite.id}" costs ${costs} than by the month`;
  const promised = Number(SAVING.exec(badge)?.[1]?.replace(",", ".") ?? 0) / 100;
  const most = Math.max(0, 1 - Math.min(...rates.map(({ rate }) => rate)));
  const [some, all] = [promised, most].map((part) => `${Math.round(part * 100)} %`);
  return promised > most + POINT ? `promises ${some}, and no plan saves more than ${all}` : undefined;
}
