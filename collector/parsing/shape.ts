// Parts of the schemas of upstream documents. The schemas are loose and list only the fields that are read.
import * as z from "zod";
import { MAX_CHANGELOG, MAX_URL } from "../../snapshots/rules.ts";
import { expectationOfUpstream } from "./expectation.ts";
import { changelogText } from "./normalize.ts";
import { UpstreamError } from "../http/upstream-error.ts";

const MAX_ISSUES = 3;

/** The keys of these records are upstream text, which error messages must not quote. */
const UPSTREAM_KEYED = new Set<unknown>(["prices", "platforms"]);

/** Items of an appcast that are examined, newest builds first; examining thousands would block the process. */
export const NEWEST_ITEMS = 500;

/** Release notes as plain text. Long ones are cut before the conversion, which would only take time. */
export const notes = z
  .string()
  .nullish()
  .transform((text) => changelogText(cutNotes(text ?? "")));

/** Cuts notes to a length that still fills a whole changelog after any conversion. */
export function cutNotes(text: string): string {
  return text.slice(0, 4 * MAX_CHANGELOG);
}

/** Longest name, tag, version, date or word; file systems and forges have the same limit. Otherwise the ten megabytes of a
 * document could be one name, and comparing, splitting and printing names would block the process for seconds. */
export const MAX_NAME = 255;
/** Of all file names in a document together: choosing an installer takes about half a second for a million characters. */
export const MAX_NAMES = 500_000;

export const shortText = text(MAX_NAME);

/** Longer than any that can be published, so that one over-long link of another file does not hide the release. */
export const linkText = text(2 * MAX_URL);

function text(max: number) {
  // Otherwise, later checks would see an object that was not transformed.
  return z.string().max(max, { error: `must have at most ${max} characters`, abort: true });
}

export const optionalText = orEmpty(shortText);
export const optionalLink = orEmpty(linkText);

function orEmpty(text: z.ZodString) {
  return text.nullish().transform((text) => text ?? "");
}

/** A list; its length is checked before its items. */
export function listOf<T extends z.ZodType>(item: T, max: number) {
  return z.array(z.unknown()).max(max, `must have at most ${max} entries`).pipe(z.array(item));
}

/** For a parse whose issues are shown. */
export const UPSTREAM_WORDS = { error: expectationOfUpstream };

/** @throws UpstreamError with our own field names and what they must be. */
export function checkShape<T extends z.ZodType>(schema: T, value: unknown, expected: string): z.infer<T> {
  const checked = schema.safeParse(value, UPSTREAM_WORDS);
  if (checked.success) return checked.data;
  throw new UpstreamError(`not ${expected}: ${issuesText(checked.error.issues)}`);
}

/** The first issues of a parse with UPSTREAM_WORDS, which quote nothing of the upstream's. */
export function issuesText(issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, MAX_ISSUES).map((issue) => `${fieldPath(issue.path)}: ${issue.message}`);
  const more = issues.length > MAX_ISSUES ? [`and ${issues.length - MAX_ISSUES} more`] : [];
  return [...shown, ...more].join("; ");
}

/** Where in a document: `plans[0].id`. A key that is the upstream's own text becomes `*`. */
export function fieldPath(path: z.core.$ZodIssue["path"]): string {
  const steps = path.map((step, index) => {
    if (typeof step === "number") return `[${step}]`;
    return UPSTREAM_KEYED.has(path[index - 1]) ? ".*" : `.${String(step)}`;
  });
  return steps.join("").replace(/^\./, "") || "the answer";
}
