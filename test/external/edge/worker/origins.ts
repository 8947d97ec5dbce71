// The handler on a runtime over the store that each request names: an address, or functions over it with a pace.
import { createHandler } from "../../../../server/edge/handler.ts";
import type { EdgeHandler, HandlerOptions, RequestContext } from "../../../../server/edge/interface.ts";

const handlers = new Map<string, EdgeHandler>();

/** `pace`: in ms; without it, the address itself. */
function storeAt(address: string, pace: string | null): HandlerOptions["store"] {
  if (pace === null) return address;
  return {
    pace: Number(pace),
    async get(key) {
      const answer = await fetch(address + key);
      if (answer.ok) return answer.arrayBuffer();
      if (answer.status === 404) return undefined;
      throw new Error(`status ${answer.status}`);
    },
  };
}

function start(address: string, pace: string | null): EdgeHandler {
  const handler = createHandler({ store: storeAt(address, pace), base: "https://facts.example" });
  handlers.set(`${address} ${pace}`, handler);
  return handler;
}

export default {
  fetch(request: Request, _: unknown, context?: RequestContext): Promise<Response> {
    const address = request.headers.get("x-vitrine-store") ?? "";
    const pace = request.headers.get("x-vitrine-pace");
    const handler = handlers.get(`${address} ${pace}`) ?? start(address, pace);
    return handler(request, request.headers.has("x-vitrine-no-context") ? undefined : context);
  },
};
