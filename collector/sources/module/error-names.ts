// A file of its own, so that the thread need not load a schema library for a list of words.

/** Names of errors that may be told: anybody can write anything into the name of an error of their own. */
export const ERROR_NAMES = [
  "Error",
  "AggregateError",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
  "AbortError",
  "another value",
] as const;
