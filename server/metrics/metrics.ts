// The metrics. Freshness comes from the mirror, so it matches the answers. Collections come from the report in the
// store: they are counted whichever process collects, and continue after a restart.
import { versions } from "node:process";
import { lifetime, SNAPSHOT_NAMES, type Snapshot, type SnapshotName } from "../../snapshots/snapshot.ts";
import { RESULTS, type Reported } from "../../snapshots/report.ts";
import type { Vitals } from "../answers/health.ts";
import type { Metric } from "./exposition.ts";
import type { Counters } from "./counters.ts";

export interface MetricsInput {
  vitals: Vitals;
  counters: Counters;
  /** Of the program. */
  version: string;
}

export function metrics({ vitals, counters, version }: MetricsInput): Metric[] {
  return [
    {
      kind: "gauge",
      name: "vitrine_build_info",
      help: "Versions of Vitrine and Node.js; always 1",
      labels: ["version", "node_version"],
      samples: () => [[{ version, node_version: versions.node }, 1]],
    },
    ...snapshotMetrics(vitals),
    ...collectionMetrics(vitals),
    ...requestMetrics(counters),
  ];
}

function snapshotMetrics({ mirror, collector }: Vitals): Metric[] {
  const known = (value: (snapshot: Snapshot) => number) => (name: SnapshotName) => {
    const lookup = mirror.get(name);
    return lookup.state === "missing" ? undefined : value(lookup.snapshot);
  };
  return [
    gauge("vitrine_snapshot_servable", {
      help: "1 while the snapshot is fresh, 0 while it is stale or missing and requests get 502",
      value: (name) => Number(mirror.timeLeft(name) > 0),
    }),
    gauge("vitrine_snapshot_held", {
      help: "1 while the guard holds back a new value as a likely mistake, otherwise 0",
      value: (name) => Number(collector.held(name) !== undefined),
    }),
    gauge("vitrine_snapshot_collected_timestamp_seconds", {
      help: "When the source last confirmed the snapshot",
      value: known(({ confirmedAt }) => Date.parse(confirmedAt) / 1000),
    }),
    gauge("vitrine_snapshot_fresh_seconds", {
      help: "Seconds until the snapshot is stale; negative when it is",
      value: known(({ name }) => Math.round(mirror.timeLeft(name)) / 1000),
    }),
    gauge("vitrine_snapshot_lifetime_seconds", {
      help: "Seconds from the collection of the snapshot until it is stale",
      value: known((snapshot) => lifetime(snapshot) / 1000),
    }),
  ];
}

function collectionMetrics({ collector }: Vitals): Metric[] {
  const last = (value: (outcome: Reported) => number) => (name: SnapshotName) => {
    const outcome = collector.lastOutcome(name);
    return outcome && value(outcome);
  };
  return [
    {
      kind: "counter",
      name: "vitrine_collections_total",
      help: "Collections by snapshot and result: changed, confirmed, held or failed",
      labels: ["snapshot", "result"],
      samples: () =>
        SNAPSHOT_NAMES.flatMap((snapshot) => {
          const counts = collector.lastOutcome(snapshot)?.counts;
          return counts ? RESULTS.map((result) => [{ snapshot, result }, counts[result]] as const) : [];
        }),
    },
    gauge("vitrine_last_collection_timestamp_seconds", {
      help: "When the last collection of the snapshot finished, with any result",
      value: last(({ finishedAt }) => Date.parse(finishedAt) / 1000),
    }),
    gauge("vitrine_last_collection_duration_seconds", {
      help: "Duration of the last collection of the snapshot",
      value: last(({ milliseconds }) => milliseconds / 1000),
    }),
  ];
}

function requestMetrics({ requests, calls }: Counters): Metric[] {
  return [
    {
      kind: "counter",
      name: "vitrine_http_requests_total",
      help: "Answers by route and status",
      labels: ["route", "status"],
      samples: () =>
        [...requests].flatMap(([route, statuses]) =>
          [...statuses].map(([status, count]) => [{ route, status: String(status) }, count] as const),
        ),
    },
    {
      kind: "counter",
      name: "vitrine_mcp_calls_total",
      help: "Requests over MCP by method, and by tool for tools/call",
      labels: ["method", "tool"],
      samples: () =>
        [...calls].flatMap(([method, tools]) => [...tools].map(([tool, count]) => [{ method, tool }, count] as const)),
    },
  ];
}

/** A gauge with a value for each snapshot, unless it is undefined. */
function gauge(
  name: string,
  { help, value }: { help: string; value: (name: SnapshotName) => number | undefined },
): Metric {
  const samples = () =>
    SNAPSHOT_NAMES.flatMap((snapshot) => {
      const known = value(snapshot);
      return known === undefined ? [] : [[{ snapshot }, known] as const];
    });
  return { kind: "gauge", name, help, labels: ["snapshot"], samples };
}
