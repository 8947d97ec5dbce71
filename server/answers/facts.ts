// The REST operations that tell facts: what their answers are when the facts are fresh, when they are not, and when the
// question is wrong. Stale and missing are 502, never a guess; a platform nobody listed is 400 before anything else.
import { PLATFORMS, type Platform } from "../../snapshots/schema.ts";
import type { Servable, SnapshotName } from "../../snapshots/snapshot.ts";
import { error, json, type Answer } from "./answer.ts";

/** Seconds after which a client may ask again for what is unavailable: the collector's own pace is minutes. */
const RETRY_AFTER = "60";

/** What the outside is told while a snapshot is stale or missing. */
export const UNAVAILABLE: Record<SnapshotName, string> = {
  plans: "The product data is temporarily unavailable. Please try again later.",
  "release-macos": "The release data is temporarily unavailable. Please try again later.",
  "release-windows": "The release data is temporarily unavailable. Please try again later.",
};
export const UNSUPPORTED_PLATFORM = `This platform is not supported. Use one of: ${PLATFORMS.join(", ")}.`;

const PLANS = "/api/v1/plans";
export const LATEST_RELEASE = "/api/v1/releases/latest";

/** The targets under which each snapshot is served; what is asked with another spelling is answered as the first. */
export const FACT_TARGETS: Record<SnapshotName, readonly [string, ...string[]]> = {
  plans: [PLANS],
  "release-macos": [LATEST_RELEASE, `${LATEST_RELEASE}?platform=macos`],
  "release-windows": [`${LATEST_RELEASE}?platform=windows`],
};

/** The snapshot that a query asks for, or 400 with `allowed`. */
export function askedRelease(query: URLSearchParams): SnapshotName | Answer {
  const given = query.getAll("platform");
  if (given.length === 0) return "release-macos";
  const platform = asPlatform(given.length === 1 ? given[0] : undefined);
  return platform ? `release-${platform}` : error(400, UNSUPPORTED_PLATFORM, { allowed: PLATFORMS });
}

/** The platform of exactly this name, or undefined. */
export function asPlatform(name: unknown): Platform | undefined {
  return PLATFORMS.find((platform) => platform === name);
}

/** 200 with a fresh snapshot's payload. Its Cache-Control is to be set: it moves with time. */
export function factAnswer({ changedAt, body }: Servable): Answer {
  const lastModified = new Date(changedAt).toUTCString();
  return json(200, body, { "cache-control": "no-store", "last-modified": lastModified });
}

/** 502 for a snapshot that is stale or missing. */
export function unavailable(name: SnapshotName): Answer {
  return error(502, UNAVAILABLE[name], { headers: { "retry-after": RETRY_AFTER } });
}

/** Seconds at a snapshot's end that no cache is promised. One because nginx counts whole seconds and believes through
 * the last of them, the other for the way there: many a cache counts from when an answer has arrived. */
const KEPT_BACK = 2;

/** Lets no cache outlive the snapshot: fresh for a minute at most, usable while revalidating or in trouble to its end.
 * `left`: milliseconds. */
export function cacheControl(left: number): string {
  const seconds = Math.max(0, Math.floor(left / 1000) - KEPT_BACK);
  const maxAge = Math.min(60, seconds);
  const rest = seconds - maxAge;
  return `public, max-age=${maxAge}, stale-while-revalidate=${rest}, stale-if-error=${rest}`;
}
