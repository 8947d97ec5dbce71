// Everything besides the facts: documents, page, the other contents of the store, and the h3 app for unusual requests.
// Loading and building it takes longer than everything that a fact needs, so it is deferred until facts are served.
import type { RequestListener } from "node:http";
import type { Reader } from "../snapshots/store.ts";
import { RecentChanges } from "./mirror/recent-changes.ts";
import type { ApiSettings } from "./settings.ts";
import { error } from "./answers/answer.ts";
import { RETRY_AFTER_SECONDS } from "./answers/facts.ts";
import { FEED_PATH } from "./documents/atom-feed.ts";
import { documents } from "./documents/documents.ts";
import { JSON_FEED_PATH, jsonFeedParts } from "./documents/json-feed.ts";
import { apiIndex } from "./api-index.ts";
import { SHARED_SNAPSHOTS } from "./answers/shared-snapshots.ts";
import { BADGE_VIEWS } from "./shortcuts/badges.ts";
import { downloads } from "./shortcuts/download.ts";
import type { LiveRead } from "./http/app.ts";
import type { Vitals } from "./answers/health.ts";
import type { ReportBug } from "./answers/bug-reporter.ts";
import type { Responder } from "./http/responder.ts";
import { CollectorReport } from "./mirror/collector-report.ts";
import { lazy, type Lazy } from "./lazy.ts";
import type { Resource } from "./mcp/sdk-server.ts";
import type { Mirror } from "./mirror/mirror.ts";
import { pageRenderer } from "./page/answers.ts";
import { createNotices } from "./page/notices.ts";
import { pictures } from "./page/pictures/pictures.ts";
import { DEFAULT_COLOUR } from "./page/style.ts";
import type { Table } from "./answers/table.ts";

export interface Deferred {
  vitals: Vitals;
  /** Answers every request. Loaded for the first request that needs it, because h3 also makes Node load its fetch. */
  app: Lazy<{ listener: RequestListener; paths: string[] }>;
  /** Reads the store now. */
  refresh(): Promise<void>;
  /** Stops following the store. */
  stop(): void;
}

export interface DeferredOptions {
  api: ApiSettings;
  /** Whether to offer the snapshots to servers that follow this one. */
  share?: boolean;
  /** The public base URL, without a trailing slash. */
  base: string;
  resources: readonly Resource[];
  /** A `data:` URI. */
  logo: string | undefined;
  store: Reader;
  mirror: Mirror;
  table: Table;
  responder: Responder;
  reportBug: ReportBug;
  onLoadFailure: (failure: unknown) => void;
}

/** Of both feeds until the history has been read. An empty feed would say that nothing has changed, and caches would keep it
 * for an hour. */
const NO_HISTORY = error(502, "The history is temporarily unavailable. Please try again later.", {
  headers: { "retry-after": RETRY_AFTER_SECONDS },
});

/** Builds everything, and adds documents and page to the table. */
export async function buildDeferred(options: DeferredOptions): Promise<Deferred> {
  const { api, base, resources, logo, store, mirror, table, responder, reportBug, onLoadFailure } = options;
  const [collector, changes] = [new CollectorReport(store), new RecentChanges(store)];
  const followers = [collector, changes];
  const documentsAt = documents(api, base, resources);
  const drawn = pictures(api.color ?? DEFAULT_COLOUR, logo);
  const renderPage = pageRenderer(api, base, logo);
  const started = Promise.all(followers.map((follower) => follower.start()));
  // The start has waited for the mirror: it does not wait again for a store that is away.
  if (mirror.isAnswered) await started;
  else started.catch(onLoadFailure);
  table.add({
    documentsAt: (now) => ({ ...documentsAt(now, changes.latest()), ...drawn }),
    views: [...BADGE_VIEWS, ...(options.share ? SHARED_SNAPSHOTS : [])],
    page: () =>
      renderPage({
        get: (name) => mirror.get(name),
        changes: changes.latest() ?? [],
        collections: collector.collections(),
      }),
  });
  for (const follower of followers) follower.onChange(() => table.renew());
  const vitals = { mirror, collector };
  const feedParts = jsonFeedParts(apiIndex(api, base), base);
  const notices = createNotices(api, base, logo);
  const live: Record<string, LiveRead> = {
    [FEED_PATH]: () => (changes.latest() ? undefined : NO_HISTORY),
    [JSON_FEED_PATH]: (query) => {
      const latest = changes.latest();
      return latest ? feedParts(query, latest) : NO_HISTORY;
    },
    ...downloads(base, mirror, notices.refusal),
  };
  const app = lazy(async () => {
    const [{ createApp }, { toNodeHandler }] = await Promise.all([import("./http/app.ts"), import("h3/node")]);
    const { app, paths } = createApp({ vitals, documents: table.paths(), live, notices, responder, reportBug });
    return { listener: toNodeHandler(app), paths };
  }, onLoadFailure);
  return {
    vitals,
    app,
    async refresh() {
      await Promise.all(followers.map((follower) => follower.refresh()));
      table.updatePage();
    },
    stop() {
      for (const follower of followers) follower.stop();
    },
  };
}
