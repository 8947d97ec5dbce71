// The REST operations: a look into the mirror, and the answer that follows from it. Fresh is 200; stale and missing are
// 502, never a guess; a platform nobody listed is 400 before anything else.
import { PLATFORMS, type Platform } from "../snapshots/schema.ts";
import { releaseName, type SnapshotName } from "../snapshots/snapshot.ts";
import { error, json, type Answer } from "./answer.ts";
import type { Look, Mirror } from "./mirror.ts";

/** Seconds after which a client may ask again for what is unavailable: the collector's own pace is minutes. */
const RETRY_AFTER = "60";

export const UNAVAILABLE = {
  plans: "The product data is temporarily unavailable. Please try again later.",
  release: "The release data is temporarily unavailable. Please try again later.",
};
export const UNSUPPORTED_PLATFORM = `This platform is not supported. Use one of: ${PLATFORMS.join(", ")}.`;

/** GET /api/v1/plans: 200 PlansResponse, 502 Error. */
export function getPlans(mirror: Mirror): Answer {
  return dataAnswer(mirror.look("plans"), UNAVAILABLE.plans);
}

/** GET /api/v1/releases/latest: 200 LatestReleaseResponse, 400 Error with `allowed`, 502 Error. */
export function getLatestRelease(mirror: Mirror, query: URLSearchParams): Answer {
  const given = query.getAll("platform");
  const platform = given.length === 0 ? "macos" : asPlatform(given.length === 1 ? given[0] : undefined);
  if (!platform) return error(400, UNSUPPORTED_PLATFORM, { allowed: PLATFORMS });
  return dataAnswer(mirror.look(releaseName(platform)), UNAVAILABLE.release);
}

/** The platform of exactly this name, or undefined. */
export function asPlatform(name: unknown): Platform | undefined {
  return PLATFORMS.find((platform) => platform === name);
}

/** Message for a snapshot that is stale or missing. */
export function unavailable(name: SnapshotName): string {
  return name === "plans" ? UNAVAILABLE.plans : UNAVAILABLE.release;
}

function dataAnswer(look: Look, message: string): Answer {
  if (look.state !== "fresh") return error(502, message, { headers: { "retry-after": RETRY_AFTER } });
  return json(200, look.body, {
    "cache-control": cacheControl(look.left),
    "last-modified": new Date(look.snapshot.changedAt).toUTCString(),
  });
}

/** Lets no cache outlive the snapshot: fresh for a minute at most, usable while revalidating or in trouble to its end.
 * `left`: milliseconds. */
function cacheControl(left: number): string {
  const seconds = Math.max(0, Math.floor(left / 1000));
  const maxAge = Math.min(60, seconds);
  const rest = seconds - maxAge;
  return `public, max-age=${maxAge}, stale-while-revalidate=${rest}, stale-if-error=${rest}`;
}
