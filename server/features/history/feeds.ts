// The feeds of changes: Atom (RFC 4287) and JSON Feed (version 1.1). Their items are past changes, not current facts,
// so they are never stale and stay available while the facts themselves are 502.
import { byteLength, bytesOf, document, error, FEED, type Answer } from "../../answers/answer.ts";
import { FACT_TARGETS } from "../../answers/facts.ts";
import { prepare, type Prepared } from "../../answers/prepared.ts";
import type { ApiIndex } from "../../api-index.ts";
import { xml } from "../words/words.ts";
import type { Change } from "./recent-changes.ts";
import { changeTitle } from "./change-title.ts";
import { timeOf } from "./history-reads.ts";

export const ATOM_FEED_PATH = "/changes.atom";
export const ATOM_FEED_TYPE = "application/atom+xml";
export const JSON_FEED_PATH = "/changes.json";
export const JSON_FEED_TYPE = "application/feed+json";

const MAX_ITEMS = 50;
const DESCRIPTION = "Changes to plans, prices and releases";
/** `updated` of an empty Atom feed: required, and the same at every start. */
const NO_CHANGE = "1970-01-01T00:00:00.000Z";

/** `changes`: newest first. */
export function atomFeed(index: ApiIndex, base: string, changes: readonly Change[]): string {
  const items = itemsOf(index, base, changes);
  const self = xml(base + ATOM_FEED_PATH);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id>
<title>${xml(`${index.name}: changes`)}</title>
<subtitle>${DESCRIPTION}</subtitle>
<updated>${items[0]?.changedAt ?? NO_CHANGE}</updated>
<author><name>${xml(index.name)}</name></author>
<link rel="self" type="${ATOM_FEED_TYPE}" href="${self}"/>
<link rel="alternate" type="text/html" href="${xml(`${base}/`)}"/>
${items.map((item) => atomEntry(base, item)).join("")}</feed>
`;
}

/** Makes one page, counted from 1. `changes`: newest first. */
export function jsonFeed(index: ApiIndex, base: string, changes: readonly Change[], page = 1): string {
  return JSON.stringify({
    next_url: changes.length > page * MAX_ITEMS ? pageUrl(base, page + 1) : undefined,
    version: "https://jsonfeed.org/version/1.1",
    title: `${index.name}: changes`,
    home_page_url: `${base}/`,
    feed_url: base + JSON_FEED_PATH,
    description: DESCRIPTION,
    authors: [{ name: index.name, url: `${base}/` }],
    items: itemsOf(index, base, changes, page).map(({ id, title, content, changedAt, subject }) => ({
      id,
      url: `${base}/`,
      title,
      content_text: content,
      date_published: changedAt,
      tags: [subject],
    })),
  });
}

function pageUrl(base: string, page: number, since = ""): string {
  return `${base}${JSON_FEED_PATH}?${since}page=${page}`;
}

const SINCE_FORM = "Use since once, with a date or a UTC time: since=2026-11-22 or since=2026-11-22T01:15:00Z.";
const PAGE_FORM = "Use page once, with the number that is in next_url: page=2.";
/** Returns a function for the other pages of the JSON feed, and for those of the changes at or after `since`: undefined
 * for the first of all, which is prepared; or a 400. There is one body for each number of changes, however many times are
 * asked for, so clients that do not read hold no copies. `changes`: newest first. */
export function jsonFeedParts(
  index: ApiIndex,
  base: string,
): (query: URLSearchParams, changes: readonly Change[]) => Prepared | Answer | undefined {
  const parts = new Map<string, Prepared>();
  let known: readonly Change[] = [];
  return (query, changes) => {
    const [time] = query.getAll("since");
    const [since, page] = [timeOf(query.getAll("since")), pageOf(query.getAll("page"))];
    if (Number.isNaN(since)) return error(400, SINCE_FORM);
    if (Number.isNaN(page)) return error(400, PAGE_FORM);
    if (time === undefined && page === 1) return undefined;
    if (changes !== known) parts.clear();
    known = changes;
    const older = changes.findIndex(({ changedAt }) => Date.parse(changedAt) < since);
    const later = older === -1 ? changes : changes.slice(0, older);
    const left = later.length - (page - 1) * MAX_ITEMS;
    const key = left <= 0 ? "none" : `${page} ${left > MAX_ITEMS ? "full" : left}`;
    const part = parts.get(key) ?? prepare(document(jsonFeed(index, base, later, page), JSON_FEED_TYPE, FEED));
    parts.set(key, part);
    if (left <= MAX_ITEMS || time === undefined) return part;
    return withNext(part, pageUrl(base, page + 1, `since=${encodeURIComponent(time)}&`));
  };
}

/** Gives a page another `next_url`. All clients share the rest of its bytes. */
function withNext({ variants }: Prepared, next: string): Answer {
  const bytes = bytesOf(variants.identity.body);
  const body = [Buffer.from(`{"next_url":${JSON.stringify(next)},`), bytes.subarray(bytes.indexOf('"version"'))];
  const { headers } = document("", JSON_FEED_TYPE, FEED);
  return { status: 200, headers: { ...headers, "content-length": String(byteLength(body)) }, body };
}

/** The number of a page: NaN unless there is one number from 1, or none. */
function pageOf([text = "1", ...others]: readonly string[]): number {
  return others.length === 0 && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : Number.NaN;
}

function itemsOf(index: ApiIndex, base: string, changes: readonly Change[], page = 1) {
  return changes.slice((page - 1) * MAX_ITEMS, page * MAX_ITEMS).map((change) => itemOf(index, base, change));
}

/** `content`: plain text, because changelogs are written by the vendor. `fact`: the URL of the fact as it is now. */
function itemOf(index: ApiIndex, base: string, change: Change) {
  const { key, name, changedAt, changes, changelog } = change;
  return {
    id: tagUri(base, key, changedAt),
    title: changeTitle(index.name, change),
    content: [changes.join("\n"), changelog].filter((text) => text !== "").join("\n\n"),
    changedAt,
    fact: `${base}${FACT_TARGETS[name].at(-1)}`,
    subject: name.replace("release-", ""),
  };
}

/** A tag URI (RFC 4151), the same for ever, from the base URL and the key of the history entry. It cannot be fetched. */
function tagUri(base: string, key: string, changedAt: string): string {
  const { hostname, port, pathname } = new URL(base);
  // RFC 4151 allows no IPv6 addresses.
  const authority = hostname.replace(/^\[|\]$/g, "").replaceAll(":", "-");
  const path = `${port}${pathname.replace(/\/$/, "")}/${key.replace(/\.json$/, "")}`;
  return `tag:${authority},${changedAt.slice(0, 10)}:${path}`;
}

function atomEntry(base: string, { id, title, content, changedAt, fact }: ReturnType<typeof itemOf>): string {
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
