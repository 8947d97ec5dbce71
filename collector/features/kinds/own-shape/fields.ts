// The setting `fields` says where the facts are in a JSON document of another shape, as JSON Pointers. Nothing else of the
// document is read.
import * as z from "zod";
import type { Platform } from "../../../../snapshots/schema.ts";
import type { SnapshotName } from "../../../../snapshots/snapshot.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { foundAt, foundNear, pointer, unmetIn, valueAt } from "./pointer.ts";
import { mappedPlans } from "./mapped-plans.ts";
import { mistakeIn, PlanFields } from "./plan-fields.ts";
import { fileName } from "../../../parsing/link.ts";
import { checkShape, linkText, notes, optionalText, shortText, statedText, unreadSize } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { readFileName } from "../releases/file-name.ts";
import { linkFrom } from "../releases/linked-files.ts";
import { releaseCandidate } from "../releases/release.ts";
import { platformOf, type Candidate } from "../../../source.ts";
import { newestEntry } from "./newest-entry.ts";

const ReleaseFields = z.strictObject({
  list: pointer.optional().describe("A list, of which the newest entry is read; the other pointers begin at the entry"),
  newest: pointer.optional().describe("What is newest in `list`: the date, number or version of an entry"),
  version: pointer,
  downloadURL: z
    .string()
    .max(2_000)
    .regex(/^(\/|https:\/\/)/, "must be a JSON Pointer such as /url, or an https link that is always the same"),
  changelog: pointer.optional(),
  date: pointer.optional(),
  size: pointer.optional(),
  forceUpdate: pointer.optional(),
  arch: pointer.optional(),
  sha256: pointer.optional(),
  sha512: pointer.optional(),
  signature: pointer.optional(),
  require: z
    .record(pointer, z.union([z.string(), z.boolean()]))
    .optional()
    .describe(
      'Values that the document must have, such as { "/kind": "mac-software" }; with `list`, only entries that have them count',
    ),
});

export const fields = z
  .union([ReleaseFields, PlanFields])
  .optional()
  .describe("JSON Pointers to the facts, for a document that is not in Vitrine's own shape");

type ReleaseFields = z.infer<typeof ReleaseFields>;
export type FieldSettings = ReleaseFields | PlanFields;

/** @throws Error if the source is configured for snapshots that its fields cannot fill. */
export function requireMatchingFields(names: readonly SnapshotName[], fields: FieldSettings | undefined): void {
  if (!fields) return;
  const isOfPlans = "plans" in fields;
  if (isOfPlans !== names.includes("plans")) {
    throw new Error(`"fields" describes ${isOfPlans ? "plans, not a release" : "a release, not plans"}`);
  }
  if (!isOfPlans && (fields.list === undefined) !== (fields.newest === undefined)) {
    throw new Error('"list" and "newest" belong together: the list, and in each entry its date or version');
  }
  if (names.length > 1) {
    throw new Error('"fields" describes one release: use { "macos": …, "windows": … } with a source for each');
  }
  const mistake = isOfPlans ? mistakeIn(fields) : undefined;
  if (mistake !== undefined) throw new Error(`"fields": ${mistake}`);
}

/** `url`: of the document, for relative links. @throws UpstreamError naming the field that is missing or of the wrong type. */
export function mappedCandidate(document: unknown, name: SnapshotName, fields: FieldSettings, url?: string): Candidate {
  return "plans" in fields ? mappedPlans(document, fields) : mappedRelease(document, platformOf(name), fields, url);
}

const ReleaseValues = z.object({
  version: shortText,
  downloadURL: linkText,
  changelog: notes,
  date: optionalText,
  size: z.union([z.number(), shortText], "must be a number of bytes").nullish(),
  forceUpdate: z.boolean().default(false),
  arch: statedText,
  sha256: statedText,
  sha512: statedText,
  signature: statedText,
});

function mappedRelease(document: unknown, platform: Platform, fields: ReleaseFields, url?: string): Candidate {
  const { require = {}, list, newest, ...pointers } = fields;
  const isOfList = list !== undefined && newest !== undefined;
  const part = isOfList ? newestEntry(document, { list, newest, version: pointers.version, require }) : document;
  const unmet = unmetIn(part, require);
  if (unmet !== undefined)
    throw new UpstreamError(`the value at ${unmet} is not the one in "require"${foundAt(part, unmet, require)}`);
  const found = valuesAt(part, pointers);
  const { version, downloadURL, arch, sha256, sha512, signature, ...values } = checkShape(
    ReleaseValues,
    found,
    'the release that "fields" describes',
  );
  const file = fileName(downloadURL);
  const { form, platform: marked } = readFileName(file, new Set());
  if (form === "installer" && marked !== platform) {
    throw new UpstreamError(`${displayName(file)} is no installer for ${platform}`);
  }
  const link = url === undefined ? downloadURL : linkFrom(downloadURL, url);
  return releaseCandidate(platform, {
    ...values,
    version: version.trim().replace(/^v\.?(?=\d)/i, ""),
    url: link,
    files: [{ url: link, arch, sha256, sha512, signature }],
    picked: `${displayName(file)} of ${displayName(version)}`,
    skipped: [],
    warnings: [...warningsOf(pointers, found, part), ...unreadSize(values.size)],
  });
}

/** Reads each field at its pointer, or takes the text itself if it is no pointer. */
function valuesAt(part: unknown, fields: Record<string, string | undefined>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, text = ""]) => [field, /^[^/]/.test(text) ? text : valueAt(part, text)]),
  );
}

/** Warns of optional fields that are not there: the pointer may be wrong. */
function warningsOf(
  fields: Record<string, string | undefined>,
  found: Record<string, unknown>,
  part: unknown,
): string[] {
  const missing = Object.entries(fields).filter(([field]) => (found[field] ?? undefined) === undefined);
  return missing.map(([field, at = ""]) => `nothing at ${at} for "${field}"${foundNear(part, at)}`);
}
