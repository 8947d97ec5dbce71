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
  warnings: string[];
}

const running = new Map<string, Running>();

function start(address: string, { options, pace }: ServerState): Running {
  const times = { wall: 0, steady: 0 };
  const warnings: string[] = [];
  const store = {
    pace,
    async get(key: string) {
      const answer = await fetch(`${address}/get/${encodeURIComponent(key)}`);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      return answer.status === 204 ? undefined : answer.arrayBuffer();
    },
    list: async (folder: string) =>
      (await (await fetch(`${address}/list/${encodeURIComponent(folder)}`)).json()) as string[],
  };
  const warn = (message: string) => void warnings.push(message);
  const clock = { wall: () => times.wall, steady: () => times.steady };
  const started = { handler: createHandler({ ...options, store, warn }, clock), times, warnings };
  running.set(address, started);
  return started;
}

export default {
  async fetch(request: Request, _: unknown, context?: RequestContext): Promise<Response> {
    const address = request.headers.get(SERVER) ?? "";
    const state = (await (await fetch(`${address}/state`)).json()) as ServerState;
    const server = running.get(address) ?? start(address, state);
    Object.assign(server.times, state.times);
    const response = await server.handler(request, context);
    const warnings = server.warnings.splice(0);
    if (warnings.length > 0) await fetch(`${address}/warn`, { method: "POST", body: JSON.stringify(warnings) });
    return response;
  },
};
