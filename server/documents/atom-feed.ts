// The Atom feed of changes (RFC 4287).
import type { ApiIndex } from "../api-index.ts";
import { xml } from "../xml.ts";
import type { FeedItem } from "./feed-items.ts";

export const FEED_PATH = "/changes.atom";
export const FEED_TYPE = "application/atom+xml";

/** `updated` of an empty feed: required, and the same at every start. */
const NO_CHANGE = "1970-01-01T00:00:00.000Z";

/** `items`: newest first. `base`: the public base URL, without a trailing slash. */
export function atomFeed(index: ApiIndex, base: string, items: readonly FeedItem[]): string {
  const self = xml(base + FEED_PATH);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id>
<title>${xml(`${index.name}: changes`)}</title>
<subtitle>Changes to plans, prices and releases</subtitle>
<updated>${items[0]?.changedAt ?? NO_CHANGE}</updated>
<author><name>${xml(index.name)}</name></author>
<link rel="self" type="${FEED_TYPE}" href="${self}"/>
<link rel="alternate" type="text/html" href="${xml(`${base}/`)}"/>
${items.map((item) => entry(base, item)).join("")}</feed>
`;
}

function entry(base: string, { id, title, content, changedAt, fact }: FeedItem): string {
  return `<entry>
<id>${xml(id)}</id>
<title>${xml(title)}</title>
<published>${changedAt}</published>
<updated>${changedAt}</updated>
<link rel="alternate" type="text/html" href="${xml(`${base}/`)}"/>
<link rel="related" type="application/json" href="${xml(fact)}"/>
<content type="text">${xml(content)}</content>
</entry>
`;
}
