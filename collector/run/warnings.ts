// Probable mistakes in facts that have passed the gate: a plan or a release that contradicts itself. They are told to the
// operator, and published; only two prices that were one until now are held, by the guard.
import { isCurrencyCode, NO_CURRENCY } from "../../snapshots/rules.ts";
import type { BillingCycle, Plan, PlansResponse } from "../../snapshots/schema.ts";
import type { Payload } from "../../snapshots/snapshot.ts";
import { namesOtherVersion } from "../releases/release.ts";

const MAX_OF_A_SORT = 5;

/** A line for each, for the operator. Of the facts, only ids, keys and versions. */
export function warningsOf(payload: Payload): string[] {
  if ("hasUpdate" in payload) {
    if (!payload.hasUpdate) return [];
    const { latest } = payload;
    return [...namesOtherVersion(latest), ...proseIn("version", latest.version), ...proseIn("date", latest.date)];
  }
  const { cycles, plans } = payload;
  const keys = new Set(cycles.map(({ key }) => key));
  const ofEachPlan = (warn: (plan: Plan) => string[]) => plans.flatMap(warn).slice(0, MAX_OF_A_SORT);
  return [
    ...(isCurrencyCode(payload.currency) || payload.currency === NO_CURRENCY
      ? []
      : ["the currency is not an ISO 4217 code such as USD"]),
    ...proseIn("currency", payload.currency),
    ...cycles.flatMap(({ key, labelKey }) => proseIn(`labelKey of "${key}"`, labelKey)).slice(0, MAX_OF_A_SORT),
    ...ofEachPlan(({ id, prices }) =>
      Object.keys(prices).flatMap((key) => (keys.has(key) ? [] : [`plan "${id}": the price "${key}" is for no cycle`])),
    ),
    ...ofEachPlan((plan) =>
      hasFreePart(plan) ? [`plan "${plan.id}": 0 beside paid prices, which reads as free`] : [],
    ),
    ...ofEachPlan((plan) =>
      isOnePrice(plan, cycles) === false
        ? [`plan "${plan.id}": monthlyPrice differs from the price of the cycle of 1 month: edit both`]
        : [],
    ),
    ...cycles.flatMap((cycle) => badgeWarning(cycle, payload)).slice(0, MAX_OF_A_SORT),
  ];
}

/** A warning if a text that should be one word, or a date, may be read as prose or markup: a model gets it as it is. */
function proseIn(field: string, text: string): string[] {
  // Such as `November 22, 2026`. JavaScript also reads past other words before a date, and what is in brackets.
  const isDate = field === "date" && /^(?:\d|[A-Z][a-z]{2,8} \d)[^<>()]*$/.test(text) && Date.parse(text) > 0;
  if (isDate || !/[<>\s]/.test(text)) return [];
  return [`the ${field} has spaces or angle brackets, which a model may take for prose`];
}

/** Whether `monthlyPrice` is the price of a cycle of one month, whatever its key; undefined if the plan has none. */
export function isOnePrice(plan: Plan, cycles: readonly BillingCycle[]): boolean | undefined {
  const amounts = pricesOfOneMonth(plan, cycles);
  return amounts.length === 0 ? undefined : amounts.includes(plan.monthlyPrice);
}

function pricesOfOneMonth({ prices }: Plan, cycles: readonly BillingCycle[]): number[] {
  return cycles.flatMap(({ key, durationMonths }) => (durationMonths === 1 ? (priceAt(prices, key) ?? []) : []));
}

/** Also undefined for a key such as `constructor`. */
function priceAt(prices: Plan["prices"], key: string): number | undefined {
  return Object.hasOwn(prices, key) ? prices[key] : undefined;
}

/** The price of a licence paid once, beside a `monthlyPrice` of 0, is such a case, too. */
function hasFreePart({ monthlyPrice, annualPrice, prices }: Plan): boolean {
  const amounts = [monthlyPrice, annualPrice, ...Object.values(prices)];
  return amounts.includes(0) && amounts.some((amount) => amount > 0);
}

/** `-17%`, `− 3 €`: says that a cycle is cheaper. */
const LESS = /^\s*[-\u2010-\u2015\u2212]\s*\p{Sc}?\s*\d/u;
/** `+5%`, `+ 3`: says that it is dearer; `+2 months` does not. */
const MORE = /^\s*\+\s*\p{Sc}?\s*\d\P{L}*$/u;

/** A warning if a badge says the opposite of the prices. */
function badgeWarning(cycle: BillingCycle, { cycles, plans }: PlansResponse): string[] {
  const { key, durationMonths, savingBadge } = cycle;
  const sign = LESS.test(savingBadge ?? "") ? -1 : Number(MORE.test(savingBadge ?? ""));
  const opposite = plans.find((plan) => {
    const [byTheMonth = plan.monthlyPrice] = pricesOfOneMonth(plan, cycles);
    const [price = 0, usual] = [priceAt(plan.prices, key), byTheMonth * durationMonths];
    // A factor hides what binary fractions add: 3 × 0.1 is more than 0.3.
    return price > 0 && usual > 0 && (sign < 0 ? price > usual * 1.000_001 : sign > 0 && price < usual * 0.999_999);
  });
  if (!opposite) return [];
  const [says, costs] = sign < 0 ? ["cheaper", "more"] : ["dearer", "less"];
  return [`the badge of the cycle "${key}" says ${says}, but plan "${opposite.id}" costs ${costs} than by the month`];
}
