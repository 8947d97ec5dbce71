// The handler on a runtime, for many test servers in one process: each request names the address of its test server, which has
// the options, the clock, and the store.
import { createHandler } from "../../../../server/edge/handler.ts";
import type { EdgeHandler, RequestContext } from "../../../../server/edge/interface.ts";
import type { ServerState } from "../test-server.ts";

/** Of a request, with the address of its test server. */
const SERVER = "x-vitrine-server";

interface Running {
  handler: EdgeHandler;
  times: ServerState["times"];
  /** How many requests have come, and whether the handler has yet to ask for the time of the last one. */
  asked: { count: number; isNew: boolean };
  warnings: string[];
}

/** Of a store that each request reads. */
const DEFAULT_PACE_MS = 1;

const running = new Map<string, Running>();

function start(address: string, { options, pace }: ServerState): Running {
  const times = { wall: 0, steady: 0 };
  const warnings: string[] = [];
  const store = {
    pace: pace ?? DEFAULT_PACE_MS,
    async get(key: string) {
      const answer = await fetch(`${address}/get/${encodeURIComponent(key)}`);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      return answer.status === 204 ? undefined : answer.arrayBuffer();
    },
    list: async (folder: string) =>
      (await (await fetch(`${address}/list/${encodeURIComponent(folder)}`)).json()) as string[],
  };
  const warn = (message: string) => void warnings.push(message);
  // The clock of a test stands still, but each request shall read the store: first of all the handler asks whether it is time.
  const asked = { count: 0, isNew: false };
  const wall = () => {
    const ahead = pace === undefined && asked.isNew ? 2 * DEFAULT_PACE_MS * asked.count : 0;
    asked.isNew = false;
    return times.wall + ahead;
  };
  const clock = { wall, steady: () => times.steady };
  const handler = createHandler({ ...options, store, warn }, clock);
  const started: Running = { handler, times, asked, warnings };
  running.set(address, started);
  return started;
}

export default {
  async fetch(request: Request, _: unknown, context?: RequestContext): Promise<Response> {
    const address = request.headers.get(SERVER) ?? "";
    const state = (await (await fetch(`${address}/state`)).json()) as ServerState;
    const server = running.get(address) ?? start(address, state);
    Object.assign(server.times, state.times);
    Object.assign(server.asked, { count: server.asked.count + 1, isNew: true });
    const response = await server.handler(request, context);
    const warnings = server.warnings.splice(0);
    if (warnings.length > 0) await fetch(`${address}/warn`, { method: "POST", body: JSON.stringify(warnings) });
    return response;
  },
};
