// What is wrong with an upstream's document or with the settings, in our own words: messages say what was expected, and quote nothing
// of the upstream's but a name, made printable.
import type * as z from "zod";
import { clip, firstLines, KEY } from "../../snapshots/rules.ts";

/** Shows an upstream's name of a field, a file or a release: at most 80 characters, without control characters. */
export function displayName(name: string): string {
  return clip(name.slice(0, 400).replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ""), 80, "");
}

export const UPSTREAM_WORDS = { error: expectationOfUpstream };

const MAX_ISSUES = 3;

/** The keys of these records are upstream text, which error messages must not quote. */
const UPSTREAM_KEYED = new Set<unknown>(["platforms", "currency_options"]);

/** Shows the first issues of a parse with UPSTREAM_WORDS, which quote nothing of the upstream's. */
export function issuesText(issues: readonly z.core.$ZodIssue[], most = MAX_ISSUES): string {
  const lines = issues.map((issue) => `${fieldPath(issue.path)}: ${issue.message}`);
  return firstLines(lines, most).join("; ");
}

/** Writes a place in a document as `plans[0].id`. A key that is the upstream's own text becomes `*`, unless prices may have it. */
export function fieldPath(path: z.core.$ZodIssue["path"]): string {
  const steps = path.map((step, index) => {
    if (typeof step === "number") return `[${step}]`;
    const holder = path[index - 1];
    const isShown = holder === "prices" ? KEY.test(String(step)) : !UPSTREAM_KEYED.has(holder);
    return isShown ? `.${String(step)}` : ".*";
  });
  return steps.join("").replace(/^\./, "") || "the answer";
}

type RawIssue = z.core.$ZodRawIssue;

/** Says what was expected, in the words of this program, for the `error` of a parse: `plans[0].id` "must be of type string".
 * The schema library's own sentences name its types and quote patterns and the reader's keys. Messages of a schema take
 * precedence. */
export function expectation(issue: RawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "int") return "must be a whole number";
      if (issue.expected === "number" && typeof issue.input === "number") return "is beyond the range of numbers";
      if (issue.expected === "boolean") return "must be true or false";
      return `must be of type ${issue.expected === "record" ? "object" : issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "too_small":
      if (issue.minimum === 1 && ["string", "array"].includes(issue.origin)) return "must not be empty";
      return `must ${issue.origin === "array" ? "have" : "be"} at least ${issue.minimum}${unit(issue.origin)}`;
    case "too_big":
      return `must ${issue.origin === "array" ? "have" : "be"} at most ${issue.maximum}${unit(issue.origin)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_union":
      return issue.errors.length > 0 ? alternatives(issue.errors) : "must name one of the known kinds of source";
    case "unrecognized_keys":
      return "has an unlisted field";
    case "invalid_key":
      return `has a key that ${issue.issues[0]?.message ?? "is not allowed"}`;
    case "invalid_format":
    case "invalid_element":
    case "custom":
      return "does not have its form";
  }
}

/** Does the same for a document whose values a message must not quote: with the type of the value, not the value. */
function expectationOfUpstream(issue: RawIssue): string {
  if (issue.code === "invalid_union" && issue.errors.length === 0) return "must be true or false";
  if (issue.code !== "invalid_type") return expectation(issue);
  const { input, expected } = issue;
  const found = input === null ? "null" : Array.isArray(input) ? "array" : typeof input;
  if (found === "undefined") return `${expectation(issue)} (it is missing)`;
  // A number that is not whole has the right type.
  return found === (expected === "int" ? "number" : expected)
    ? expectation(issue)
    : `${expectation(issue)}, not ${found}`;
}

/** Names each alternative that is of another type as a whole; none if one fits and only its contents do not. */
function alternatives(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const wholes = errors.map((issues) => issues.find(({ path }) => path.length === 0)?.message);
  if (wholes.includes(undefined)) return "does not have its form";
  return [...new Set(wholes)].join(", or ");
}

function unit(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " entries" : "";
}
