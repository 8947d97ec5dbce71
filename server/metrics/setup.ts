// Sets up metrics: the counters, and the listener for /metrics. Loaded, like the library behind it, only if the
// settings ask for metrics.
import type { RequestListener } from "node:http";
import { toNodeHandler } from "h3/node";
import { withRequestCheck } from "../http/request-check.ts";
import type { ReportBug } from "../answers/bug-reporter.ts";
import type { ListeningSocket, SocketHandlers } from "../http/listen.ts";
import { metrics, type MetricsInput } from "./metrics.ts";
import { exposition } from "./exposition.ts";
import { createRouter, readOnly, send } from "../routes/router.ts";
import { TOOLS } from "../mcp/tools.ts";
import { Counters } from "./counters.ts";

const PATH = "/metrics";

/** The MCP methods with a label of their own. */
const METHODS = [
  "initialize",
  "ping",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "server/discover",
  "tools/call",
  "tools/list",
];

export function createCounters(): Counters {
  return new Counters({ methods: METHODS, tools: Object.keys(TOOLS) });
}

export interface MetricsOptions extends MetricsInput {
  /** The paths of all routes. */
  paths: readonly string[];
  /** The metrics' own socket; without one, the other handlers answer /metrics as well. */
  socket: ListeningSocket | undefined;
  reportBug: ReportBug;
}

/** Serves /metrics, and returns handlers that count every answer. */
export function serveMetrics(handlers: SocketHandlers, options: MetricsOptions): SocketHandlers {
  const { counters, vitals, paths, version, socket, reportBug } = options;
  counters.addRoutes([...paths, PATH]);
  const scrape = exposition(metrics({ vitals, counters, version }));
  const notFound = `There is nothing at this address but ${PATH}.`;
  const app = createRouter({ [PATH]: readOnly(async () => send(await scrape())) }, { notFound, reportBug });
  const listener = withRequestCheck(toNodeHandler(app), reportBug);
  socket?.serve({ listener });
  return {
    listener: counters.watchListener(socket ? handlers.listener : withMetricsPath(listener, handlers.listener)),
    express: handlers.express && counters.watchExpress(handlers.express),
    onRefusal: (status) => counters.countAnswer("", status),
  };
}

function withMetricsPath(metricsListener: RequestListener, next: RequestListener): RequestListener {
  return (request, response) => {
    const { url = "" } = request;
    const isMetrics = url === PATH || url.startsWith(`${PATH}?`);
    return isMetrics ? metricsListener(request, response) : next(request, response);
  };
}
