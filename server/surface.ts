// Everything besides the facts, added to the table, and the h3 app. A registry: each feature has lines of its own.
import type { Facts } from "../snapshots/facts.ts";
import type { Addition, Site, Vitals } from "./answers/addition.ts";
import type { Table } from "./answers/table.ts";
import type { Follower } from "./mirror/follower.ts";
import { apiIndex } from "./api-index.ts";
import type { ApiFiles } from "./api-settings.ts";
import { createApp, type AppOptions } from "./door/app.ts";
import { BADGE_VIEWS } from "./features/badges/badges.ts";
import { discovery } from "./features/discovery/discovery.ts";
import { downloads } from "./features/downloads/downloads.ts";
import { SHARED_SNAPSHOTS } from "./features/follow/shared-snapshots.ts";
import { history } from "./features/history/history.ts";
import { changesOf, offersHistory } from "./features/history/recent-changes.ts";
import { mcpDocuments } from "./features/mcp/documents.ts";
import { openapi } from "./features/openapi/openapi.ts";
import { historySection } from "./features/page-history/history-section.ts";
import { page } from "./features/page/page.ts";
import { probes } from "./features/probes/probes.ts";
import { PROOF_VIEWS, publicKeys } from "./features/signatures/proofs.ts";
import { twins } from "./features/twins/twins.ts";
import { widgets } from "./features/widgets/embed-view.ts";

type SiteOptions = keyof Vitals | keyof ApiFiles | "api" | "base" | "facts" | "hasFeeds" | "reportBug";

export interface SurfaceOptions extends Pick<Site, SiteOptions>, Pick<AppOptions, "readBody" | "posting"> {
  /** Whether to offer the snapshots to servers that follow this one. */
  share?: boolean | undefined;
  table: Table;
}

/** Each follows the store, beside the mirror and the collector's report. */
const FOLLOWERS: readonly ((facts: Facts) => Follower)[] = [
  // A line for each.
  changesOf,
];

/** The same for the same facts. */
export function followersOf(facts: Facts): Follower[] {
  return FOLLOWERS.map((follow) => follow(facts));
}

const FEEDS: readonly ((facts: Facts) => boolean)[] = [
  // A line for each.
  offersHistory,
];

/** Whether there are feeds of changes. */
export function hasFeeds(facts: Facts): boolean {
  return FEEDS.some((areOffered) => areOffered(facts));
}

/** Builds it, and renews it when the followed copies change. */
export function buildSurface(options: SurfaceOptions): ReturnType<typeof createApp> {
  const { api, base, collector, facts, table } = options;
  const site = {
    ...options,
    index: apiIndex(api, base),
    worksInBackground: table.worksInBackground,
    clock: facts.clock,
    factLinks: table.links,
    mentions: () => additions.flatMap(({ mention }) => mention ?? []),
    notices: () => additions.find((addition) => addition.notices)?.notices,
    /** Of the page, by other features. */
    sections: [
      // A line for each.
      historySection(facts),
    ],
  };
  /** Page and llms.txt mention them in this order. */
  const additions: readonly Addition[] = [
    // A line for each.
    { views: BADGE_VIEWS },
    downloads(site),
    history(site),
    openapi(site),
    discovery(site),
    mcpDocuments(site),
    widgets(site),
    twins(site),
    page(site),
    probes(site),
    { views: PROOF_VIEWS },
    { views: options.share ? SHARED_SNAPSHOTS : [] },
  ];
  table.add(additions);
  for (const follower of [collector, ...followersOf(facts)]) follower.onChange(() => table.renew());
  return createApp({
    ...options,
    responder: { read: (target, headers) => table.answer(target, headers) },
    documents: table.paths(),
    live: Object.assign({}, ...additions.map(({ live }) => live)),
    publicKeys: () => publicKeys(options.mirror),
    notices: site.notices(),
  });
}
