// A real upstream on 127.0.0.1. The test sets the behaviour of each path; every request is recorded.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { listen } from "../listen.ts";

/** How a path answers one request. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface Recorded {
  path: string;
  headers: IncomingHttpHeaders;
}

export type Upstream = Awaited<ReturnType<typeof startUpstream>>;

interface UpstreamOptions {
  /** Registers clean-up for the end of the test. Concurrent tests pass `onTestFinished` of their context. */
  onFinished?: (cleanUp: () => Promise<void>) => void;
  /** Serves https with this certificate. */
  tls?: { key: string; cert: string };
}

/** Starts an upstream. A path that is set without a query answers every query; an unset path answers 404. */
export async function startUpstream({ onFinished, tls }: UpstreamOptions = {}) {
  const behaviours = new Map<string, Behaviour>();
  const requests: Recorded[] = [];
  const waiting = new Set<() => void>();
  const listener: Behaviour = (request, response) => {
    const { url: path = "", headers } = request;
    requests.push({ path, headers });
    for (const look of waiting) look();
    (behaviours.get(path) ?? behaviours.get(path.replace(/\?.*$/, "")) ?? status(404))(request, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  const port = await listen(server, onFinished);
  const origin = `${tls ? "https" : "http"}://127.0.0.1:${port}`;
  return {
    port,
    origin,
    /** Every request so far, in order. */
    requests,
    url: (path: string) => origin + path,
    set: (path: string, behaviour: Behaviour) => void behaviours.set(path, behaviour),
    /** Resolves once `count` requests have arrived. */
    requested: (count: number): Promise<void> =>
      new Promise((resolve) => {
        const look = () => void (requests.length >= count && waiting.delete(look) && resolve());
        waiting.add(look);
        look();
      }),
  };
}

/** 200 with this value as JSON. */
export function json(value: unknown, headers: OutgoingHttpHeaders = {}): Behaviour {
  return body(JSON.stringify(value), headers);
}

/** 200 with these bytes; JSON by its content type unless the headers say otherwise. */
export function body(bytes: string | Uint8Array, headers: OutgoingHttpHeaders = {}): Behaviour {
  return (_, response) => response.writeHead(200, { "content-type": "application/json", ...headers }).end(bytes);
}

/** The value as JSON with this entity tag; 304 if the request has that tag. */
export function jsonWithEtag(etag: string, value: unknown): Behaviour {
  return (request, response) => {
    const isKnown = request.headers["if-none-match"] === etag;
    (isKnown ? status(304, { etag }) : json(value, { etag }))(request, response);
  };
}

export function status(code: number, headers: OutgoingHttpHeaders = {}, bytes = ""): Behaviour {
  return (_, response) => response.writeHead(code, headers).end(bytes);
}

export function redirect(location: string, code = 302): Behaviour {
  return status(code, { location });
}

/** Exactly these bytes on the connection, which is then closed. */
export function raw(bytes: string | Uint8Array): Behaviour {
  return ({ socket }) => socket.end(bytes);
}

/** Sends these bytes, then nothing, and leaves the connection open. */
export function stalledAfter(bytes: string): Behaviour {
  return ({ socket }) => void socket.write(bytes);
}

/** Sends these bytes, then the same few repeatedly until the client disconnects. */
export function trickling(first: string, drop: string, milliseconds = 10): Behaviour {
  return ({ socket }) => {
    socket.write(first);
    const tap = setInterval(() => socket.write(drop), milliseconds);
    socket.on("close", () => clearInterval(tap));
  };
}

/** Sends these bytes, then the same chunk as fast as the client reads, `times` times. */
export function flooding(first: string, chunk: Uint8Array, times = Infinity): Behaviour {
  return ({ socket }) => {
    let poured = 0;
    const pour = () => {
      while (!socket.destroyed && poured < times) {
        poured++;
        if (!socket.write(chunk)) return void socket.once("drain", pour);
      }
      socket.end();
    };
    socket.write(first);
    pour();
  };
}

/** Resets the connection after these bytes. */
export function reset(bytes = ""): Behaviour {
  return ({ socket }) => {
    if (bytes === "") socket.resetAndDestroy();
    else socket.write(bytes, () => socket.resetAndDestroy());
  };
}

/** Uses one behaviour per request, in order; the last one for all further requests. */
export function inTurn(...behaviours: [Behaviour, ...Behaviour[]]): Behaviour {
  let count = 0;
  return (request, response) => behaviours[Math.min(count++, behaviours.length - 1)]!(request, response);
}
