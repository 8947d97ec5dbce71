// Trying again what failed in passing: full-jitter backoff, and never sooner than the upstream asked for.
import { setTimeout as sleep } from "node:timers/promises";
import { UpstreamError } from "./upstream-error.ts";

/** Milliseconds: the first pause is up to BASE, the next up to twice that; an upstream that wants more than LONGEST is
 * left alone until the next run. */
const BASE = 500;
const LONGEST = 10_000;

/** Runs `action` up to `tries` times, again only after a transient UpstreamError. @throws the last error. */
export async function retry<T>(
  action: () => Promise<T>,
  { tries, signal }: { tries: number; signal: AbortSignal },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof UpstreamError) || !error.isTransient || attempt === tries) throw error;
      const asked = error.retryAfter ?? 0;
      if (asked > LONGEST) throw error;
      await sleep(Math.max(asked, Math.random() * BASE * 2 ** (attempt - 1)), undefined, { signal });
    }
  }
}

/** How long an answer asks to be left alone, milliseconds: Retry-After, or the end of a rate limit that is used up, as
 * GitHub and others tell it (X-RateLimit-Reset in seconds since the epoch or from now; draft-ietf-httpapi-ratelimit-headers). */
export function requestedPause(header: (name: string) => string | undefined, now = Date.now()): number | undefined {
  const pause = retryAfter(header("retry-after"), now);
  if (pause !== undefined) return pause;
  const inOne = /;\s*r=0\b(?:.*;)?\s*t=(\d{1,12})/.exec(header("ratelimit") ?? "")?.[1];
  if (inOne !== undefined) return Number(inOne) * 1000;
  for (const prefix of ["x-ratelimit", "ratelimit"]) {
    const reset = header(`${prefix}-reset`) ?? "";
    if (header(`${prefix}-remaining`) !== "0" || !/^\d{1,12}$/.test(reset)) continue;
    const seconds = Number(reset);
    return Math.min(DAY, seconds > A_DATE ? Math.max(0, seconds * 1000 - now) : seconds * 1000);
  }
  return undefined;
}

/** No rate limit lasts longer than this, milliseconds. */
const DAY = 24 * 60 * 60_000;

/** Seconds: what is larger is no span but a date, of 2001 or later. */
const A_DATE = 1_000_000_000;

/** Retry-After in milliseconds from now: delta seconds or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A wait for people, rounded up: `40 s`, `12 min`. */
export function waitText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
