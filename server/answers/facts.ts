// The answers for facts: 200 while they are fresh, 502 while they are stale or missing, and 400 for an unknown
// platform, whatever their state. No cache keeps a fact for longer than it is one.
import { PLATFORMS, type Platform } from "../../snapshots/schema.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Servable } from "../mirror/mirror.ts";
import { error, json, MAX_REVALIDATION_SECONDS, type Answer } from "./answer.ts";

/** When a client should retry after a 502; the collector itself runs every few minutes. */
export const RETRY_AFTER_SECONDS = "60";

/** The messages while a snapshot is stale or missing. */
export const UNAVAILABLE: Record<SnapshotName, string> = {
  plans: "The product data is temporarily unavailable. Please try again later.",
  "release-macos": "The release data is temporarily unavailable. Please try again later.",
  "release-windows": "The release data is temporarily unavailable. Please try again later.",
};
export const UNSUPPORTED_PLATFORM = `This platform is not supported. Use one of: ${PLATFORMS.join(", ")}.`;

export const LATEST_RELEASE = "/api/v1/releases/latest";

/** The targets that serve each snapshot; any other spelling gets the answer of the first. */
export const FACT_TARGETS: Record<SnapshotName, readonly [string, ...string[]]> = {
  plans: ["/api/v1/plans"],
  "release-macos": [LATEST_RELEASE, `${LATEST_RELEASE}?platform=macos`],
  "release-windows": [`${LATEST_RELEASE}?platform=windows`],
};

/** A form in which a snapshot is served: its JSON, or one that a client shows without code. */
export interface FactView {
  name: SnapshotName;
  /** All get the same answer; any other spelling gets it from the first. */
  targets: readonly [string, ...string[]];
  /** Caches may keep it for so many seconds; by default a minute. */
  maxAge?: number;
  /** A 200 while the snapshot is fresh, or a 404 if it has no such form. Its Cache-Control is set later, because it depends on the
   * time. */
  fresh: (snapshot: Servable) => Answer;
  unavailable: Answer;
}

/** A further link of a fact, as a value of the header Link; undefined if it has none. `path`: of the base URL. */
export type FactLink = (snapshot: Servable, path: string) => string | undefined;

/** The REST operations: each serves the payload alone, and links to its state (RFC 8631) and to what `links` name. */
export function restViews(base: string, links: readonly FactLink[]): readonly FactView[] {
  const path = new URL(base).pathname.replace(/\/$/, "");
  const toStatus = `<${path}/status>; rel="status"`;
  const headers = { "cache-control": "no-store", link: toStatus };
  return SNAPSHOT_NAMES.map((name) => ({
    name,
    targets: FACT_TARGETS[name],
    fresh(snapshot) {
      const link = [toStatus, ...links.flatMap((linkOf) => linkOf(snapshot, path) ?? [])].join(", ");
      return json(200, snapshot.body, {
        ...headers,
        link,
        "last-modified": new Date(snapshot.changedAt).toUTCString(),
      });
    },
    unavailable: unavailable(name, headers),
  }));
}

export function unavailable(name: SnapshotName, headers: Record<string, string> = {}): Answer {
  return error(502, UNAVAILABLE[name], { headers: { ...headers, "retry-after": RETRY_AFTER_SECONDS } });
}

/** The snapshot that a query asks for, or a 400 with `allowed`. */
export function askedRelease(query: URLSearchParams): SnapshotName | Answer {
  const given = query.getAll("platform");
  if (given.length === 0) return "release-macos";
  const platform = asPlatform(given.length === 1 ? given[0] : undefined);
  return platform ? `release-${platform}` : error(400, UNSUPPORTED_PLATFORM, { allowed: PLATFORMS });
}

export function asPlatform(name: unknown): Platform | undefined {
  return PLATFORMS.find((platform) => platform === name);
}

/** Caching ends this long before the snapshot does. One second because nginx counts whole seconds and includes the
 * last; one for the transfer, because many caches count from the arrival of an answer. */
const CACHE_MARGIN_SECONDS = 2;

/** Lets no cache outlive the snapshot: fresh for at most `limit` seconds, then usable for a moment during revalidation, and
 * during errors until the snapshot ends. `timeLeft`: in ms. */
export function cacheControl(timeLeft: number, limit = 60): string {
  const seconds = Math.max(0, Math.floor(timeLeft / 1000) - CACHE_MARGIN_SECONDS);
  const maxAge = Math.min(limit, seconds);
  const rest = seconds - maxAge;
  const whileRevalidating = Math.min(MAX_REVALIDATION_SECONDS, rest);
  return `public, max-age=${maxAge}, stale-while-revalidate=${whileRevalidating}, stale-if-error=${rest}`;
}
