// Vitrine's server as the origin of a cache: on one port for the whole test, and by the system clock, which the cache uses
// too. It can be killed, hang, lose its snapshots and restart, and it records its requests.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import { serverSettings } from "../../../server/settings.ts";
import { startServer } from "../../../server/serve.ts";
import { openReader, openStore } from "../../../snapshots/stores/open-store.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { freePort } from "../../support/port.ts";
import { totalLifetime } from "../../support/serving/lifetime.ts";
import { allSnapshots, ask, publishOver } from "../../support/serving/server.ts";
import { factsIn } from "../../support/snapshot.ts";

/** Common to Vitrine's errors. */
export const ERROR_HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
};

interface OriginOptions {
  /** Limits max-age and stale-while-revalidate to a second each, so that outages are bridged by stale-if-error. The total time
   * for which an answer may be used stays. */
  shortMaxAge?: boolean;
  onFinished: (cleanUp: () => Promise<void> | void) => void;
}

export type TestOrigin = Awaited<ReturnType<typeof startOrigin>>;

/** Starts a server by the system clock, which offers its snapshots. */
function startReal(own: Pick<Parameters<typeof startServer>[0], "port" | "facts" | "expressLane" | "warn">) {
  return startServer({ api: serverSettings.api.parse({}), host: "127.0.0.1", share: true, ...own });
}

/** Starts a server that follows the one on a port of this computer. `refresh`: reads its snapshots now. */
export async function startFollower(followed: number, onFinished: (cleanUp: () => Promise<void>) => void) {
  const store = openReader(`http://127.0.0.1:${followed}/snapshots/`);
  // The stories that have followers are about trouble.
  const { base, refresh, stop } = await startReal({
    port: 0,
    facts: factsIn(store),
    expressLane: true,
    warn: () => {},
  });
  onFinished(async () => {
    await stop();
    await store.close();
  });
  return { port: Number(new URL(base).port), refresh };
}

/** Starts an origin without snapshots. */
export async function startOrigin({ shortMaxAge = false, onFinished }: OriginOptions) {
  const port = await freePort();
  const heard = listenIn(port, shortMaxAge, onFinished);
  let directory = "";
  let stop = async () => {};
  let refresh = async () => {};
  async function start(): Promise<void> {
    directory = await temporaryDirectory(onFinished);
    const warn = (message: string) => void process.stderr.write(`${message}\n`);
    // Requests are recorded in node:http, which the express lane bypasses.
    ({ stop, refresh } = await startReal({ port, facts: factsIn(openStore(directory)), expressLane: false, warn }));
    // Waits for the parts that load after the start, so that the first facts do not age meanwhile.
    await refresh();
  }

  /** Cuts every connection and refuses new ones. */
  async function kill(): Promise<void> {
    const stopped = stop();
    stop = async () => {};
    for (const socket of heard.sockets) socket.destroy();
    await stopped;
  }

  await start();
  onFinished(() => kill());
  return {
    port,
    requests: heard.requests,
    sockets: heard.sockets,
    get: (path: string) => ask(port, path),
    /** Publishes facts that end in `lifetime` ms. Returns that time, in ms since the epoch. */
    async publish(revision: number, lifetime: number): Promise<number> {
      const confirmedAt = Date.now();
      const store = openStore(directory);
      for (const snapshot of allSnapshots({ revision, confirmedAt, plans: 3 })) {
        await publishOver(store, { ...snapshot, freshUntil: new Date(confirmedAt + lifetime).toISOString() });
      }
      await refresh();
      return confirmedAt + lifetime;
    },
    kill,
    /** Hangs: accepts connections, but never answers. */
    async fallSilent(): Promise<void> {
      await kill();
      const silent = createServer((socket) => void heard.sockets.add(socket.on("error", () => {}))).listen(
        port,
        "127.0.0.1",
      );
      await once(silent, "listening");
      stop = async () => {
        silent.close();
        await once(silent, "close");
      };
    },
    /** Restarts without snapshots: every fact is answered with 502. */
    async startAnew(): Promise<void> {
      await kill();
      await start();
    },
  };
}

interface Heard {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

/** Records the requests to a port of this process. */
function listenIn(port: number, hasty: boolean, onFinished: OriginOptions["onFinished"]) {
  const requests: Heard[] = [];
  const sockets = new Set<Socket>();
  const channel = "http.server.request.start";
  const hear = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.socket.localPort !== port) return;
    const { method = "", url = "", headers } = request;
    requests.push({ method, url, headers: { ...headers } });
    sockets.add(request.socket);
    if (hasty) hasten(response);
  };
  subscribe(channel, hear);
  onFinished(() => void unsubscribe(channel, hear));
  return { requests, sockets };
}

/** Moves most of max-age to stale-if-error, so that a test takes seconds, not a minute and a half. */
function hasten(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (status: number, headers: Headers) => ServerResponse;
  response.writeHead = ((status: number, headers: Headers) =>
    writeHead(
      status,
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hastened(value)])),
    )) as typeof response.writeHead;
}

type Headers = Record<string, string>;

function hastened(header: string): string {
  const promised = totalLifetime(header);
  if (promised === undefined || promised < 1) return header;
  return `public, max-age=1, stale-while-revalidate=${Math.min(1, promised - 1)}, stale-if-error=${promised - 1}`;
}
