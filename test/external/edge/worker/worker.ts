// The handler on a runtime, for many stores in one process: each request names its store and how it is read.
import { createHandler } from "../../../../server/features/edge/handler.ts";
import type { EdgeHandler, PlatformStore, RequestContext } from "../../../../server/features/edge/interface.ts";

const handlers = new Map<string, EdgeHandler>();

/** Functions over an address. `pace`: in ms. */
function storeAt(address: string, pace: number): PlatformStore {
  return {
    pace,
    async get(key) {
      const answer = await fetch(address + key);
      if (answer.ok) return answer.arrayBuffer();
      if (answer.status === 404) return undefined;
      throw new Error(`status ${answer.status}`);
    },
    list: async (folder) => (await fetch(`${address}?list=${folder}`)).json() as Promise<string[]>,
  };
}

/** `pace`: of functions over the address; the address itself without it. `now`: the time at which the clock stands, in ms since
 * the epoch, for answers that are compared with those of a server. */
function start(address: string, { pace, now }: { pace: string | null; now: string | null }): EdgeHandler {
  const store = pace === null ? address : storeAt(address, Number(pace));
  const base = "https://facts.example";
  if (now === null) return createHandler({ store, base });
  const api = { contact: "hello@facts.example", origins: ["https://www.facts.example"] };
  return createHandler({ store, base, api, share: true }, { wall: () => Number(now), steady: () => 0 });
}

export default {
  fetch(request: Request, _: unknown, context?: RequestContext): Promise<Response> {
    const named = (name: string) => request.headers.get(`x-vitrine-${name}`);
    const [address, pace, now] = [named("store") ?? "", named("pace"), named("now")];
    const handler = handlers.get(address) ?? start(address, { pace, now });
    handlers.set(address, handler);
    return handler(request, request.headers.has("x-vitrine-no-context") ? undefined : context);
  },
};
