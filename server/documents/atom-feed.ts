// The feed of changes: Atom (RFC 4287), for feed readers. It tells what changed and when, not what holds now: it is never
// stale, and stands while the facts themselves are answered with 502. All in it is plain text: a changelog is the vendor's.
import type { ApiIndex } from "../api-index.ts";
import type { Change } from "../mirror/recent-changes.ts";
import { clip } from "../../snapshots/rules.ts";

export const FEED = "/changes.atom";
export const FEED_TYPE = "application/atom+xml";

/** Of no change at all: a feed must say when it changed, and at every start the same. */
const NEVER = "1970-01-01T00:00:00.000Z";
/** Most changes that it tells. */
const MOST_TOLD = 50;
/** Longest title, in UTF-16 units. */
const MAX_TITLE = 150;

/** `changes`: newest first. `base`: the public base URL, without a slash at its end. */
export function feed(index: ApiIndex, base: string, changes: readonly Change[]): string {
  const self = xml(base + FEED);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id>
<title>${xml(`${index.name}: changes`)}</title>
<subtitle>Prices, plans and releases: what changed, and when</subtitle>
<updated>${changes[0]?.changedAt ?? NEVER}</updated>
<author><name>${xml(index.name)}</name></author>
<link rel="self" type="${FEED_TYPE}" href="${self}"/>
<link rel="alternate" type="text/html" href="${xml(`${base}/`)}"/>
${changes
  .slice(0, MOST_TOLD)
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

/** A name for ever (RFC 4151), of the base URL, the snapshot's name, its revision and its time; nothing is found there. */
function tagUri(base: string, key: string, changedAt: string): string {
  const { hostname, port, pathname } = new URL(base);
  // An IPv6 address is no name of a host there.
  const authority = hostname.replace(/^\[|\]$/g, "").replaceAll(":", "-");
  const path = `${port}${pathname.replace(/\/$/, "")}/${key.replace(/\.json$/, "")}`;
  return `tag:${authority},${changedAt.slice(0, 10)}:${path}`;
}

function factUrl({ endpoints }: ApiIndex, name: Change["name"]): string {
  if (name === "plans") return endpoints.plans;
  return `${endpoints.latestRelease}?platform=${name.slice("release-".length)}`;
}

/** As XML 1.0 wants it: no markup of the text's own, and no character that it does not know. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
