// The expected value for each kind of mismatch that the schema library reports, in the words of this program: its own
// sentences name its types and quote patterns and the reader's keys. Messages of a schema take precedence.
import type * as z from "zod";

type RawIssue = z.core.$ZodRawIssue;

/** Completes a path: `plans[0].id` "must be of type string". For the `error` of a parse. */
export function expectation(issue: RawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "int") return "must be a whole number";
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
      return issue.errors.length > 0 ? alternatives(issue.errors) : "must be one of the known kinds";
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

/** The same for a document whose values a message must not quote: with the type of the value, not the value. */
export function expectationOfUpstream(issue: RawIssue): string {
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

/** Each alternative that is of another type as a whole; none if one fits and only its contents do not. */
function alternatives(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const wholes = errors.map((issues) => issues.find(({ path }) => path.length === 0)?.message);
  if (wholes.includes(undefined)) return "does not have its form";
  return [...new Set(wholes)].join(", or ");
}

function unit(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " entries" : "";
}
