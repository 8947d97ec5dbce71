// The history over HTTP: feeds of changes, and each fact as of any day, in what the server answers and in what page and llms.txt say
// about it.
// after: differences, words
import { SNAPSHOT_NAMES } from "../../../snapshots/snapshot.ts";
import type { Addition, LiveRead, Site } from "../../answers/addition.ts";
import { document, FEED } from "../../answers/answer.ts";
import { SNAPSHOT_TITLES } from "../words/words.ts";
import {
  atomFeed,
  ATOM_FEED_PATH,
  ATOM_FEED_TYPE,
  jsonFeed,
  jsonFeedParts,
  JSON_FEED_PATH,
  JSON_FEED_TYPE,
} from "./feeds.ts";
import { HISTORY_UNAVAILABLE, historyPath, historyReads } from "./history-reads.ts";
import { changesOf } from "./recent-changes.ts";

/** Without a history, only the reads that refuse. */
export function history(site: Site): Addition {
  const { index, base } = site;
  const changes = changesOf(site.facts);
  const reads = historyReads({ ...site, changes });
  if (!changes.areOffered) return { live: reads };
  const parts = jsonFeedParts(index, base);
  const feeds: Record<string, LiveRead> = {
    [ATOM_FEED_PATH]: () => (changes.all() ? undefined : HISTORY_UNAVAILABLE),
    [JSON_FEED_PATH]: (query) => {
      const all = changes.all();
      return all ? parts(query, all) : HISTORY_UNAVAILABLE;
    },
  };
  return {
    documents() {
      const all = changes.all();
      if (!all) return {};
      return {
        [ATOM_FEED_PATH]: document(atomFeed(index, base, all), ATOM_FEED_TYPE, FEED),
        [JSON_FEED_PATH]: document(jsonFeed(index, base, all), JSON_FEED_TYPE, FEED),
      };
    },
    live: { ...feeds, ...reads },
    mention: {
      llms: { API: linesOf(base) },
      links: [
        { title: "Feed of changes", href: base + ATOM_FEED_PATH },
        { rel: "alternate", type: ATOM_FEED_TYPE, title: "Changes", href: base + ATOM_FEED_PATH },
        { rel: "alternate", type: JSON_FEED_TYPE, title: "Changes", href: base + JSON_FEED_PATH },
      ],
      past: SNAPSHOT_NAMES.map((name) => ({ title: SNAPSHOT_TITLES[name], href: base + historyPath(name) })),
    },
  };
}

function linesOf(base: string): string[] {
  return [
    `- \`${base}${ATOM_FEED_PATH}\`: feed of past changes and their times, not of the current facts, as Atom`,
    `- \`${base}${JSON_FEED_PATH}\`: the same as JSON Feed 1.1; with \`?since=2026-11-22\` from that time on`,
    ...SNAPSHOT_NAMES.map((name) => {
      const title = `${SNAPSHOT_TITLES[name]}, as of any day`;
      return `- \`${base}${historyPath(name)}\`: ${title}: its revisions; with \`?at=2026-11-22\` what was served then`;
    }),
  ];
}
