// A separate file, so that the thread does not load a schema library for a list of words.

/** Error names that may be reported. Others are not, because a module can put anything into the name of an error. */
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
