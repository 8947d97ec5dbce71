// The items of both feeds: past changes, not current facts, so they are never stale and stay available while the facts
// themselves are 502. Their content is plain text, because changelogs are written by the vendor.
import type { ApiIndex } from "../api-index.ts";
import type { Change } from "../mirror/recent-changes.ts";
import { changeTitle } from "./change-title.ts";

export interface FeedItem {
  /** A tag URI (RFC 4151), the same for ever. */
  id: string;
  title: string;
  content: string;
  /** ISO 8601, UTC. */
  changedAt: string;
  /** The URL of the fact as it is now. */
  fact: string;
  subject: "plans" | "macos" | "windows";
}

export const MAX_ITEMS = 50;

/** `changes`: newest first. `base`: the public base URL, without a trailing slash. */
export function feedItems(index: ApiIndex, base: string, changes: readonly Change[]): FeedItem[] {
  return changes.slice(0, MAX_ITEMS).map((change) => itemOf(index, base, change));
}

function itemOf(index: ApiIndex, base: string, change: Change): FeedItem {
  const { key, name, changedAt, changes, changelog } = change;
  const { plans, latestRelease } = index.endpoints;
  const subject = name === "plans" ? name : name === "release-macos" ? "macos" : "windows";
  return {
    id: tagUri(base, key, changedAt),
    title: changeTitle(index.name, change),
    content: [changes.join("\n"), changelog].filter((text) => text !== "").join("\n\n"),
    changedAt,
    fact: subject === "plans" ? plans : `${latestRelease}?platform=${subject}`,
    subject,
  };
}

/** A permanent identifier (RFC 4151) from the base URL and the key of the history entry. It cannot be fetched. */
function tagUri(base: string, key: string, changedAt: string): string {
  const { hostname, port, pathname } = new URL(base);
  // RFC 4151 allows no IPv6 addresses.
  const authority = hostname.replace(/^\[|\]$/g, "").replaceAll(":", "-");
  const path = `${port}${pathname.replace(/\/$/, "")}/${key.replace(/\.json$/, "")}`;
  return `tag:${authority},${changedAt.slice(0, 10)}:${path}`;
}
