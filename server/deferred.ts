// What a server builds after it serves facts, because loading it takes longer than everything that a fact needs: the surface,
// the other contents of the store, and the h3 app for unusual requests.
import type { RequestListener } from "node:http";
import type { Reader } from "../snapshots/store.ts";
import type { Vitals } from "./answers/health.ts";
import { readBodyOf } from "./http/request-listener.ts";
import { lazy, type Lazy } from "./lazy.ts";
import { CollectorReport } from "./mirror/collector-report.ts";
import { RecentChanges } from "./mirror/recent-changes.ts";
import { buildSurface, type SurfaceOptions } from "./surface.ts";

export interface Deferred {
  vitals: Vitals;
  /** Answers every request. Loaded for the first request that needs it, because h3 also makes Node load its fetch. */
  app: Lazy<{ listener: RequestListener; paths: string[] }>;
  /** Reads the store now. */
  refresh(): Promise<void>;
  /** Stops following the store. */
  stop(): void;
}

export interface DeferredOptions extends Omit<SurfaceOptions, "collector" | "changes"> {
  store: Reader;
  onLoadFailure: (failure: unknown) => void;
}

/** Builds everything, and adds documents and page to the table. */
export async function buildDeferred({ store, onLoadFailure, ...options }: DeferredOptions): Promise<Deferred> {
  const { mirror, table } = options;
  const [collector, changes] = [new CollectorReport(store), new RecentChanges(store)];
  const followers = [collector, changes];
  const started = Promise.all(followers.map((follower) => follower.start()));
  // The start has waited for the mirror: it does not wait again for a store that is away.
  if (mirror.isAnswered) await started;
  else started.catch(onLoadFailure);
  const surface = buildSurface({ ...options, collector, changes });
  const app = lazy(async () => {
    const [{ createApp }, { toNodeHandler }] = await Promise.all([import("./routes/app.ts"), import("h3/node")]);
    const { app, paths } = createApp({ ...surface, readBody: readBodyOf });
    return { listener: toNodeHandler(app), paths };
  }, onLoadFailure);
  return {
    vitals: surface.vitals,
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
