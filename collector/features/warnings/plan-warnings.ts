// Probable mistakes in plans: prices that contradict each other, their cycles, or what is said of them. Plans go in, a line for each
// mistake comes out.
import { isCurrencyCode, NO_CURRENCY, whatApplies } from "../../../snapshots/rules.ts";
import type { BillingCycle, Plan, PlansResponse } from "../../../snapshots/schema.ts";
import { currencyMeant } from "../kinds/own-shape/amount.ts";
import { decimalsOf } from "../kinds/minor-units.ts";
import { BY_THE_YEAR, isOnePrice, pricesFor, pricesOf } from "../prices/plan-prices.ts";
import { proseIn } from "./prose.ts";

const MAX_OF_A_SORT = 5;

export function planWarnings(payload: PlansResponse): string[] {
  const { cycles, plans } = payload;
  const keys = cycles.map(({ key }) => key);
  const known = keys.slice(0, MAX_OF_A_SORT).join(" or ");
  const sorts = [
    ofAllPlans(payload),
    cycles.flatMap(({ key, labelKey }) => proseIn(`labelKey of "${key}"`, labelKey)),
    plans.flatMap(({ id, prices }) =>
      Object.keys(prices)
        .filter((key) => !keys.includes(key))
        .map((key) => `plan "${id}": the price "${key}" is for no cycle: write ${known} in "prices"`),
    ),
    ...Object.entries(planFaults(payload)).map(([fault, isIn]) =>
      plans.filter(isIn).map(({ id }) => `plan "${id}": ${fault}`),
    ),
    badgeWarnings(payload),
    cycles.flatMap(otherMonths),
    cycles.flatMap((cycle) => (lacksPrice(cycle, plans) ? [`no plan has a price for the cycle "${cycle.key}"`] : [])),
  ];
  return sorts.flatMap((lines) => lines.slice(0, MAX_OF_A_SORT));
}

function ofAllPlans(payload: PlansResponse): string[] {
  const { currency, plans } = payload;
  const shown = /^[\p{L}\p{Sc}]{1,8}$/u.test(currency) ? ` "${currency}"` : "";
  const isCode = isCurrencyCode(currency) || currency === NO_CURRENCY;
  const instead = isCode ? currency : (currencyMeant(currency) ?? "one such as USD");
  const popular = plans.flatMap(({ id, popular }) => (popular ? [`"${id}"`] : []));
  return [
    ...whatApplies({
      [`the currency${shown} is not an ISO 4217 code: write ${instead}`]: !isCode,
      [`several plans are marked popular: ${popular.slice(0, MAX_OF_A_SORT).join(", ")}; leave one`]:
        popular.length > 1,
      "all prices are whole and large: are they cents? Then write 19.99 rather than 1999": areCents(payload),
    }),
    ...proseIn("currency", currency),
  ];
}

/** The plans that have a fault, by what it is. */
function planFaults({ currency, cycles, plans }: PlansResponse): Record<string, (plan: Plan) => boolean> {
  const ids = plans.map(({ id }) => id.toLowerCase());
  const decimals = decimalsOf(currency);
  const charged = `what is charged${decimals === 0 ? ", in whole numbers" : ""}`;
  return {
    [`a price has more decimals than ${currency}: write ${charged}, or correct "currency"`]: ({ prices }) =>
      Object.values(prices).some((price) => Number(price.toFixed(decimals)) !== price),
    "another differs in capitals only": ({ id }) => ids.filter((one) => one === id.toLowerCase()).length > 1,
    "0 beside paid prices, which reads as free": hasFreePart,
    "12 months cost less than one: are the two swapped? If it is a month's share, write what all 12 cost": (plan) => {
      const [month = 0, year = month] = [1, 12].map((months) => pricesFor(months, plan, cycles)[0]);
      return year > 0 && year < month;
    },
    "paying for longer costs more than by the month: is an amount in another unit?": (plan) =>
      costsMoreForLonger(plan, cycles),
    "monthlyPrice differs from the price of the cycle of 1 month: edit both": (plan) =>
      isOnePrice(plan, cycles) === false,
    "annualPrice is neither the price of the cycle of 12 months nor a twelfth of it: correct one of the two": (plan) =>
      isOtherYear(plan, cycles),
  };
}

/** `monthlyPrice` and `annualPrice` are the prices of two, unless a badge speaks of more. */
function lacksPrice({ key, durationMonths, savingBadge }: BillingCycle, plans: readonly Plan[]): boolean {
  return (
    (Boolean(savingBadge) || ![1, 12].includes(durationMonths)) &&
    plans.some(({ prices }) => Object.values(prices).some((price) => price > 0)) &&
    plans.every(({ prices }) => !Object.hasOwn(prices, key))
  );
}

const MONTHS = new Map(Object.entries({ month: 1, monthly: 1, year: 12, yearly: 12, annual: 12 }));
const ONCE = /^(?:lifetime|forever|perpetual|once|one[-_]?time)/i;

/** At most one line, where the key says more clearly how long a cycle is. One of more than 120 months is shown as paid once. */
function otherMonths({ key, durationMonths: months }: BillingCycle): string[] {
  const meant = MONTHS.get(key.toLowerCase()) ?? (ONCE.test(key) && months <= 120 ? 1200 : months);
  return meant === months ? [] : [`cycle "${key}": durationMonths is ${months}: write ${meant} for it`];
}

/** Few plans cost hundreds a month in these currencies. */
function areCents({ currency, plans }: PlansResponse): boolean {
  const amounts = plans.map(({ monthlyPrice }) => monthlyPrice).filter((price) => price > 0);
  const isOdd = (price: number) => Number.isInteger(price) && price >= 400;
  return ["USD", "EUR", "GBP", "CHF"].includes(currency) && amounts.length > 0 && amounts.every(isOdd);
}

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
