// The JSON Feed of changes (version 1.1), and the part of it from a time on.
import * as z from "zod";
import type { ApiIndex } from "../api-index.ts";
import { document, error, type Answer } from "../answers/answer.ts";
import type { Change } from "../mirror/recent-changes.ts";
import { prepare, type Prepared } from "../answers/prepared.ts";
import { feedItems, MAX_ITEMS, type FeedItem } from "./feed-items.ts";

export const JSON_FEED_PATH = "/changes.json";
export const JSON_FEED_TYPE = "application/feed+json";

const SINCE_FORM = "Use since once, with a date or a UTC time: since=2026-11-22 or since=2026-11-22T01:15:00Z.";

const Since = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** `items`: newest first. `base`: the public base URL, without a trailing slash. */
export function jsonFeed(index: ApiIndex, base: string, items: readonly FeedItem[]): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: `${index.name}: changes`,
    home_page_url: `${base}/`,
    feed_url: base + JSON_FEED_PATH,
    description: "Changes to plans, prices and releases",
    authors: [{ name: index.name, url: `${base}/` }],
    items: items.map(({ id, title, content, changedAt, subject }) => ({
      id,
      url: `${base}/`,
      title,
      content_text: content,
      date_published: changedAt,
      tags: [subject],
    })),
  });
}

/** Returns a function for the feed of the changes at or after `since`: undefined without one, otherwise its answer, or a 400.
 * There is one body for each number of changes, however many times are asked for, so clients that do not
 * read hold no copies. `changes`: newest first. */
export function jsonFeedParts(
  index: ApiIndex,
  base: string,
): (query: URLSearchParams, changes: readonly Change[]) => Prepared | Answer | undefined {
  const parts = new Map<number, Prepared>();
  let known: readonly Change[] = [];
  return (query, changes) => {
    if (!query.has("since")) return undefined;
    const since = sinceOf(query.getAll("since"));
    if (Number.isNaN(since)) return error(400, SINCE_FORM);
    if (changes !== known) parts.clear();
    known = changes;
    const later = changes.slice(0, MAX_ITEMS).filter(({ changedAt }) => Date.parse(changedAt) >= since);
    const part =
      parts.get(later.length) ??
      prepare(document(jsonFeed(index, base, feedItems(index, base, later)), JSON_FEED_TYPE));
    parts.set(later.length, part);
    return part;
  };
}

/** In ms since the epoch; NaN unless it is one time in the form above. */
function sinceOf([text = "", ...others]: readonly string[]): number {
  return others.length === 0 && Since.safeParse(text).success ? Date.parse(text) : Number.NaN;
}
