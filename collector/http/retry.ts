// Retries of transient failures, with full-jitter backoff and never sooner than the upstream asked for.
import { setTimeout as sleep } from "node:timers/promises";
import { UpstreamError } from "./upstream-error.ts";

/** The longest first pause; it doubles with each try. */
const BASE_PAUSE_MS = 500;
/** An upstream that asks for a longer pause is not asked again in this run. */
const MAX_PAUSE_MS = 10_000;
/** No rate limit lasts longer. */
const DAY_MS = 24 * 60 * 60_000;
/** A larger number of seconds is not a span but a date, of 2001 or later. */
const MIN_EPOCH_SECONDS = 1_000_000_000;

/** Runs `action` up to `tries` times, and only repeats it after a transient UpstreamError. @throws the last error. */
export async function retry<T>(
  action: () => Promise<T>,
  { tries, signal }: { tries: number; signal: AbortSignal },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof UpstreamError) || !error.isTransient || attempt === tries) throw error;
      const requested = error.retryAfterMs ?? 0;
      if (requested > MAX_PAUSE_MS) throw error;
      await sleep(Math.max(requested, Math.random() * BASE_PAUSE_MS * 2 ** (attempt - 1)), undefined, { signal });
    }
  }
}

/** The pause that an answer asks for, in ms: Retry-After, or the time until an exhausted rate limit is reset. GitHub
 * and others send X-RateLimit-Reset in seconds since the epoch or from now (draft-ietf-httpapi-ratelimit-headers). */
export function requestedPause(header: (name: string) => string | undefined, now = Date.now()): number | undefined {
  const pause = retryAfter(header("retry-after"), now);
  if (pause !== undefined) return pause;
  const structured = /;\s*r=0\b(?:.*;)?\s*t=(\d{1,12})/.exec(header("ratelimit") ?? "")?.[1];
  if (structured !== undefined) return Number(structured) * 1000;
  for (const prefix of ["x-ratelimit", "ratelimit"]) {
    const reset = header(`${prefix}-reset`) ?? "";
    if (header(`${prefix}-remaining`) !== "0" || !/^\d{1,12}$/.test(reset)) continue;
    const seconds = Number(reset);
    return Math.min(DAY_MS, seconds > MIN_EPOCH_SECONDS ? Math.max(0, seconds * 1000 - now) : seconds * 1000);
  }
  return undefined;
}

/** Retry-After, which is seconds or an HTTP date (RFC 9110, 10.2.3), as ms from now. */
function retryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A pause in words, rounded up: `40 s`, `12 min`. */
export function waitText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
