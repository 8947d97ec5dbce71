// The Atom feed of changes (RFC 4287). It lists past changes, not current facts, so it is never stale and stays
// available while the facts themselves are 502. Its content is plain text, because changelogs are written by the
// vendor.
import type { ApiIndex } from "../api-index.ts";
import type { Change } from "../mirror/recent-changes.ts";
import { clip } from "../../snapshots/rules.ts";

export const FEED_PATH = "/changes.atom";
export const FEED_TYPE = "application/atom+xml";

/** `updated` of an empty feed: required, and the same at every start. */
const NO_CHANGE = "1970-01-01T00:00:00.000Z";
const MAX_ENTRIES = 50;
/** In UTF-16 units. */
const MAX_TITLE = 150;

/** `changes`: newest first. `base`: the public base URL, without a trailing slash. */
export function atomFeed(index: ApiIndex, base: string, changes: readonly Change[]): string {
  const self = xml(base + FEED_PATH);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id>
<title>${xml(`${index.name}: changes`)}</title>
<subtitle>Changes to plans, prices and releases</subtitle>
<updated>${changes[0]?.changedAt ?? NO_CHANGE}</updated>
<author><name>${xml(index.name)}</name></author>
<link rel="self" type="${FEED_TYPE}" href="${self}"/>
<link rel="alternate" type="text/html" href="${xml(`${base}/`)}"/>
${changes
  .slice(0, MAX_ENTRIES)
  .map((change) => entry(index, base, change))
  .join("")}</feed>
`;
}

function entry(index: ApiIndex, base: string, { key, name, changedAt, changes, changelog }: Change): string {
  const content = [changes.join("\n"), changelog].filter((text) => text !== "").join("\n\n");
  return `<entry>
<id>${xml(tagUri(base, key, changedAt))}</id>
<title>${xml(title(changes))}</title>
<published>${changedAt}</published>
<updated>${changedAt}</updated>
<link rel="alternate" type="text/html" href="${xml(`${base}/`)}"/>
<link rel="related" type="application/json" href="${xml(factUrl(index, name))}"/>
<content type="text">${xml(content)}</content>
</entry>
`;
}

function title(changes: readonly string[]): string {
  const [first = "", ...others] = changes;
  const line = clip(first, MAX_TITLE);
  return others.length === 0 ? line : `${line} (and more)`;
}

/** A permanent identifier (RFC 4151) from the base URL and the key of the history entry. It cannot be fetched. */
function tagUri(base: string, key: string, changedAt: string): string {
  const { hostname, port, pathname } = new URL(base);
  // RFC 4151 allows no IPv6 addresses.
  const authority = hostname.replace(/^\[|\]$/g, "").replaceAll(":", "-");
  const path = `${port}${pathname.replace(/\/$/, "")}/${key.replace(/\.json$/, "")}`;
  return `tag:${authority},${changedAt.slice(0, 10)}:${path}`;
}

function factUrl({ endpoints }: ApiIndex, name: Change["name"]): string {
  if (name === "plans") return endpoints.plans;
  return `${endpoints.latestRelease}?platform=${name.slice("release-".length)}`;
}

/** Escapes markup, and drops characters that XML 1.0 does not allow. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
