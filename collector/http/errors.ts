// The errors that sources throw: a message for the operator in our own words, and whether and when to ask again. A failure is
// retried only here, and never sooner than the upstream asked for.
import { setTimeout as sleep } from "node:timers/promises";

interface Failure {
  isTransient?: boolean;
  /** The pause that the upstream asked for. */
  retryAfterMs?: number | undefined;
  status?: number | undefined;
  /** The dry run shows what was skipped and why. */
  skipped?: readonly string[];
  /** `init` offers the settings that choose the first of several rivals. */
  remedy?: Readonly<Record<string, unknown>> | undefined;
}

/** The message is in our own words, without a value, body, header, URL or secret of the upstream's; it may name a redirect's host. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  readonly failure: Failure;

  constructor(message: string, { cause, ...failure }: Failure & { cause?: unknown } = {}) {
    super(message, { cause });
    this.failure = failure;
  }

  withMessage(message: string): UpstreamError {
    return new UpstreamError(message, { ...this.failure, cause: this });
  }
}

/** The collector does not go to such an address: it is not https, or leads where a rule forbids. */
export class RefusedAddress extends UpstreamError {}

/** The longest first pause; it doubles with each try. */
const BASE_PAUSE_MS = 500;
/** An upstream that asks for a longer pause is not asked again in this run. */
const MAX_PAUSE_MS = 10_000;

const MAX_TRIES = 3;

/** Repeats `action` after a transient UpstreamError, with full-jitter backoff. @throws the last error. */
export async function retry<T>(action: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof UpstreamError) || !error.failure.isTransient || attempt === MAX_TRIES) throw error;
      const requested = error.failure.retryAfterMs ?? 0;
      if (requested > MAX_PAUSE_MS) throw error;
      await sleep(Math.max(requested, Math.random() * BASE_PAUSE_MS * 2 ** (attempt - 1)), undefined, { signal });
    }
  }
}

/** The error for a response other than 200. 429 and 5xx are retried, unless the requested pause is too long: then later
 * runs skip the upstream until its end (the feature upstream-state). */
export function statusError(status: number, header: (name: string) => string | undefined): UpstreamError {
  // GitHub answers 403 when a rate limit is exhausted.
  const mayNameAPause = status === 403 || status === 429 || status >= 500;
  const wait = mayNameAPause ? requestedPause(header) : undefined;
  const isTransient = status === 429 || status >= 500 || wait !== undefined;
  if (status === 304) return new UpstreamError("answered 304 to an unconditional request", { status });
  const when = wait === undefined ? "" : `, try again in ${waitText(wait)}`;
  const why = isTransient && status < 500 ? `: too many requests${when}` : "";
  return new UpstreamError(`answered ${status}${why}`, { isTransient, retryAfterMs: wait, status });
}

const DAY_MS = 24 * 60 * 60_000;
/** A larger number of seconds is not a span but a date, of 2001 or later. */
const MIN_EPOCH_SECONDS = 1_000_000_000;

/** Returns the pause that an answer asks for, in ms and at most a day: Retry-After, or the time until an exhausted rate limit is
 * reset. GitHub and others send X-RateLimit-Reset in seconds since the epoch or from now (draft-ietf-httpapi-ratelimit-headers). */
export function requestedPause(header: (name: string) => string | undefined, now = Date.now()): number | undefined {
  const pause = retryAfter(header("retry-after"), now);
  if (pause !== undefined) return Math.min(DAY_MS, pause);
  const structured = /;\s*r=0\b(?:.*;)?\s*t=(\d{1,12})/.exec(header("ratelimit")?.slice(0, 1_000) ?? "")?.[1];
  if (structured !== undefined) return Math.min(DAY_MS, Number(structured) * 1000);
  for (const prefix of ["x-ratelimit", "ratelimit"]) {
    const reset = header(`${prefix}-reset`) ?? "";
    if (header(`${prefix}-remaining`) !== "0" || !/^\d{1,12}$/.test(reset)) continue;
    const seconds = Number(reset);
    return Math.min(DAY_MS, seconds > MIN_EPOCH_SECONDS ? Math.max(0, seconds * 1000 - now) : seconds * 1000);
  }
  return undefined;
}

/** Reads Retry-After, which is seconds or an HTTP date (RFC 9110, 10.2.3), as ms from now. */
function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Rounds up: `40 s`, `12 min`, `24 h`. */
function waitText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

/** The upstream asked for a pause, which is not over yet. */
export class PauseError extends UpstreamError {
  constructor(notBefore: number) {
    const until = new Date(notBefore).toISOString().slice(0, 19).replace("T", " ");
    super(`skipped: the upstream asks to wait until ${until} UTC`);
  }
}
