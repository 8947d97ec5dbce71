// The meaning of an HTTP status other than 200: 304 without conditions, 403 and 429 with a rate limit, 5xx.
import { requestedPause, waitText } from "./retry.ts";
import { UpstreamError } from "./upstream-error.ts";

/** The error for a response other than 200. 429 and 5xx are retried, unless the requested pause is too long: then later
 * runs skip the upstream until its end (run/upstream-state.ts). */
export function statusError(status: number, header: (name: string) => string | undefined): UpstreamError {
  // GitHub answers 403 when a rate limit is exhausted.
  const mayNameAPause = status === 403 || status === 429 || status >= 500;
  const wait = mayNameAPause ? requestedPause(header) : undefined;
  const isTransient = status === 429 || status >= 500 || wait !== undefined;
  if (status === 304) return new UpstreamError("answered 304 to an unconditional request", { status });
  const when = wait !== undefined && status < 500 ? `: too many requests, try again in ${waitText(wait)}` : "";
  return new UpstreamError(`answered ${status}${when}`, { isTransient, retryAfterMs: wait, status });
}
