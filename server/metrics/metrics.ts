// What Prometheus is told. Freshness comes from the mirror, so it is what requests see. Collections come from the report in
// the store, so they are counted whichever process collects, and go on where they were after a restart.
import { versions } from "node:process";
import { lifetime, SNAPSHOT_NAMES, type Servable, type SnapshotName } from "../../snapshots/snapshot.ts";
import { RESULTS, type Reported } from "../../snapshots/report.ts";
import type { Vitals } from "../answers/health.ts";
import type { Metric } from "./exposition.ts";
import type { Traffic } from "./counters.ts";

export interface Observed {
  vitals: Vitals;
  traffic: Traffic;
  /** Of the program. */
  version: string;
}

export function metrics({ vitals, traffic, version }: Observed): Metric[] {
  return [
    {
      kind: "gauge",
      name: "vitrine_build_info",
      help: "Version of Vitrine, and of the Node.js it runs on; always 1",
      labels: ["version", "node_version"],
      samples: () => [[{ version, node_version: versions.node }, 1]],
    },
    ...ofSnapshots(vitals),
    ...ofCollections(vitals),
    ...ofTraffic(traffic),
  ];
}

function ofSnapshots({ mirror, holdings }: Vitals): Metric[] {
  const known = (value: (snapshot: Servable) => number) => (name: SnapshotName) => {
    const look = mirror.look(name);
    return look.state === "missing" ? undefined : value(look.snapshot);
  };
  return [
    gauge("vitrine_snapshot_servable", {
      help: "1 while the snapshot is fresh, 0 while it is stale or missing and readers get 502",
      value: (name) => Number(mirror.left(name) > 0),
    }),
    gauge("vitrine_snapshot_held", {
      help: "1 while what the source says now is held back as a likely accident, else 0",
      value: (name) => Number(holdings.look(name) !== undefined),
    }),
    gauge("vitrine_snapshot_collected_timestamp_seconds", {
      help: "When the source last confirmed the snapshot",
      value: known(({ confirmedAt }) => Date.parse(confirmedAt) / 1000),
    }),
    gauge("vitrine_snapshot_fresh_seconds", {
      help: "For how long the snapshot may still be served; negative when it is stale",
      value: known(({ name }) => Math.round(mirror.left(name)) / 1000),
    }),
    gauge("vitrine_snapshot_lifetime_seconds", {
      help: "For how long the snapshot may be served in all after it was collected",
      value: known((snapshot) => lifetime(snapshot) / 1000),
    }),
  ];
}

function ofCollections({ lastRun }: Vitals): Metric[] {
  const last = (value: (outcome: Reported) => number) => (name: SnapshotName) => {
    const outcome = lastRun.look(name);
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
          const counts = lastRun.look(snapshot)?.counts;
          return counts ? RESULTS.map((result) => [{ snapshot, result }, counts[result]] as const) : [];
        }),
    },
    gauge("vitrine_last_collection_timestamp_seconds", {
      help: "When the last collection of the snapshot was over, whatever came of it",
      value: last(({ finishedAt }) => Date.parse(finishedAt) / 1000),
    }),
    gauge("vitrine_last_collection_duration_seconds", {
      help: "How long the last collection of the snapshot took",
      value: last(({ milliseconds }) => milliseconds / 1000),
    }),
  ];
}

function ofTraffic({ requests, calls }: Traffic): Metric[] {
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

/** One value for each snapshot; undefined where there is none. */
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
