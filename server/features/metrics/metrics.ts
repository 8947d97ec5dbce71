// Metrics for Prometheus, and the listener for /metrics. Loaded, like the library behind it, only if the settings ask
// for metrics. Nothing is kept between scrapes: each reads all samples anew. Without it, only /status and the log tell an operator.
import type { RequestListener } from "node:http";
import { versions } from "node:process";
import { toNodeHandler } from "h3/node";
import { Counter, Gauge, Registry } from "prom-client";
import { needsLook, RESULTS, type Reported } from "../../../snapshots/records.ts";
import { lifetime, SNAPSHOT_NAMES, type Snapshot, type SnapshotName } from "../../../snapshots/snapshot.ts";
import type { Answer } from "../../answers/answer.ts";
import type { Vitals } from "../../answers/addition.ts";
import { withRequestCheck } from "../../door/request-check.ts";
import type { OnCall } from "../../door/responder.ts";
import type { Observer } from "../../door/observer.ts";
import { createRouter, readOnly, send } from "../../door/router.ts";

const PATH = "/metrics";

/** Counts what a server answers, and serves the counts at /metrics. */
export function openMetrics(): Observer {
  const counters = new Counters();
  return {
    onCall: (call) => counters.countCall(call),
    serve(handlers, { vitals, version, paths, socket, reportBug }) {
      counters.addRoutes([...paths, PATH]);
      const registry = registryOf(vitals, counters, version);
      const routes = { [PATH]: readOnly(async () => send(await exposition(registry))) };
      const app = createRouter(routes, { notFound: `There is nothing at this address but ${PATH}.`, reportBug });
      const listener = withRequestCheck(toNodeHandler(app), reportBug);
      socket?.serve({ listener });
      return {
        ...handlers,
        listener: socket ? handlers.listener : withMetricsPath(listener, handlers.listener),
        onAnswer: (target, status) => counters.countAnswer(target, status),
      };
    },
  };
}

function withMetricsPath(metricsListener: RequestListener, next: RequestListener): RequestListener {
  return (request, response) => {
    const { url = "" } = request;
    const isMetrics = url === PATH || url.startsWith(`${PATH}?`);
    return isMetrics ? metricsListener(request, response) : next(request, response);
  };
}

const OTHER = "other";

type Counts<Key> = Map<Key, number>;

/** Counts of requests, answers and MCP calls, as plain numbers: counting costs two look-ups, and nothing while metrics
 * are off, because nothing is wrapped then. Every label is from a closed set, so clients cannot add series: an unknown
 * route counts as `other`. */
class Counters {
  /** Statuses by route, which is a path. */
  readonly requests = new Map<string, Counts<number>>();
  /** Tools by MCP method; the tool is empty for methods without tools. */
  readonly calls = new Map<string, Counts<string>>();

  /** Gives these paths a label of their own. */
  addRoutes(paths: readonly string[]): void {
    for (const path of [...paths, OTHER]) this.requests.set(path, new Map());
  }

  /** `target`: as sent; empty if unreadable. */
  countAnswer(target: string, status: number): void {
    const { requests } = this;
    const counts = requests.get(target) ?? requests.get(target.split("?", 1)[0] ?? "") ?? requests.get(OTHER);
    if (counts) increment(counts, status);
  }

  countCall({ method, tool }: Parameters<OnCall>[0]): void {
    const counts = this.calls.get(method) ?? new Map<string, number>();
    this.calls.set(method, counts);
    increment(counts, tool);
  }
}

function increment<Key>(counts: Counts<Key>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Prometheus' own text. Freshness comes from the mirror, so it matches the answers. Collections come from the report in the
 * store: they are counted whichever process collects, and continue after a restart. */
function registryOf(vitals: Vitals, counters: Counters, version: string): Registry {
  const registry = new Registry();
  const info = { name: "vitrine_build_info", help: "Versions of Vitrine and Node.js; always 1" };
  metric(registry, Gauge, { ...info, labels: ["version", "node_version"] }, () => [
    [{ version, node_version: versions.node }, 1],
  ]);
  addSnapshots(registry, vitals);
  addCollections(registry, vitals);
  addRequests(registry, counters);
  return registry;
}

/** Values by their labels; there may be none. */
type Samples = Iterable<readonly [labels: Readonly<Record<string, string>>, value: number]>;

function metric(
  registry: Registry,
  kind: typeof Counter | typeof Gauge,
  { labels, ...options }: { name: string; help: string; labels: string[] },
  samples: () => Samples,
): void {
  const collect = () => {
    // The samples are totals, counted elsewhere: so each scrape starts at zero.
    created.reset();
    for (const [labelValues, value] of samples()) created.inc(labelValues, value);
  };
  const created = new kind({ ...options, labelNames: labels, registers: [registry], collect });
}

/** A gauge with a value for each snapshot, unless it is undefined. */
function gauge(
  registry: Registry,
  name: string,
  { help, value }: { help: string; value: (name: SnapshotName) => number | undefined },
): void {
  metric(registry, Gauge, { name, help, labels: ["snapshot"] }, () =>
    SNAPSHOT_NAMES.flatMap((snapshot) => {
      const known = value(snapshot);
      return known === undefined ? [] : [[{ snapshot }, known] as const];
    }),
  );
}

function addSnapshots(registry: Registry, { mirror, collector }: Vitals): void {
  const known = (value: (snapshot: Snapshot) => number) => (name: SnapshotName) => {
    const lookup = mirror.get(name);
    return lookup.state === "missing" ? undefined : value(lookup.snapshot);
  };
  gauge(registry, "vitrine_snapshot_servable", {
    help: "1 while the snapshot is fresh, 0 while it is stale or missing and requests get 502",
    value: (name) => Number(mirror.timeLeft(name) > 0),
  });
  gauge(registry, "vitrine_snapshot_held", {
    help: "1 while the guard holds back a new value as a likely mistake, otherwise 0",
    value: (name) => Number(collector.held(name) !== undefined),
  });
  gauge(registry, "vitrine_cross_check_disagreement", {
    help: "1 once a cross-check has disagreed with the snapshot for 12 hours, or a page at all, otherwise 0; absent without cross-checks",
    value(name) {
      const records = collector.crossChecks(name);
      const disagrees = records.some(({ disagreement }) => needsLook(disagreement));
      return records.length === 0 ? undefined : Number(disagrees);
    },
  });
  gauge(registry, "vitrine_snapshot_collected_timestamp_seconds", {
    help: "When the source last confirmed the snapshot",
    value: known(({ confirmedAt }) => Date.parse(confirmedAt) / 1000),
  });
  gauge(registry, "vitrine_snapshot_fresh_seconds", {
    help: "Seconds until the snapshot is stale; negative when it is",
    value: known(({ name }) => Math.round(mirror.timeLeft(name)) / 1000),
  });
  gauge(registry, "vitrine_snapshot_lifetime_seconds", {
    help: "Seconds from the collection of the snapshot until it is stale",
    value: known((snapshot) => lifetime(snapshot) / 1000),
  });
}

function addCollections(registry: Registry, { collector }: Vitals): void {
  const last = (value: (outcome: Reported) => number) => (name: SnapshotName) => {
    const outcome = collector.lastOutcome(name);
    return outcome && value(outcome);
  };
  const help = "Collections by snapshot and result: changed, confirmed, held or failed";
  const total = { name: "vitrine_collections_total", help, labels: ["snapshot", "result"] };
  metric(registry, Counter, total, () =>
    SNAPSHOT_NAMES.flatMap((snapshot) => {
      const counts = collector.lastOutcome(snapshot)?.counts;
      return counts ? RESULTS.map((result) => [{ snapshot, result }, counts[result]] as const) : [];
    }),
  );
  gauge(registry, "vitrine_last_collection_timestamp_seconds", {
    help: "When the last collection of the snapshot finished, with any result",
    value: last(({ finishedAt }) => Date.parse(finishedAt) / 1000),
  });
  gauge(registry, "vitrine_last_collection_duration_seconds", {
    help: "Duration of the last collection of the snapshot",
    value: last(({ milliseconds }) => milliseconds / 1000),
  });
  gauge(registry, "vitrine_collection_interval_seconds", {
    help: "Median of the times between the latest collections of the snapshot",
    value: (name) => {
      const interval = collector.interval(name);
      return interval && interval / 1000;
    },
  });
}

function addRequests(registry: Registry, { requests, calls }: Counters): void {
  const answers = {
    name: "vitrine_http_requests_total",
    help: "Answers by route and status",
    labels: ["route", "status"],
  };
  metric(registry, Counter, answers, () =>
    [...requests].flatMap(([route, statuses]) =>
      [...statuses].map(([status, count]) => [{ route, status: String(status) }, count] as const),
    ),
  );
  const help = "Requests over MCP by method, and by tool for tools/call";
  metric(registry, Counter, { name: "vitrine_mcp_calls_total", help, labels: ["method", "tool"] }, () =>
    [...calls].flatMap(([method, tools]) => [...tools].map(([tool, count]) => [{ method, tool }, count] as const)),
  );
}

async function exposition(registry: Registry): Promise<Answer> {
  const body = Buffer.from(await registry.metrics());
  return {
    status: 200,
    headers: {
      "content-type": registry.contentType,
      "content-length": String(body.byteLength),
      "cache-control": "no-store",
      // No CORS headers: metrics are for the operator's machines, not for web pages.
      "x-content-type-options": "nosniff",
    },
    body,
  };
}
