// Facts in a JSON document of another shape, found by the pointers of the setting `fields`. Nothing else of the document is
// read.
import * as z from "zod";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import type { Platform } from "../../../snapshots/schema.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { valueAt } from "../../parsing/json-pointer.ts";
import { checkShape, linkText, listOf, notes, optionalText, shortText } from "../../parsing/shape.ts";
import { majorUnits } from "../../plans/amount.ts";
import { readFileName } from "../../releases/file-name.ts";
import { displayName, fileName, linkFrom, platformOf, releaseCandidate } from "../../releases/release.ts";
import type { Candidate } from "../../source.ts";
import type { FieldSettings, PlanFields, ReleaseFields } from "./field-settings.ts";

const ReleaseValues = z.object({
  version: shortText,
  downloadURL: linkText,
  changelog: notes,
  date: optionalText,
  size: z.union([z.number(), shortText], "must be a number of bytes").nullish(),
  forceUpdate: z.boolean().default(false),
});

const MAX_PLANS = 1_000;
const PlanList = z.object({ plans: listOf(z.unknown(), MAX_PLANS) });

/** `decimals`: of prices in minor units; 0 for major units. */
const planValues = (decimals: number) => {
  const amount = amountIn(decimals);
  const plan = z.object({
    id: z.union([shortText, z.int().transform(String)], "must be text"),
    popular: z.boolean().nullish(),
    creditsMonthly: z.number().nullish(),
    monthlyPrice: amount,
    annualPrice: amount,
    prices: z.record(z.string(), amount.nullish()),
  });
  return z.object({ currency: shortText, plans: z.array(plan) });
};

/** An amount as a number, or as text: `"12.50"`. */
const amountIn = (decimals: number) =>
  z.union([z.number(), shortText], "must be an amount").transform((value, context) => {
    const amount = decimals === 0 && typeof value === "number" ? value : majorUnits(String(value), decimals);
    if (amount === undefined) context.addIssue("must be an amount such as 12.50");
    return amount ?? z.NEVER;
  });

/** `url`: of the document. @throws UpstreamError naming the field that is missing or of the wrong type. */
export function mappedCandidate(document: unknown, name: SnapshotName, fields: FieldSettings, url?: string): Candidate {
  return "plans" in fields ? mappedPlans(document, fields) : mappedRelease(document, platformOf(name), fields, url);
}

function mappedRelease(document: unknown, platform: Platform, fields: ReleaseFields, url?: string): Candidate {
  const { require = {}, ...pointers } = fields;
  const other = Object.keys(require).find((pointer) => valueAt(document, pointer) !== require[pointer]);
  if (other !== undefined) throw new UpstreamError(`the value at ${other} is not the one in "require"`);
  const found = valuesAt(document, pointers);
  const { version, downloadURL, size, ...values } = checkShape(
    ReleaseValues,
    found,
    'the release that "fields" describes',
  );
  const file = fileName(downloadURL);
  const { form, platform: marked } = readFileName(file, new Set());
  if (form === "installer" && marked !== platform) {
    throw new UpstreamError(`${displayName(file)} is no installer for ${platform}`);
  }
  const release = {
    ...values,
    size,
    version: version.trim().replace(/^v\.?(?=\d)/i, ""),
    url: url === undefined ? downloadURL : linkFrom(downloadURL, url),
  };
  const picked = `${displayName(file)} of ${displayName(version)}`;
  return { ...releaseCandidate(platform, release, { picked, skipped: [] }), warnings: warningsOf(pointers, [found]) };
}

function mappedPlans(document: unknown, fields: PlanFields): Candidate {
  const { plans: at, currency, cycles, minorUnits = 0, prices, ...pointers } = fields;
  const list = checkShape(PlanList, { plans: valueAt(document, at) }, 'the list that "fields" describes').plans;
  const found = list.map((plan) => ({ ...valuesAt(plan, pointers), prices: valuesAt(plan, prices) }));
  const upstream = { ...valuesAt(document, { currency }), plans: found };
  const values = checkShape(planValues(minorUnits), upstream, 'the plans that "fields" describes');
  for (const [key, pointer] of Object.entries(prices)) {
    const isNowhere = list.length > 0 && values.plans.every((plan) => isMissing(plan.prices[key]));
    if (isNowhere) throw new UpstreamError(`no plan has a price for "${key}" (${pointer})`);
  }
  const plans = values.plans.map((plan) => ({
    ...plan,
    popular: plan.popular ?? false,
    creditsMonthly: plan.creditsMonthly ?? null,
    prices: Object.fromEntries(Object.entries(plan.prices).filter(([, price]) => !isMissing(price))),
  }));
  const payload = { currency: values.currency, cycles, plans };
  return { payload, dropped: 0, warnings: list.length > 0 ? warningsOf(pointers, found) : [] };
}

/** The value of each field at its pointer, or the text itself if it is no pointer. */
function valuesAt(part: unknown, fields: Record<string, string | undefined>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, text = ""]) => [field, /^[^/]/.test(text) ? text : valueAt(part, text)]),
  );
}

/** Optional fields that are in none of the parts: the pointer may be wrong. */
function warningsOf(fields: Record<string, string | undefined>, parts: readonly Record<string, unknown>[]): string[] {
  const missing = Object.entries(fields).filter(([field]) => parts.every((part) => isMissing(part[field])));
  return missing.map(([field, pointer]) => `nothing at ${pointer} for "${field}"`);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}
