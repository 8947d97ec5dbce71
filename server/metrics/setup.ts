// Metrics, put together: what counts, what is told, and the address that tells it. Loaded only when the settings ask for
// metrics, with the library behind it.
import type { RequestListener } from "node:http";
import { toNodeHandler } from "h3/node";
import { guarded } from "../http/request-check.ts";
import type { Vitals } from "../answers/health.ts";
import type { Answering } from "../http/listen.ts";
import { metrics } from "./metrics.ts";
import { exposition } from "./exposition.ts";
import { reading, routed, send } from "../http/router.ts";
import { TOOLS } from "../mcp/tools.ts";
import { Traffic } from "./counters.ts";

export interface Observation {
  traffic: Traffic;
  /** Answers /metrics, and nothing else. */
  listener: RequestListener;
  /** Counts what is answered; `withPath`: and answers /metrics, too. */
  around(answering: Answering, options: { withPath: boolean }): Answering;
}

const PATH = "/metrics";

/** The requests of MCP that are told apart. */
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

interface Wanted {
  vitals: Vitals;
  /** The paths that are told apart. */
  paths: readonly string[];
  /** Of the program. */
  version: string;
  onBug: (bug: unknown) => void;
}

export function observe({ vitals, paths, version, onBug }: Wanted): Observation {
  const traffic = new Traffic({ paths: [...paths, PATH], methods: METHODS, tools: Object.keys(TOOLS) });
  const scrape = exposition(metrics({ vitals, traffic, version }));
  const elsewhere = `There is nothing at this address but ${PATH}.`;
  const app = routed({ [PATH]: reading(async () => send(await scrape())) }, { elsewhere, onBug });
  const listener = guarded(toNodeHandler(app), onBug);
  return {
    traffic,
    listener,
    around: (answering, { withPath }) => ({
      listener: traffic.watch(withPath ? before(answering.listener, listener) : answering.listener),
      express: answering.express && traffic.watchExpress(answering.express),
      onRefusal: (status) => traffic.countAnswer("", status),
    }),
  };
}

function before(others: RequestListener, ours: RequestListener): RequestListener {
  return (request, response) => {
    const { url = "" } = request;
    const isOurs = url === PATH || url.startsWith(`${PATH}?`);
    return isOurs ? ours(request, response) : others(request, response);
  };
}
