// Everything that a server does not need for its facts: documents, page, the h3 app for unusual requests, and messages. One module,
// because loading it takes longer than everything that a fact needs: it is loaded after the first facts are served. A registry of
// features, each with lines of its own.
import { toNodeHandler } from "h3/node";
import type { Observer } from "./door/observer.ts";
import { readBodyOf } from "./door/request-listener.ts";
import type { Posting } from "./door/responder.ts";
import { recordedMcp } from "./features/mcp/recorded.ts";
import { StoreWatch } from "./features/probes/store-watch.ts";
import { CollectorReport } from "./mirror/collector-report.ts";
import type { Follower } from "./mirror/follower.ts";
import { buildSurface, followersOf, hasFeeds, type SurfaceOptions } from "./surface.ts";

interface DeferredOptions extends Omit<SurfaceOptions, "collector" | "hasFeeds" | "posting" | "readBody"> {
  /** Whether metrics are on. */
  isObserved: boolean;
  warn: (message: string) => void;
  onLoadFailure: (failure: unknown) => void;
}

interface Watched extends Pick<DeferredOptions, "facts" | "warn"> {
  collector: CollectorReport;
}

/** Each follows the store, and warns of what is wrong with it besides the facts. */
const WATCHES: readonly ((watched: Watched) => Follower)[] = [
  // A line for each.
  (watched) => new StoreWatch(watched),
];

/** Builds everything, and adds documents and page to the table. */
export async function buildDeferred({ isObserved, onLoadFailure, warn, ...given }: DeferredOptions) {
  const { mirror, table, facts } = given;
  const options = { ...given, hasFeeds: hasFeeds(facts) };
  const collector = new CollectorReport(facts);
  const watches = WATCHES.map((watch) => watch({ facts, collector, warn }));
  const followers = [collector, ...followersOf(facts), ...watches];
  const started = Promise.all(followers.map((follower) => follower.start()));
  // The start has waited for the mirror: it does not wait again for a store that is away.
  if (mirror.isAnswered) await started;
  else started.catch(onLoadFailure);
  // At most one, which is loaded only if metrics are on.
  const [openObserver]: (() => Promise<Observer>)[] = [
    async () => (await import("./features/metrics/metrics.ts")).openMetrics(),
  ];
  const observer = isObserved ? await openObserver?.() : undefined;
  const [posting]: Posting[] = [
    // At most one.
    await recordedMcp({ ...options, onCall: observer?.onCall }),
  ];
  const { app, paths } = buildSurface({ ...options, collector, posting, readBody: readBodyOf });
  const vitals = { mirror, collector };
  const observe = (
    handlers: Parameters<Observer["serve"]>[0],
    to: Omit<Parameters<Observer["serve"]>[1], "vitals" | "paths">,
  ) => observer?.serve(handlers, { ...to, vitals, paths }) ?? handlers;
  return {
    posting,
    listener: toNodeHandler(app),
    observe,
    async refresh() {
      await Promise.all(followers.map((follower) => follower.refresh()));
      table.update();
    },
    stop() {
      for (const follower of followers) follower.stop();
    },
  };
}
