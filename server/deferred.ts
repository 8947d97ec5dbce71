// Everything that a server does not need for its facts: documents, page, the h3 app for unusual requests, and MCP. One module,
// because loading it takes longer than everything that a fact needs: it is loaded after the first facts are served.
import { toNodeHandler } from "h3/node";
import type { Facts } from "../snapshots/facts.ts";
import { readBodyOf } from "./door/request-listener.ts";
import { identityOf } from "./features/mcp/identity.ts";
import { createMcpAnswers } from "./features/mcp/recordings.ts";
import { CollectorReport } from "./mirror/collector-report.ts";
import { RecentChanges } from "./features/history/recent-changes.ts";
import { buildSurface, type SurfaceOptions } from "./surface.ts";

export type Deferred = Awaited<ReturnType<typeof buildDeferred>>;

interface DeferredOptions extends Omit<SurfaceOptions, "collector" | "changes" | "readBody"> {
  facts: Facts;
  onLoadFailure: (failure: unknown) => void;
}

/** Builds everything, and adds documents and page to the table. */
export async function buildDeferred({ facts, onLoadFailure, ...options }: DeferredOptions) {
  const { api, base, logo, mirror, table, resources, reportBug } = options;
  const [collector, changes] = [new CollectorReport(facts), new RecentChanges(facts)];
  const followers = [collector, changes];
  const started = Promise.all(followers.map((follower) => follower.start()));
  // The start has waited for the mirror: it does not wait again for a store that is away.
  if (mirror.isAnswered) await started;
  else started.catch(onLoadFailure);
  const { app, paths } = buildSurface({ ...options, collector, changes, readBody: readBodyOf });
  const identity = identityOf(api, base, logo);
  return {
    vitals: { mirror, collector },
    answers: await createMcpAnswers(mirror, resources, { identity, reportBug }),
    listener: toNodeHandler(app),
    paths,
    async refresh() {
      await Promise.all(followers.map((follower) => follower.refresh()));
      table.updatePage();
    },
    stop() {
      for (const follower of followers) follower.stop();
    },
  };
}
