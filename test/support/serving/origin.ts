// Vitrine's server as caches see it: at one port for as long as a test lasts, by the computer's own clock, since a cache
// has no other. It can be killed, fall silent, lose its snapshots and come back, and tells what it was asked.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverSettings } from "../../../server/settings.ts";
import { startServer } from "../../../server/serve.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/open-store.ts";
import { freePort } from "../port.ts";
import { ask, publishOver } from "./server.ts";
import { plansSnapshot, releaseSnapshot } from "../snapshot.ts";

interface OriginOptions {
  /** Lets caches take an answer for fresh for a second at most, not a minute; how long it may be used in all stays. */
  shortMaxAge?: boolean;
  onFinished: (cleanUp: () => Promise<void> | void) => void;
}

export type Origin = Awaited<ReturnType<typeof startOrigin>>;

/** Starts it without snapshots. */
export async function startOrigin({ shortMaxAge = false, onFinished }: OriginOptions) {
  const port = await freePort();
  const heard = listenIn(port, shortMaxAge, onFinished);
  const directories: string[] = [];
  let stop = async () => {};
  let refresh = async () => {};
  onFinished(async () => {
    await kill();
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    const directory = await mkdtemp(join(tmpdir(), "vitrine-"));
    directories.push(directory);
    const server = await startServer({
      api: serverSettings.api.parse({}),
      host: "127.0.0.1",
      port,
      // What it is asked is heard in node:http.
      expressLane: false,
      store: openStore(directory),
      clock: { wall: () => Date.now(), steady: () => performance.now() },
      warn: (message) => console.error(message),
    });
    ({ stop, refresh } = server);
  }

  /** Every connection is cut and new ones are refused. */
  async function kill(): Promise<void> {
    const stopped = stop();
    stop = async () => {};
    for (const socket of heard.sockets) socket.destroy();
    await stopped;
  }

  await start();
  return {
    port,
    requests: heard.requests,
    sockets: heard.sockets,
    get: (path: string) => ask(port, path),
    /** Publishes facts of a revision that end so many milliseconds from now. Returns that instant, since the epoch. */
    async publish(revision: number, lifetime: number): Promise<number> {
      const confirmedAt = Date.now();
      const store = openStore(directories.at(-1) ?? "");
      for (const snapshot of everything(revision, confirmedAt)) {
        await publishOver(store, { ...snapshot, freshUntil: new Date(confirmedAt + lifetime).toISOString() });
      }
      await refresh();
      return confirmedAt + lifetime;
    },
    kill,
    /** As if it hung: connections are accepted, requests never answered. */
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
    /** It is started anew, without snapshots: every fact is 502. */
    async startAnew(): Promise<void> {
      await kill();
      await start();
    },
  };
}

function everything(revision: number, confirmedAt: number): Snapshot[] {
  const wanted = { revision, confirmedAt };
  return [plansSnapshot({ ...wanted, plans: 3 }), releaseSnapshot("macos", wanted), releaseSnapshot("windows", wanted)];
}

interface Heard {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

/** Notes what the servers of this process are asked at a port. */
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

/** Turns some of max-age into stale-while-revalidate and stale-if-error: what would take a minute is seen in a second. */
function hasten(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (status: number, headers: unknown) => ServerResponse;
  response.writeHead = ((status: number, headers: unknown) =>
    writeHead(status, Array.isArray(headers) ? headers.map(hastened) : headers)) as typeof response.writeHead;
}

function hastened(header: string): string {
  const promised = totalLifetime(header);
  if (promised === undefined || promised < 1) return header;
  return `public, max-age=1, stale-while-revalidate=${promised - 1}, stale-if-error=${promised - 1}`;
}

/** Seconds for which Cache-Control lets a fact be used in all; undefined when it is something else. */
export function totalLifetime(cacheControl = ""): number | undefined {
  const match = /^public, max-age=(\d+), stale-while-revalidate=(\d+), stale-if-error=\2$/.exec(cacheControl);
  return match ? Number(match[1]) + Number(match[2]) : undefined;
}
