// What stands around the facts: the documents and the page, what the store tells beside snapshots, and h3's app for every
// request that is odd. Loading and making it takes longer than all that a fact needs, so the facts are answered first.
import type { RequestListener } from "node:http";
import type { Store } from "../snapshots/store.ts";
import { Changes } from "./mirror/recent-changes.ts";
import type { ApiSettings } from "./settings.ts";
import { documents } from "./documents/documents.ts";
import type { Vitals } from "./answers/health.ts";
import { Holdings } from "./mirror/held-candidates.ts";
import { LastRun } from "./mirror/collector-report.ts";
import { lazy, type Lazy } from "./lazy.ts";
import type { McpEdge } from "./mcp/http.ts";
import type { Mirror } from "./mirror/mirror.ts";
import { pageOf } from "./page/answers.ts";
import type { Table } from "./answers/table.ts";

export interface Surroundings {
  vitals: Vitals;
  /** Answers everything. Loaded for the first request that needs it: h3 makes Node load its fetch, too. */
  app: Lazy<{ listener: RequestListener; paths: string[] }>;
  /** Takes over at once what is new in the store. */
  refresh(): Promise<void>;
  /** Follows the store no longer. */
  stop(): void;
}

export interface Wanted {
  api: ApiSettings;
  /** The public base URL, without a slash at its end. */
  base: string;
  /** A `data:` URI. */
  logo: string | undefined;
  store: Store;
  mirror: Mirror;
  table: Table;
  mcp: McpEdge;
  onBug: (bug: unknown) => void;
}

/** Makes it all, and adds documents and page to the table. */
export async function surround({ api, base, logo, store, mirror, table, mcp, onBug }: Wanted): Promise<Surroundings> {
  const [holdings, lastRun, changes] = [new Holdings(store), new LastRun(store), new Changes(store)];
  const following = [holdings, lastRun, changes];
  const documentsAt = documents(api, base);
  const renderPage = pageOf(api, base, logo);
  await Promise.all(following.map((follower) => follower.start()));
  table.add({
    documentsAt: (now) => documentsAt(now, changes.latest()),
    page: () =>
      renderPage({
        look: (name) => mirror.look(name),
        changes: changes.latest(),
        collections: lastRun.collections(),
      }),
  });
  for (const follower of [changes, lastRun]) follower.onChange(() => table.renew());
  const vitals = { mirror, holdings, lastRun };
  const app = lazy(async () => {
    const [{ createApp }, { toNodeHandler }] = await Promise.all([import("./http/app.ts"), import("h3/node")]);
    const { app, paths } = createApp({ vitals, table, mcp, onBug });
    return { listener: toNodeHandler(app), paths };
  });
  return {
    vitals,
    app,
    async refresh() {
      await Promise.all(following.map((follower) => follower.refresh()));
      table.settle();
    },
    stop() {
      for (const follower of following) follower.stop();
    },
  };
}
