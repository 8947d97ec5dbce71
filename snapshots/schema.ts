// The public shapes, field by field, as the interface specification lists them. This is their only definition:
// validation, TypeScript types, OpenAPI and the MCP schemas all come from here. Strict: an unlisted field cannot pass.
import * as z from "zod";
import { ARCHITECTURES } from "./processors.ts";
import { isPlainText, isPublicUrl, KEY, linkFault, MAX_CHANGELOG, MAX_URL, plainLine, repeated } from "./rules.ts";

export const PLATFORMS = ["macos", "windows"] as const;
export type Platform = (typeof PLATFORMS)[number];

const MAX_LINE = 200;
const MAX_PRICES = 100;
const MAX_PLANS = 1_000;
const MAX_SIGNATURE = 1_024;
/** Longest JSON of a release's files, in bytes: a proof has room for it beside the longest base URL. All collectors publish as much. */
export const MAX_FILES_BYTES = 2_540;

// Published with the shapes, for clients in any language: less than the rules demand, in what all dialects of regular
// expressions have in common.
const ONE_LINE = "^[^\\x00-\\x1f\\x7f-\\x9f]*$";
const PLAIN_TEXT = "^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*$";
const WEB_ADDRESS = "^https?://[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]+$";

/** Of a field that cannot be left out, though it may be null. */
const orNull = { error: ({ input }: { input?: unknown }) => (input === undefined ? OR_NULL : undefined) };
const OR_NULL = "must be given: null if there is none";
/** Such as `Contact us`, `unlimited` and null, where a number belongs. */
const isWord = (input: unknown) => input === null || (typeof input === "string" && !/\d/.test(input));
const ON_REQUEST = "must be at least 0: leave out a plan whose price is on request";
const NOT_COUNTED = "must be at least 0: null if credits are not counted";

const line = (description: string, min = 1, params: Parameters<typeof z.string>[0] = {}) =>
  z
    .string(params)
    .min(min)
    .max(MAX_LINE)
    .refine((text) => isPlainText(text) && !/[\t\n]/.test(text), "must be one line without control characters")
    .meta({ description, pattern: ONE_LINE });
const key = (description: string) =>
  z
    .string()
    .regex(KEY, "must be 1 to 64 of A-Z a-z 0-9 . _ : - and begin with a letter or digit")
    .describe(description);
const anyAmount = z.number({ error: ({ input }) => (isWord(input) ? ON_REQUEST : undefined) }).min(0, ON_REQUEST);
const amount = (description: string) => anyAmount.describe(description);
const link = (description: string) =>
  z
    .string()
    .max(MAX_URL)
    .refine(isPublicUrl, { error: ({ input }) => linkFault(String(input)) })
    .meta({ description, format: "uri", pattern: WEB_ADDRESS });

export const BillingCycle = z
  .strictObject({
    key: key("Cycle identifier"),
    durationMonths: z
      .int()
      .min(1, "must be at least 1: 1200 for what is paid once")
      .describe("Length of the cycle in months"),
    labelKey: line("Label identifier, for the reader's own translations"),
    savingBadge: line("Text of a badge such as -17%", 0, orNull)
      .nullable()
      .describe("Text of a badge; null when none applies"),
  })
  .describe("A rhythm of payment");

export const Plan = z
  .strictObject({
    id: key("Plan identifier"),
    popular: z.boolean().describe("True for a plan that the vendor recommends"),
    prices: z
      .record(key("Price identifier"), amount("Price in major units of the currency"))
      .refine((prices) => Object.keys(prices).length <= MAX_PRICES, `must have at most ${MAX_PRICES} entries`)
      .meta({
        description: "Prices in major units of the currency; the keys are the vendor's own",
        maxProperties: MAX_PRICES,
      }),
    monthlyPrice: amount("Price by the month, in major units; may be a twelfth of annualPrice if none is stated"),
    annualPrice: amount("Price by the year, in major units; may be twelve times monthlyPrice if none is stated"),
    creditsMonthly: z
      .int({ error: ({ input }) => (isWord(input) ? NOT_COUNTED : orNull.error({ input })) })
      .min(0, NOT_COUNTED)
      .nullable()
      .describe("Credits granted each month; null when not listed"),
  })
  .describe("A subscription plan");

export const PlansResponse = z
  .strictObject({
    currency: line("Currency of all prices"),
    cycles: z.array(BillingCycle).superRefine(distinct("key")),
    plans: z.array(Plan).max(MAX_PLANS, `must have at most ${MAX_PLANS} entries`).superRefine(distinct("id")),
  })
  .describe("The current plans with their billing cycles and prices");

export const Release = z
  .strictObject({
    platform: z.enum(PLATFORMS).describe("Platform of the installer"),
    version: line("Release version, as the vendor writes it"),
    changelog: z
      .string()
      .max(MAX_CHANGELOG)
      .refine(isPlainText, "must be text without control characters")
      .meta({ description: "What changed, in the vendor's words; plain text, possibly empty", pattern: PLAIN_TEXT }),
    downloadURL: link("Where the installer is downloaded"),
    size: z
      .string()
      .regex(/^(?:[1-9][0-9]{0,15})?$/, "must be the bytes in digits, or empty")
      .describe("Installer size in bytes; empty when unknown"),
    date: line("Release date as the vendor supplies it", 0),
  })
  .describe("An installable version of the app for one platform");

const NoRelease = z
  .strictObject({ hasUpdate: z.literal(false).describe("No release is published for the platform") })
  .describe("No release is published");
const ReleaseExists = z
  .strictObject({
    hasUpdate: z.literal(true).describe("A release is published for the platform"),
    forceUpdate: z.boolean().describe("True when older versions must update"),
    latest: Release,
  })
  .describe("A release is published");

export const LatestReleaseResponse = z
  .discriminatedUnion("hasUpdate", [NoRelease, ReleaseExists])
  .describe("The latest release of one platform, or the fact that none is published");

/** What a plan is called, for people. Not a part of any public shape above: it travels beside the plans. `computed`: annualPrice is
 * twelve times monthlyPrice, or monthlyPrice a twelfth of annualPrice, because the vendor states no other. */
export const PlanName = z
  .object({
    title: line("What the plan is called, such as Pro").optional(),
    line: line("Whom it is for, in a few words").optional(),
    buy: link("Where the plan is bought").optional(),
    // A word of a newer version must not hide the names.
    computed: z.enum(["year", "month"]).optional().catch(undefined).describe("The price that was computed, not stated"),
  })
  .describe("What a plan is called, and where it is bought");
/** The names by the id of the plan. */
export const PlanNames = z.record(key("Plan identifier"), PlanName);

const digest = (bits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bits / 4}}$`), "must be lower-case hex");

/** An installer, with what the upstream states about it. Not a part of any public shape above: it travels beside the release. */
export const ReleaseFile = z
  .object({
    url: link("Where the installer is downloaded"),
    arch: z.enum(ARCHITECTURES).optional().describe("Processor; absent if the installer's name says none"),
    size: z.int().min(1).optional().describe("In bytes"),
    sha256: digest(256).optional().describe("SHA-256 of the installer, in hex"),
    sha512: digest(512).optional().describe("SHA-512 of the installer, in hex"),
    signature: z.string().max(MAX_SIGNATURE).refine(isPlainText).optional().describe("As the upstream writes it"),
  })
  .describe("An installer, with what the upstream states about it");

/** Every published installer of a release; the first is that of its `downloadURL`. */
export const ReleaseFiles = z
  .array(ReleaseFile)
  .refine(
    (files) => Buffer.byteLength(JSON.stringify(files)) <= MAX_FILES_BYTES,
    `must have at most ${MAX_FILES_BYTES} bytes`,
  );

export type ReleaseFile = z.infer<typeof ReleaseFile>;
export type PlanName = z.infer<typeof PlanName>;
export type PlanNames = z.infer<typeof PlanNames>;
export type BillingCycle = z.infer<typeof BillingCycle>;
export type Plan = z.infer<typeof Plan>;
export type PlansResponse = z.infer<typeof PlansResponse>;
export type Release = z.infer<typeof Release>;
export type LatestReleaseResponse = z.infer<typeof LatestReleaseResponse>;

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Removes the limits that zod adds to integers in a JSON Schema, the greatest safe ones: the interface specification
 * has none. */
export function dropSafeBounds(schema: { maximum?: number; minimum?: number }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

function distinct<K extends string>(field: K) {
  return (items: readonly Record<K, string>[], context: z.RefinementCtx) => {
    const twin = repeated(items.map((item) => item[field]));
    if (twin !== undefined) context.addIssue(`must not repeat the ${field} "${plainLine(twin, 80)}"`);
  };
}

/** Longest proof of a snapshot, in characters. */
export const MAX_PROOF = 4_096;
/** The most public keys beside it: that of the collector, and five others. */
export const MAX_KEYS = 6;

/** A public key as settings have it: 32 bytes in base64url, in their only spelling. */
export const PublicKey = z
  .string()
  .refine((text) => isKeyIn("base64url", text), "must be a public key of 43 characters, as vitrine keygen writes it");

/** Whether a text is 32 bytes in the one spelling that programs write: some readers decode it, others compare it. */
export function isKeyIn(form: "base64" | "base64url", text: string): boolean {
  const bytes = Buffer.from(text, form);
  return bytes.length === 32 && bytes.toString(form) === text;
}
