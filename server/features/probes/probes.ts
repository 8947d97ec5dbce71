// Probes for platforms, and the status for operators. /startupz: the store has answered once, so a server that is replaced by this one may
// stop; if it was away, the collector has had the time to publish again. /readyz: every snapshot can be served. /status: for each snapshot
// its state and times, the last collection's result, whether and why a candidate is held back, and why an older one in the store is refused;
// but no upstream address, no unpublished value and no reason for a failure. /healthz is the core's. Removed with it: these addresses, and
// the warnings of store-watch.ts.
import { describe, type SnapshotStatus } from "../../../snapshots/fact-state.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import type { Addition, Site, Vitals } from "../../answers/addition.ts";
import { json, type Answer } from "../../answers/answer.ts";
import { negotiated } from "../../answers/negotiate.ts";
import { silentSince } from "./silence.ts";

/** How long the collector may take to publish again what a store has come back without. */
const REPUBLISHED_MS = 15_000;

export function probes({ mirror, collector, clock, notices }: Site): Addition {
  const startup = startupOf({ mirror, clock });
  return {
    live: {
      "/startupz": startup,
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

/** A store that was away when it was asked for, and then lacks facts, may have lost them: servers that have them in memory must not stop
 * before the collector has published them again. It may also never have had them, so the wait has an end. */
function startupOf({ mirror, clock }: Pick<Site, "mirror" | "clock">): () => Answer {
  let wasAway = false;
  let backAt: number | undefined;
  return () => {
    wasAway ||= !mirror.isStarted;
    if (!mirror.isStarted) return bad("The store has not answered yet.");
    backAt ??= clock.steady();
    wasAway &&= clock.steady() - backAt < REPUBLISHED_MS && SNAPSHOT_NAMES.some((name) => mirror.timeLeft(name) <= 0);
    return wasAway ? bad("The store was away, and has not all facts yet.") : good("started");
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
