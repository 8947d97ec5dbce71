// The entries of a document that are plans, and one draft for each id: what is stated of its prices, not yet read.
import { firstLines, slugOf } from "../../../../snapshots/rules.ts";
import { Plan } from "../../../../snapshots/schema.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { displayName } from "../../../parsing/issues.ts";
import { foundAt, listsIn, unmetIn, valueAt } from "./pointer.ts";
import { isNoAmount } from "./amount.ts";
import { cycleOf, PART_OF_YEAR, waysTo, WHOLE_YEAR, type PlanFields } from "./plan-fields.ts";

const MAX_PLANS = 1_000;
const MAX_ROWS = 20_000;
const MAX_NAMED = 5;

/** An entry of the document. `key`: in an object. `cycle`: of its list. */
export interface Entry {
  value: unknown;
  key?: string;
  cycle?: string;
}

/** An amount as the document states it, for `months` months; the price is `times` times it. `computed`: not stated by the vendor. */
export interface Stated {
  raw: unknown;
  months: number;
  times: number;
  computed?: "year" | "month";
}

/** What is stated of a plan, before its amounts are read. `entries`: one, or a row for each cycle. `prices`: by the key of the cycle. */
export interface Draft {
  id: string;
  entries: readonly [Entry, ...Entry[]];
  monthly: Stated | undefined;
  annual: Stated | undefined;
  prices: ReadonlyMap<string, Stated>;
  /** The rows with a price that fits no cycle. */
  unfit: readonly unknown[];
  /** Beside its prices; undefined where there is none. */
  currencies: readonly unknown[];
}

/** What the operator reads beside the plans of a document. */
export interface Said {
  skipped: string[];
  warnings: string[];
}

/** All entries. @throws UpstreamError if there is no list, or a long one */
export function entriesOf(document: unknown, { plans, id }: PlanFields): Entry[] {
  const lists = typeof plans === "string" ? [[undefined, plans] as const] : Object.entries(plans);
  const entries = lists.flatMap(([cycle, at]) =>
    listAt(document, at, usesKeys(id)).map((entry) => ({ ...entry, ...(cycle !== undefined && { cycle }) })),
  );
  if (entries.length > MAX_PLANS) throw new UpstreamError(`plans: must have at most ${MAX_PLANS} entries`);
  return entries;
}

/** The entries that `where` lets through. */
export function plansAmong(entries: readonly Entry[], { where = {}, id }: PlanFields, said: Said): Entry[] {
  return entries.filter((entry, index) => {
    const unmet = unmetIn(entry.value, where);
    const name = displayName(idOf(entry, id) ?? entry.key ?? `entry ${index + 1}`);
    if (unmet !== undefined)
      said.skipped.push(`${name}: its ${unmet} is not as "where" says${foundAt(entry.value, unmet, where)}`);
    return unmet === undefined;
  });
}

function usesKeys(id: PlanFields["id"]): boolean {
  return id === "key" || (typeof id === "object" && Object.values(id).includes("key"));
}

function listAt(document: unknown, at: string, isKeyed: boolean): Entry[] {
  const found = valueAt(document, at);
  if (Array.isArray(found) && !isKeyed) return found.map((value: unknown) => ({ value }));
  if (Array.isArray(found)) {
    const [id = "id"] = Object.entries(Object(found[0]) as object).find(([, value]) => typeof value === "string") ?? [];
    throw new UpstreamError(`plans: is a list, without keys: write a pointer, as in "id": "/${displayName(id)}"`);
  }
  const members: [string, unknown][] = Object.entries(Object(found) as object);
  // Members that are texts or numbers, such as a currency beside the plans, are no plans.
  const isPlan = ([, value]: [string, unknown]) => typeof value === "object" && value !== null;
  const lists = listsIn(document);
  const isInList = lists.some((list) => at.startsWith(`${list}/`));
  const isOfPlans = typeof found === "object" && !isInList && listsIn(found, 1).length === 0 && members.some(isPlan);
  if (!isKeyed && isOfPlans)
    throw new UpstreamError('plans: is an object, not a list: "id": "key" takes its keys as ids');
  if (!isKeyed || typeof found !== "object" || found === null) {
    const places = lists.slice(0, MAX_NAMED).map((list) => `"${displayName(list)}"`);
    const there = isKeyed || places.length === 0 ? "" : `: there is one at ${places.join(" and ")}`;
    throw new UpstreamError(
      `plans: there is no ${isKeyed ? "object" : "list"} at ${at === "" ? "the top" : at}${there}`,
    );
  }
  if (members.length > 0 && !members.some(isPlan)) throw new UpstreamError("plans: no member of the object is one");
  return members.filter(isPlan).map(([key, value]) => ({ key, value }));
}

/** The id as the settings make it, not yet checked; undefined if the entry is none of the plans they name. */
function idOf(entry: Entry, id: PlanFields["id"]): string | undefined {
  const at = typeof id === "string" ? id : "slug" in id ? id.slug : id.at;
  const found = at === "key" ? entry.key : valueAt(entry.value, at);
  const text = typeof found === "number" ? String(found) : typeof found === "string" ? found : "";
  if (typeof id === "string") return text;
  if ("slug" in id) return slugOf(text);
  return Object.hasOwn(id.is, text) ? id.is[text] : undefined;
}

interface Gathered {
  id: string;
  unfit: unknown[];
  entries: [Entry, ...Entry[]];
  prices: Map<string, unknown>;
  currencies: unknown[];
}

/** One draft for each id. @throws UpstreamError for an id that cannot be published, and two prices of a plan for one cycle */
export function draftsOf(entries: readonly Entry[], fields: PlanFields, said: Said): Draft[] {
  const plans = new Map<string, Gathered>();
  for (const entry of entries) {
    const id = idOf(entry, fields.id);
    if (id === undefined) {
      const name = entryName(entry, fields);
      said.skipped.push(`${displayName(name)}: not among the plans of "id"`);
      const named = typeof fields.id === "object" && "is" in fields.id ? Object.keys(fields.id.is) : [];
      if (named.some((one) => one.toLowerCase() === name.toLowerCase()))
        said.warnings.push(`"id" names ${displayName(name)} with other capitals, so it is left out`);
      continue;
    }
    requireId(id, entry, fields);
    const known = plans.get(id);
    const plan: Gathered = known ?? { id, entries: [entry], prices: new Map(), currencies: [], unfit: [] };
    if (known) known.entries.push(entry);
    plans.set(id, plan);
    if (known && fields.amount === undefined) {
      throw new UpstreamError(
        `plan "${displayName(id)}" is there twice: ${unlike(known.entries[0], entry)}"where" chooses one, and "amount" with "cycle" reads a row for each cycle`,
      );
    }
    gather(plan, entry, fields, said);
  }
  return [...plans.values()].map((plan) => draftOf(plan, fields));
}

/** A member that tells two entries apart. */
function unlike(one: Entry, other: Entry): string {
  const texts = Object.entries(Object(one.value) as object).filter(([, value]) => typeof value === "string");
  const [key] = texts.find(([key, value]) => value !== valueAt(other.value, `/${key}`)) ?? [];
  return key === undefined ? "" : `"id": { "at": "/${displayName(key)}", "is": { … } } tells two apart, `;
}

function entryName({ key, value }: Entry, { id }: PlanFields): string {
  const at = typeof id === "object" && "at" in id ? id.at : "";
  const found = at === "key" ? key : valueAt(value, at);
  return typeof found === "string" || typeof found === "number" ? String(found) : "an entry";
}

function requireId(id: string, { key }: Entry, { id: setting }: PlanFields): void {
  if (Plan.shape.id.safeParse(id).success) return;
  if (id === "" && typeof setting === "object")
    throw new UpstreamError('id: a plan has none by these settings: { "at": "/name", "is": { … } } names it');
  if (id === "")
    throw new UpstreamError(
      `id: a plan has none${key === undefined ? "" : ` (${displayName(key)})`}: { "slug": "/name" } makes one from a name`,
    );
  const remedy =
    typeof setting === "object" ? '{ "at": "/name", "is": { … } } names it' : '{ "slug": … } makes one from it';
  throw new UpstreamError(`id: must be 1 to 64 of A-Z a-z 0-9 . _ : - and begin with a letter or digit: ${remedy}`);
}

/** Adds the prices of an entry, with the currency beside each. */
function gather(plan: Gathered, entry: Entry, fields: PlanFields, said: Said): void {
  const { prices, currencies } = plan;
  const name = displayName(plan.id);
  const refuse = (problem: string) => new UpstreamError(`plan "${name}" ${problem}`);
  const { amount, rows, currency } = fields;
  const currencyOf = (row: unknown) =>
    currency.startsWith("/") ? (valueAt(row, currency) ?? valueAt(entry.value, currency)) : currency;
  if (amount === undefined) {
    const pointers = Object.entries(fields.prices ?? statedPointers(fields));
    for (const [key, at] of pointers) prices.set(key, valueAt(entry.value, at));
    currencies.push(currencyOf(entry.value));
    return;
  }
  const list = rows === undefined ? [entry.value] : valueAt(entry.value, rows);
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) throw refuse(`has no list at ${rows}`);
  if (list.length > MAX_ROWS) throw refuse(`has more than ${MAX_ROWS} prices`);
  for (const row of list as unknown[]) {
    const [key, another] = keysOf(row, entry, fields);
    if (another !== undefined)
      throw refuse(`has a price that is both "${key}" and "${another}": a further value in "cycle" tells them apart`);
    if (key === undefined) {
      said.skipped.push(`a price of ${name}: fits no cycle: ${unmetValues([row], fields)}`);
      if (!isNoAmount(valueAt(row, amount))) plan.unfit.push(row);
      continue;
    }
    const multiple = multipleBeside(row, fields.cycle?.[key] ?? {});
    if (multiple !== undefined)
      throw refuse(
        `has a price for "${key}" with another ${multiple} than 1: "${multiple}": 1 in "cycle" leaves it out`,
      );
    if (prices.has(key)) throw refuse(`has two prices for "${key}": "where" or a further value in "cycle" chooses one`);
    prices.set(key, valueAt(row, amount));
    currencies.push(currencyOf(row));
  }
}

function keysOf(row: unknown, { cycle: ofList }: Entry, { cycle = {} }: PlanFields): string[] {
  if (ofList !== undefined) return [ofList];
  return Object.entries(cycle).flatMap(([key, named]) => (unmetIn(row, named) === undefined ? [key] : []));
}

/** A place that the cycle does not name and that makes it longer: `interval_count` beside `interval`. */
function multipleBeside(row: unknown, named: object): string | undefined {
  const counts = Object.keys(named).flatMap((at) => [`${at}_count`, `${at}Count`]);
  return counts.find((at) => !Object.hasOwn(named, at) && Number(valueAt(row, at) ?? 1) !== 1);
}

/** What rows have where the cycles name something else, such as `/interval is MONTH`. */
function unmetValues(rows: readonly unknown[], { cycle = {} }: PlanFields): string {
  const texts = rows.flatMap((row) =>
    Object.values(cycle).flatMap((named) => {
      const at = unmetIn(row, named);
      const found = at === undefined ? null : (valueAt(row, at) ?? null);
      return at === undefined ? [] : `${at} is ${typeof found === "object" ? "no value" : displayName(String(found))}`;
    }),
  );
  return firstLines([...new Set(texts)], MAX_NAMED).join(", ");
}

/** What is wrong with rows that fit no cycle, and what to write for the one of this length: values that differ in case are meant. */
export function misfitOf(rows: readonly unknown[], fields: PlanFields, months: number): string {
  const key = cycleOf(fields, months) ?? "…";
  const [ofAnother = {}] = Object.values(fields.cycle ?? {});
  const named = fields.cycle?.[key] ?? Object.fromEntries(Object.keys(ofAnother).map((at) => [at, []]));
  const words = Object.entries(named).map(([at, wanted]) => {
    const meant = new Set([wanted].flat().map((one) => String(one).toLowerCase()));
    const found = rows.map((row) => valueAt(row, at)).find((one) => meant.has(String(one).toLowerCase()));
    return `"${at}": ${typeof found === "string" ? `"${displayName(found)}"` : String(found ?? "…")}`;
  });
  return `fits no cycle (${unmetValues(rows, fields)}): "cycle": { "${key}": { ${words.join(", ")} } } names its values`;
}

/** Without `prices`: the places of `monthlyPrice` and `annualPrice`, under the only cycles of 1 and 12 months. */
function statedPointers(fields: PlanFields): Record<string, string> {
  const stated = [
    [cycleOf(fields, 1), fields.monthlyPrice],
    [cycleOf(fields, 12), fields.annualPrice],
  ] as const;
  return Object.fromEntries(
    stated.flatMap(([key, field]) => {
      const [way = ""] = waysTo(field);
      return key !== undefined && way.startsWith("/") ? [[key, way]] : [];
    }),
  );
}

function draftOf({ id, entries, prices, currencies, unfit }: Gathered, fields: PlanFields): Draft {
  const [{ value: plan }] = entries;
  const [ofMonth, ofYear] = [waysTo(fields.monthlyPrice), waysTo(fields.annualPrice)];
  const lengths = new Map(fields.cycles.map(({ key, durationMonths }) => [key, durationMonths]));
  const statedFor = (key: string): Stated => {
    const [raw, months, at] = [prices.get(key), lengths.get(key) ?? 0, fields.amount ?? fields.prices?.[key]];
    // The price of the year's cycle may be stated by the month, too.
    return months === 12 && ofYear.includes(`${WHOLE_YEAR} of ${at}`)
      ? { raw, months: 1, times: 12 }
      : { raw, months, times: 1 };
  };
  const ofCycle = (months: number): Stated[] => {
    const key = fields.amount === undefined ? undefined : cycleOf(fields, months);
    return key === undefined ? [] : [statedFor(key)];
  };
  const monthly = [...ofCycle(1), ...ofMonth.flatMap((way) => statedAt(plan, way, 1))].find(isStated);
  const annual = [...ofCycle(12), ...ofYear.flatMap((way) => statedAt(plan, way, 12))].find(isStated);
  const partOfYear: Stated | undefined = annual && { ...annual, times: annual.times / 12, computed: "month" };
  const wholeYear: Stated | undefined = monthly && { ...monthly, times: 12, computed: "year" };
  return {
    id,
    entries,
    monthly: monthly ?? (ofMonth.includes(PART_OF_YEAR) ? partOfYear : undefined),
    annual: annual ?? (ofYear.includes(WHOLE_YEAR) ? wholeYear : undefined),
    prices: new Map([...prices.keys()].map((key) => [key, statedFor(key)] as const).filter(([, one]) => isStated(one))),
    currencies,
    unfit,
  };
}

/** What is stated at `/price`, or by `12 months of /price`. */
function statedAt(plan: unknown, way: string, months: number): Stated[] {
  const at = way.slice(way.indexOf("/"));
  if (way.startsWith("/")) return [{ raw: valueAt(plan, at), months, times: 1 }];
  return way.startsWith(`${WHOLE_YEAR} of`) ? [{ raw: valueAt(plan, at), months: 1, times: 12 }] : [];
}

function isStated({ raw }: Stated): boolean {
  return !isNoAmount(raw);
}

export function hasAmount({ monthly, annual, prices, unfit }: Draft): boolean {
  return monthly !== undefined || annual !== undefined || prices.size > 0 || unfit.length > 0;
}
