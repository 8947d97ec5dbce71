// The setting `fields`: where the facts are in a JSON document of another shape.
import * as z from "zod";
import { BillingCycle, PlansResponse } from "../../../snapshots/schema.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";

const pointer = z
  .string()
  .max(500)
  .regex(/^(\/.*)?$/, "must be a JSON Pointer, which starts with /, such as /data/version");

const ReleaseFields = z.strictObject({
  version: pointer,
  downloadURL: z
    .string()
    .max(2_000)
    .regex(/^(\/|https:\/\/)/, "must be a JSON Pointer such as /url, or an https link that is always the same"),
  changelog: pointer.optional(),
  date: pointer.optional(),
  size: pointer.optional(),
  forceUpdate: pointer.optional(),
  require: z
    .record(pointer, z.union([z.string(), z.boolean()]))
    .optional()
    .describe('Values that the document must have, such as { "/kind": "mac-software" }'),
});

const PlanFields = z.strictObject({
  plans: pointer.describe("The list of plans; the pointers after `currency` begin at each plan"),
  cycles: PlansResponse.shape.cycles.describe("The billing cycles to publish"),
  currency: z.string().min(1).max(200).describe("The currency itself, such as USD, or a pointer to it"),
  minorUnits: z.int().min(1).max(4).optional().describe("Decimals of prices that are in minor units: 2 for cents"),
  id: pointer,
  popular: pointer.optional(),
  creditsMonthly: pointer.optional(),
  monthlyPrice: pointer,
  annualPrice: pointer,
  prices: z
    .record(BillingCycle.shape.key, pointer)
    .refine((prices) => Object.keys(prices).length <= 100, "must have at most 100 entries"),
});

export const fields = z
  .union([ReleaseFields, PlanFields])
  .optional()
  .describe("JSON Pointers to the facts, for a document that is not in Vitrine's own shape");

export type ReleaseFields = z.infer<typeof ReleaseFields>;
export type PlanFields = z.infer<typeof PlanFields>;
export type FieldSettings = ReleaseFields | PlanFields;

/** @throws Error if the source is configured for snapshots that its fields cannot fill. */
export function requireMatchingFields(names: readonly SnapshotName[], fields: FieldSettings | undefined): void {
  if (!fields) return;
  const isOfPlans = "plans" in fields;
  if (isOfPlans !== names.includes("plans")) {
    throw new Error(`"fields" describes ${isOfPlans ? "plans, not a release" : "a release, not plans"}`);
  }
  if (names.length > 1) {
    throw new Error('"fields" describes one release: use { "macos": …, "windows": … } with a source for each');
  }
}
