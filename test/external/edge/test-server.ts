// In the place of `server/serve.ts` in tests: a server whose requests are answered by the handler on the runtime that the
// environment names. Options, clock and store stay in this process, where the handler asks for them.
import { once } from "node:events";
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { HandlerOptions } from "../../../server/edge/interface.ts";
import { readLogo, readTexts } from "../../../server/api-files.ts";
import type { RunningServer, ServerOptions } from "../../../server/serve.ts";
import type { Reader } from "../../../snapshots/store.ts";

/** The answer to `/state`. */
export interface ServerState {
  options: Omit<HandlerOptions, "store">;
  /** Of the store, in ms; without it, each request reads the store. */
  pace: number | undefined;
  times: { wall: number; steady: number };
}

/** The runtime's connections, which many servers share. */
const agent = new Agent({ keepAlive: true });

/** Like the one of `server/serve.ts`, without metrics. `pace`: how often the handler may read the store, in ms; by default for
 * each request. `runtime`: its port. */
export async function startServer(
  { api, port, share, store, clock, warn }: ServerOptions,
  { pace, runtime = Number(process.env.VITRINE_EDGE_PORT) }: { pace?: number; runtime?: number } = {},
): Promise<RunningServer> {
  const { logo, overview: _, faq: __, ...rest } = api;
  const front = createServer((incoming, outgoing) => pass(incoming, outgoing, { runtime, address }));
  front.listen(port, "127.0.0.1");
  await once(front, "listening");
  const base = api.baseUrl ?? `http://localhost:${portOf(front)}`;
  const options = { api: rest, base, texts: readTexts(api), logo: readLogo(logo), share } as ServerState["options"];
  const state = () => ({ options, pace, times: { wall: clock.wall(), steady: clock.steady() } });
  const control = createServer((incoming, outgoing) => {
    answer(incoming, { store, state, warn }).then(
      (body) => outgoing.writeHead(body === undefined ? 204 : 200).end(body),
      () => outgoing.writeHead(500).end(),
    );
  }).listen(0, "127.0.0.1");
  // A connection that ends as it is used again would look like a store that is away.
  control.keepAliveTimeout = 600_000;
  await once(control, "listening");
  const address = `http://127.0.0.1:${portOf(control)}`;
  const place = `127.0.0.1:${portOf(front)}`;
  // The handler reads the store when it is asked.
  const refresh = async () => void (await fetch(`http://${place}/healthz`));
  await refresh();
  return {
    base,
    place,
    metrics: undefined,
    failed: new Promise(() => {}),
    refresh,
    lastPayload: () => undefined,
    async stop() {
      for (const server of [front, control]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port;
}

interface Asked {
  store: Reader;
  state: () => ServerState;
  warn: (message: string) => void;
}

/** Of a question of the handler; undefined if the store has no such key. */
async function answer(
  incoming: IncomingMessage,
  { store, state, warn }: Asked,
): Promise<Uint8Array | string | undefined> {
  const [, question, word = ""] = (incoming.url ?? "").split("/").map(decodeURIComponent);
  if (question === "state") return JSON.stringify(state());
  if (question === "list") return JSON.stringify(await store.list(word));
  if (question === "warn") {
    for (const message of JSON.parse(await text(incoming)) as string[]) warn(message);
    return "";
  }
  const value = await store.get(word);
  return value === "unchanged" ? undefined : value?.bytes;
}

const OF_THE_CONNECTION = /^(?:connection|keep-alive)$/i;

/** Passes a request to the runtime, and its answer back, as they are but for the connection. */
function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { runtime, address }: { runtime: number; address: string },
): void {
  const { method, url, rawHeaders } = incoming;
  const headers = [...endToEnd(rawHeaders), "x-vitrine-server", address];
  const onward = request({ host: "127.0.0.1", port: runtime, agent, method, path: url, headers }, (answered) => {
    const { statusCode = 0, statusMessage, rawHeaders } = answered;
    outgoing.sendDate = false;
    outgoing.writeHead(statusCode, statusMessage, endToEnd(rawHeaders));
    answered.pipe(outgoing);
  });
  onward.on("error", () => outgoing.destroy());
  incoming.pipe(onward);
}

/** Names and values in turns. */
function endToEnd(headers: readonly string[]): string[] {
  return headers.flatMap((name, index) =>
    index % 2 === 1 || OF_THE_CONNECTION.test(name) ? [] : [name, headers[index + 1] ?? ""],
  );
}
