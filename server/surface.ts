// Everything besides the facts: documents, page, feeds, badges and downloads, added to the table; and the h3 app.
import { SHARED_SNAPSHOTS } from "./features/follow/shared-snapshots.ts";
import { PROOF_VIEWS, proofLink, publicKeys } from "./features/signatures/proofs.ts";
import type { FactLink } from "./answers/facts.ts";
import type { Vitals } from "./answers/health.ts";
import type { Table } from "./answers/table.ts";
import { apiIndex } from "./api-index.ts";
import { BADGE_VIEWS } from "./features/badges/badges.ts";
import { documents } from "./features/discovery/documents.ts";
import { downloads } from "./features/downloads/downloads.ts";
import { EMBED_VIEW } from "./features/widgets/embed-view.ts";
import { ATOM_FEED_PATH, JSON_FEED_PATH, jsonFeedParts } from "./features/history/feeds.ts";
import { HISTORY_UNAVAILABLE, historyReads } from "./features/history/history-reads.ts";
import { resourcesOf, type Texts } from "./features/mcp/resources.ts";
import type { Clock } from "../snapshots/facts.ts";
import type { RecentChanges } from "./features/history/recent-changes.ts";
import { images } from "./features/page/head.ts";
import { createNotices } from "./features/page/notices.ts";
import { pageRenderer } from "./features/page/page.ts";
import type { PageContext } from "./features/page/view.ts";
import { createApp, type AppOptions } from "./door/app.ts";

export interface SurfaceOptions
  extends Vitals, Omit<PageContext, "index">, Pick<AppOptions, "readBody" | "posting" | "reportBug"> {
  /** Whether to offer the snapshots to servers that follow this one. */
  share?: boolean | undefined;
  /** The Markdown of MCP's resources, in place of the built-in one. */
  texts: Texts;
  clock: Clock;
  changes: RecentChanges;
  table: Table;
}

/** Further links of each fact at the edge; a server has them before all else (early.ts). */
export const FACT_LINKS: readonly FactLink[] = [
  // A line for each.
  proofLink,
];

/** Builds it, and renews it when the followed copies change. */
export function buildSurface(options: SurfaceOptions): ReturnType<typeof createApp> {
  const { api, base, texts, logo, picture, mirror, collector, changes, table } = options;
  const resources = resourcesOf(api, texts, { base, hasFeeds: changes.areOffered });
  const documentsAt = documents(api, base, { resources, hasFeeds: changes.areOffered, logo });
  const pictures = images(api.color, { logo, picture });
  const renderPage = pageRenderer(api, { base, logo, picture });
  table.add({
    documentsAt: (now) => ({ ...documentsAt(now, changes.all()), ...pictures }),
    views: [...BADGE_VIEWS, EMBED_VIEW, ...PROOF_VIEWS, ...(options.share ? SHARED_SNAPSHOTS : [])],
    page: () =>
      renderPage({
        get: (name) => mirror.get(name),
        changes: changes.areOffered ? (changes.latest() ?? []) : undefined,
        collections: collector.collections(),
      }),
  });
  for (const follower of [collector, changes]) follower.onChange(() => table.renew());
  const feedParts = jsonFeedParts(apiIndex(api, base), base);
  const notices = createNotices(api, base, logo);
  const feeds: AppOptions["live"] = {
    [ATOM_FEED_PATH]: () => (changes.all() ? undefined : HISTORY_UNAVAILABLE),
    [JSON_FEED_PATH]: (query) => {
      const all = changes.all();
      return all ? feedParts(query, all) : HISTORY_UNAVAILABLE;
    },
  };
  const live = {
    ...(changes.areOffered && feeds),
    ...historyReads(options),
    ...downloads(base, mirror, notices.refusal),
  };
  return createApp({
    ...options,
    responder: { read: (target, headers) => table.answer(target, headers) },
    vitals: { mirror, collector },
    documents: table.paths(),
    live,
    publicKeys: () => publicKeys(mirror),
    notices,
  });
}
