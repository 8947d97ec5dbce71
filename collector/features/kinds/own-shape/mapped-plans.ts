// The plans that `fields` finds in a document: its currency and amounts, read as they are stated. An amount that is not stated as the
// settings say is never guessed. Each refusal says what to write.
import { firstLines, isCurrencyCode } from "../../../../snapshots/rules.ts";
import type { Plan } from "../../../../snapshots/schema.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { displayName } from "../../../parsing/issues.ts";
import type { Candidate } from "../../../source.ts";
import { foundAt, foundNear, unmetIn, valueAt } from "./pointer.ts";
import { amountForm, currencyMeant, readAmount, type AmountForm } from "./amount.ts";
import {
  draftsOf,
  entriesOf,
  hasAmount,
  misfitOf,
  plansAmong,
  type Draft,
  type Said,
  type Stated,
} from "./plan-drafts.ts";
import { markOfMore } from "./partial-list.ts";
import { PART_OF_YEAR, waysTo, WHOLE_YEAR, type PlanFields } from "./plan-fields.ts";

const MAX_SAID = 100;
const MAX_NAMED = 5;

/** Of every document that settings cannot read. */
export const OR_A_PROGRAM =
  'or let a program of yours print the plans: { "from": "command", "command": ["node", "plans.mjs"] }';

/** @throws UpstreamError that names the plan and what to write */
export function mappedPlans(document: unknown, fields: PlanFields): Candidate {
  try {
    return readPlans(document, fields);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw error.withMessage(`${error.message}; ${OR_A_PROGRAM}`);
  }
}

function readPlans(document: unknown, fields: PlanFields): Candidate {
  requireWhole(document, fields);
  const said: Said = { skipped: [], warnings: [] };
  const all = entriesOf(document, fields);
  const drafts = draftsOf(plansAmong(all, fields, said), fields, said);
  const isKept = (draft: Draft) => fields.withoutPrice === undefined || hasAmount(draft);
  const kept = drafts.filter(isKept);
  if (all.length > 0 && kept.length === 0) {
    const [why = "no price is stated"] = said.skipped;
    throw new UpstreamError(`none of ${all.length} entries is a plan to publish (${why})`);
  }
  const isNowhere = (at: string) => all.length > 0 && all.every(({ value }) => valueAt(value, at) === undefined);
  for (const at of Object.keys(fields.where ?? {})) {
    if (isNowhere(at)) said.warnings.push(`nothing at ${at} for "where"${foundNear(all[0]?.value, at)}`);
  }
  const leftOut = drafts.filter((draft) => !isKept(draft)).map(({ id }) => displayName(id));
  const currency = currencyOf(document, kept, fields);
  if (fields.currency.startsWith("/") && !isCurrencyCode(currency))
    said.warnings.push(
      `the currency is ${displayName(currency)}, which is no code: "currency": "${currencyMeant(currency) ?? "…"}" states it`,
    );
  said.warnings.push(...otherCurrencies(kept, fields));
  const form = amountForm(currency, fields.minorUnits);
  // Six are micros, and meant.
  if (form.minorUnits > 0 && form.minorUnits < 6 && form.minorUnits !== form.decimals && isCurrencyCode(currency))
    said.warnings.push(
      `"minorUnits" is ${form.minorUnits}, and ${currency} has ${form.decimals}: right only if the vendor stores all amounts so`,
    );
  const plans = kept.map((draft) => planOf(draft, form, { ...fields, isNowhere }));
  const paid = plans.map(({ monthlyPrice }) => monthlyPrice).filter((price) => price > 0);
  // Of cents, 99 is usual, and 12 is not.
  if (form.minorUnits === form.decimals && paid.some((price) => price < 0.9) && paid.every((price) => price < 2))
    said.warnings.push(
      `"minorUnits" is ${form.minorUnits}, and all plans cost less than 2 ${currency}: is 12 in the document 12 ${currency}?`,
    );
  const computed = kept.flatMap(({ id, monthly, annual }) => {
    const which = annual?.computed ?? monthly?.computed;
    return which === undefined ? [] : [[id, { computed: which }] as const];
  });
  checkPlans(plans, { ...said, fields, drafts: kept, leftOut, computed: new Set(computed.map(([id]) => id)) });
  return {
    payload: { currency, cycles: fields.cycles, plans },
    names: Object.fromEntries(computed),
    dropped: 0,
    warnings: said.warnings,
    skipped: firstLines(said.skipped, MAX_SAID),
    ...(leftOut.length > 0 && {
      reminders: [`left out, because no price is stated: ${firstLines(leftOut, MAX_NAMED).join(", ")}`],
    }),
  };
}

/** @throws UpstreamError for a document that is not the one that is meant, or only a part of it */
function requireWhole(document: unknown, { require: required, plans }: PlanFields): void {
  const unmet = unmetIn(document, required ?? {});
  if (unmet !== undefined)
    throw new UpstreamError(
      `the value at ${unmet} is not the one in "require"${foundAt(document, unmet, required ?? {})}`,
    );
  const more = markOfMore(document, plans);
  if (more === undefined || required?.[more] !== undefined) return;
  throw new UpstreamError(
    `more plans follow at another address (${more}): ask for all at once, or publish these alone with "require": { "${more}": … }`,
  );
}

/** The currency of all plans. @throws UpstreamError for two, or none */
function currencyOf(document: unknown, drafts: readonly Draft[], fields: PlanFields): string {
  const { currency: setting } = fields;
  if (!setting.startsWith("/")) return isCurrencyCode(setting.toUpperCase()) ? setting.toUpperCase() : setting;
  const common = valueAt(document, setting);
  const stated = drafts.flatMap(({ currencies }) => currencies);
  const odd = stated.length === 0 ? drafts.find(({ unfit }) => unfit.length > 0) : undefined;
  if (odd && common === undefined)
    throw new UpstreamError(`plan "${displayName(odd.id)}": price ${misfitOf(odd.unfit, fields, 1)}`);
  const found = stated.length === 0 ? [common] : stated.map((one) => one ?? common);
  const currencies = new Set(
    found.map((one) => (typeof one === "string" && /^[a-z]{3}$/.test(one) ? one.toUpperCase() : one)),
  );
  const [only, another] = currencies;
  if (another !== undefined || currencies.size > 1) {
    const names = [...currencies].map((one) => (typeof one === "string" && one !== "" ? displayName(one) : "none"));
    const [code, other] = names.filter((name) => name !== "none");
    const remedy =
      code !== undefined && other === undefined
        ? `"currency": "${code}" states it for all`
        : `"where": { "${setting}": … } publishes those of one`;
    throw new UpstreamError(`currency: the plans have ${firstLines(names, MAX_NAMED).join(", ")}: ${remedy}`);
  }
  if (typeof only === "string" && only !== "") return only;
  throw new UpstreamError(`currency: there is none at ${setting}: write it, as in "currency": "USD"`);
}

const BESIDE_A_PRICE = /^currency(?:_?(?:code|iso))?$/i;

/** What the plans themselves say, where the settings say the currency. A price of another one may be meant. */
function otherCurrencies(drafts: readonly Draft[], { currency }: PlanFields): string[] {
  if (currency.startsWith("/")) return [];
  const found = drafts
    .flatMap(({ entries }) => entries.flatMap(({ value }) => Object.entries(Object(value) as object)))
    .find(([key, text]) => BESIDE_A_PRICE.test(key) && isOtherCode(text, currency));
  if (!found) return [];
  const [key, other] = found;
  return [`a plan says ${other} at /${key}, and "currency" is ${displayName(currency)}: is it the price in that one?`];
}

function isOtherCode(text: unknown, currency: string): text is string {
  return (
    typeof text === "string" && isCurrencyCode(text.toUpperCase()) && text.toUpperCase() !== currency.toUpperCase()
  );
}

/** `isNowhere`: true of a pointer that finds nothing in any entry. */
type Mapping = PlanFields & { isNowhere(at: string): boolean };

function planOf(draft: Draft, form: AmountForm, fields: Mapping): Plan {
  const { id, entries, monthly, annual } = draft;
  const fail = (field: string, problem: string) => new UpstreamError(`plan "${displayName(id)}": ${field} ${problem}`);
  const amount = (field: string, stated: Stated): number => {
    const read = readAmount(stated.raw, stated.months, form);
    if (typeof read === "string") throw fail(field, read);
    const whole = read * stated.times;
    return stated.times < 1 ? Number(whole.toFixed(form.decimals)) : whole;
  };
  const without = '"withoutPrice": "leave out" leaves out such plans';
  if (!hasAmount(draft)) throw fail("price", `is not stated: ${deadPointer(fields, "monthlyPrice") ?? without}`);
  const or = (field: "monthlyPrice" | "annualPrice", way: string, does: string) => {
    const known = waysTo(fields[field]);
    // What is computed instead would hide the mistake, and may differ from the price.
    const dead = deadPointer(fields, field);
    if (dead !== undefined) return `is not stated: ${dead}`;
    // What it would be computed from is not stated, either.
    if (known.includes(way)) return 'is not stated: "where" leaves out such a plan, by its other values';
    const ways = [...known, way];
    return `is not stated: "${field}": ${JSON.stringify(ways.length === 1 ? way : ways)} ${does}`;
  };
  const lacking = (field: string, problem: string) => {
    if (draft.unfit.length === 0) return fail(field, problem);
    const misfit = misfitOf(draft.unfit, fields, monthly ? 12 : 1);
    return fail("price", draft.prices.size === 0 ? misfit : `${misfit}; or ${field} ${problem}`);
  };
  if (!monthly) throw lacking("monthlyPrice", or("monthlyPrice", PART_OF_YEAR, "computes it from the year"));
  if (!annual) throw lacking("annualPrice", or("annualPrice", WHOLE_YEAR, "says that one pays twelve times the month"));
  const [monthlyPrice, annualPrice] = [amount("monthlyPrice", monthly), amount("annualPrice", annual)];
  if (annualPrice > 0 && annualPrice < monthlyPrice) {
    const at = fields.amount ?? waysTo(fields.annualPrice).find((way) => way.startsWith("/")) ?? "/…";
    // Who pays for a year saves less than half of it.
    const isByMonth = annualPrice * 2 >= monthlyPrice;
    const remedy = isByMonth
      ? `"annualPrice": "${WHOLE_YEAR} of ${at}" reads one that is stated by the month`
      : 'correct the two pointers; where plans list their prices in another order, "rows" with "cycle" reads them';
    throw fail("annualPrice", `is less than the monthly price: ${remedy}`);
  }
  const ofMonth = waysTo(fields.annualPrice).find((way) => way.startsWith(`${WHOLE_YEAR} of `));
  // A month of a year costs less than two alone.
  if (annual.times === 12 && !annual.computed && ofMonth && monthlyPrice > 0 && annualPrice > 24 * monthlyPrice) {
    const at = ofMonth.slice(ofMonth.indexOf("/"));
    throw fail("annualPrice", `is more than 24 months: "annualPrice": "${at}" reads one that is stated by the year`);
  }
  const prices = [...draft.prices].map(([key, stated]) => [key, amount(`the price "${key}"`, stated)]);
  return {
    id,
    popular: entries.some(({ value }) => isPopular(value, fields.popular, fail)),
    creditsMonthly: creditsOf(draft, fields.creditsMonthly) ?? null,
    monthlyPrice,
    annualPrice,
    prices: Object.fromEntries(prices),
  };
}

function deadPointer(fields: Mapping, field: "monthlyPrice" | "annualPrice"): string | undefined {
  const at = waysTo(fields[field]).find((way) => way.startsWith("/") && fields.isNowhere(way));
  if (at === undefined) return undefined;
  const steps = at.replace(/\/$/, "").split("/");
  const meant = steps
    .map((_, index) => ["", ...steps.slice(index + 1)].join("/"))
    .find((one) => one !== "" && !fields.isNowhere(one));
  const remedy = meant === undefined ? "" : `: write ${JSON.stringify(meant)}`;
  return `${JSON.stringify(at)} finds nothing: pointers begin at each entry${remedy}`;
}

/** Any text but empty, false, 0 and no says that a plan is popular, such as that of a badge. */
function isPopular(
  plan: unknown,
  setting: PlanFields["popular"],
  fail: (field: string, problem: string) => UpstreamError,
): boolean {
  if (setting === undefined) return false;
  if (typeof setting === "object") return unmetIn(plan, setting) === undefined;
  const found = valueAt(plan, setting) ?? false;
  if (typeof found === "object")
    throw fail("popular", 'must be true, false or text: { "/badge": "Popular" } names the value');
  return !["", "false", "0", "no", "none", "null", "n/a", "-"].includes(String(found).trim().toLowerCase());
}

/** Undefined if it is no count. */
function creditsOf(draft: Draft, at: string | undefined): number | undefined {
  const found = at === undefined ? undefined : foundIn(draft, at);
  const count = typeof found === "string" && /^\d{1,15}$/.test(found) ? Number(found) : found;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** The value at a pointer in the first entry that has one. */
function foundIn({ entries }: Draft, at: string): unknown {
  return entries.map(({ value }) => valueAt(value, at)).find((found) => found !== undefined && found !== null);
}

interface Seen extends Said {
  fields: PlanFields;
  drafts: readonly Draft[];
  leftOut: readonly string[];
  computed: ReadonlySet<string>;
}

/** Warns of what is probably a mistake. @throws UpstreamError if a price of the settings is nowhere */
function checkPlans(plans: readonly Plan[], { fields, drafts, leftOut, computed, warnings }: Seen): void {
  if (plans.length === 0) return;
  const say = (those: readonly { id: string }[], text: string) => {
    const ids = those.map(({ id }) => id);
    if (ids.length > 0) warnings.push(`${text}: ${firstLines(ids, MAX_NAMED).join(", ")}`);
  };
  for (const [key, at] of Object.entries(fields.prices ?? {})) {
    if (plans.every(({ prices }) => !Object.hasOwn(prices, key)))
      throw new UpstreamError(`no plan has a price for "${key}" (${at})`);
  }
  for (const field of ["popular", "creditsMonthly"] as const) {
    const at = fields[field];
    if (typeof at !== "string") continue;
    if (drafts.every((draft) => foundIn(draft, at) === undefined))
      warnings.push(`nothing at ${at} for "${field}"${foundNear(drafts[0]?.entries[0].value, at)}`);
  }
  if (typeof fields.popular === "object" && !plans.some(({ popular }) => popular))
    warnings.push('no plan is popular: none has a value that "popular" names');
  const credits = fields.creditsMonthly;
  const isNoCount = (draft: Draft) =>
    credits !== undefined && foundIn(draft, credits) !== undefined && creditsOf(draft, credits) === undefined;
  say(drafts.filter(isNoCount), "creditsMonthly is no count, and is left out");
  const isOneAmount = ({ id, monthlyPrice, annualPrice }: Plan) =>
    !computed.has(id) && monthlyPrice > 0 && monthlyPrice === annualPrice;
  say(plans.filter(isOneAmount), "annualPrice equals monthlyPrice");
  if (plans.length > 1 && plans.every(({ popular }) => popular))
    warnings.push('all plans are popular: { "/badge": "Popular" } names the value');
  if (leftOut.length > 0 && plans.every(({ monthlyPrice }) => monthlyPrice === 0))
    warnings.push("only free plans have a price here");
}
