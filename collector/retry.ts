// Trying again what failed in passing: full-jitter backoff, and never sooner than the upstream asked for.
import { setTimeout as sleep } from "node:timers/promises";
import { UpstreamError } from "./source.ts";

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

/** Retry-After in milliseconds from now: delta seconds or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
