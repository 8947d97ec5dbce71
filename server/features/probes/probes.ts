// Probes for platforms, and the status for operators. /startupz: the store has answered once, so a server that is replaced by this one may
// stop. /readyz: every snapshot can be served. /status: for each snapshot its state and times, the last collection's result, whether
// and why a candidate is held back, and why an older one in the store is refused; but no upstream address, no unpublished value and no
// reason for a failure. /healthz is the core's. Removed with it: these addresses, and the warnings of store-watch.ts.
import { describe, type SnapshotStatus } from "../../../snapshots/fact-state.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import type { Addition, Site, Vitals } from "../../answers/addition.ts";
import { json, type Answer } from "../../answers/answer.ts";
import { negotiated } from "../../answers/negotiate.ts";
import { silentSince } from "./silence.ts";

export function probes({ mirror, collector, clock, notices }: Site): Addition {
  return {
    live: {
      "/startupz": () => (mirror.isStarted ? good("started") : bad("The store has not answered yet.")),
      "/readyz"() {
        const unavailable = SNAPSHOT_NAMES.filter((name) => mirror.timeLeft(name) <= 0);
        const isReady = unavailable.length === 0;
        return isReady ? good("ready") : bad("Some snapshots are stale or missing.", { unavailable });
      },
      "/status"(_query, headers) {
        const snapshots = SNAPSHOT_NAMES.map((name) => stateOf(name, { mirror, collector }));
        const since = silentSince(collector, clock.wall());
        const notice = () => notices()?.status(snapshots, since);
        return negotiated(headers, json(200, JSON.stringify({ snapshots, silentSince: since })), notice);
      },
    },
  };
}

function good(status: string): Answer {
  return json(200, JSON.stringify({ status }));
}

function bad(error: string, more: object = {}): Answer {
  return json(503, JSON.stringify({ error, ...more }));
}

function stateOf(name: SnapshotName, { mirror, collector }: Vitals): SnapshotStatus {
  const lookup = mirror.get(name);
  return describe(name, {
    snapshot: lookup.state === "missing" ? undefined : lookup.snapshot,
    timeLeft: mirror.timeLeft(name),
    refused: mirror.refused(name),
    held: collector.held(name),
    disagreements: collector
      .crossChecks(name)
      .flatMap(({ disagreement: one }) => (one ? [{ since: one.since, atOnce: one.atOnce }] : [])),
    last: collector.lastOutcome(name),
  });
}
