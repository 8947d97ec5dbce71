// The part of `fields` that says where the plans are in a document, and what is wrong with it.
import * as z from "zod";
import { BillingCycle, Plan, PlansResponse } from "../../../../snapshots/schema.ts";
import { conditions, pointer } from "./pointer.ts";

export const WHOLE_YEAR = "12 months";
export const PART_OF_YEAR = "1/12 year";

/** A pointer to the amount, or how it follows from the other one. */
const amountFrom = (computed: typeof WHOLE_YEAR | typeof PART_OF_YEAR) => {
  const forms = computed === WHOLE_YEAR ? /^(?:\/.*|12 months(?: of \/.*)?)$/ : /^(?:\/.*|1\/12 year)$/;
  const where = z.string().max(500).regex(forms, `must be a JSON Pointer such as /price, or "${computed}"`);
  return z.union([where, z.array(where).min(1).max(5)]);
};

const cycleKey = BillingCycle.shape.key;
const placeOfId = z.union([pointer, z.literal("key")]);

export const PlanFields = z.strictObject({
  plans: z
    .union([pointer, z.record(cycleKey, pointer)])
    .describe(
      "The plans, as a list or as an object; or such a list for each cycle. All pointers below begin at each entry",
    ),
  require: conditions.optional().describe("Values that the document must have"),
  where: conditions.optional().describe('Only entries with these values are plans: { "/status": ["active"] }'),
  cycles: PlansResponse.shape.cycles.describe("The billing cycles to publish"),
  currency: z.string().min(1).max(200).describe("The currency itself, such as USD, or a pointer to it"),
  minorUnits: z.int().min(0).max(6).optional().describe("Decimals of prices that are in minor units: 2 for cents"),
  id: z
    .union([
      placeOfId,
      z.strictObject({ slug: placeOfId }),
      z.strictObject({ at: placeOfId, is: z.record(z.string(), Plan.shape.id) }),
    ])
    .describe(
      'A pointer; "key" for an object\'s keys; { "slug": "/name" }; or { "at": "/id", "is": { "prod_1": "pro" } }',
    ),
  popular: z.union([pointer, conditions]).optional(),
  creditsMonthly: pointer.optional(),
  monthlyPrice: amountFrom(PART_OF_YEAR).optional(),
  annualPrice: amountFrom(WHOLE_YEAR).optional(),
  prices: z
    .record(cycleKey, pointer)
    .refine((prices) => Object.keys(prices).length <= 100, "must have at most 100 entries")
    .optional(),
  withoutPrice: z
    .literal("leave out")
    .optional()
    .describe("Leaves out plans without any amount, and says so in each run"),
  amount: pointer.optional().describe("The amount, where each entry is for one cycle"),
  rows: pointer.optional().describe("The list of a plan's prices, at which the pointers of `cycle` and `amount` begin"),
  cycle: z.record(cycleKey, conditions).optional().describe('Which one: { "monthly": { "/interval": "month" } }'),
});
export type PlanFields = z.infer<typeof PlanFields>;

/** The key of the only cycle of this length; undefined if there is none or several. */
export function cycleOf({ cycles }: { cycles: readonly BillingCycle[] }, months: number): string | undefined {
  const [only, another] = cycles.filter(({ durationMonths }) => durationMonths === months);
  return another ? undefined : only?.key;
}

/** The ways to an amount, in their order. */
export function waysTo(field: PlanFields["annualPrice"]): string[] {
  return field === undefined ? [] : [field].flat();
}

/** What is wrong with the settings; undefined if nothing is. */
export function mistakeIn(fields: PlanFields): string | undefined {
  const { plans, amount, rows, cycle, prices, monthlyPrice, annualPrice } = fields;
  const keys = new Set(fields.cycles.map(({ key }) => key));
  const named = [cycle, prices, typeof plans === "object" ? plans : undefined].flatMap((one) => Object.keys(one ?? {}));
  const unknown = named.find((key) => !keys.has(key));
  if (unknown !== undefined) return `"${unknown}" is not among the cycles: ${[...keys].slice(0, 5).join(", ")}`;
  if (amount === undefined) {
    const needless = rows !== undefined ? "rows" : cycle !== undefined ? "cycle" : undefined;
    if (needless !== undefined) return `"${needless}" needs "amount", the pointer to a row's amount`;
    if (typeof plans === "object") return 'a list for each cycle needs "amount", the pointer to an entry\'s amount';
    if (monthlyPrice === undefined) return 'needs "monthlyPrice", a pointer or "1/12 year"';
    if (annualPrice === undefined) return 'needs "annualPrice", a pointer or "12 months", what one pays for a year';
    const unclear = fields.cycles.find(
      ({ key, durationMonths }) => cycleOf(fields, durationMonths) !== key || ![1, 12].includes(durationMonths),
    );
    if (prices === undefined && unclear)
      return `needs "prices", with a pointer for each cycle: "${unclear.key}" is not the only one of 1 or 12 months`;
  } else {
    if ((cycle === undefined) === (typeof plans === "string"))
      return '"amount" needs either "cycle" or a list for each cycle';
    if (prices !== undefined) return '"prices" follow from the rows: leave them out';
  }
  const [month, year] = [waysTo(monthlyPrice), waysTo(annualPrice)];
  if (year.some((way) => way.startsWith("/") && month.includes(way))) {
    const key = cycleOf(fields, 12);
    const without = key === undefined ? "" : `, and leave out the cycle "${key}"`;
    return `"annualPrice" is at the place of "monthlyPrice": write "annualPrice": "${WHOLE_YEAR}" if no price for a year is stated${without}`;
  }
  const { creditsMonthly: credits = "none" } = fields;
  if ([...month, ...year, ...Object.values(prices ?? {}), amount].includes(credits))
    return '"creditsMonthly" is at the place of a price';
  const isCircle =
    amount === undefined && ![...month, ...year].some((way) => way.includes("/") && way !== PART_OF_YEAR);
  return isCircle ? '"monthlyPrice" and "annualPrice" are computed from each other: one needs a pointer' : undefined;
}
