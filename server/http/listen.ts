// The listening socket: listhen with its conveniences off, time-outs that fit a public read API, a JSON body on every
// refusal, and a stop that finishes what was begun.
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { isUnsafePort } from "get-port-please";
import { listen as listhen } from "listhen";
import { isLoopback } from "../../snapshots/rules.ts";
import { error, type Answer } from "../answers/answer.ts";
import { openExpressLane, type ExpressAnswers, type ExpressLane } from "./express-lane/express-lane.ts";
import { isContinue } from "./request-check.ts";
import { UnderWay } from "./in-flight.ts";

export interface Listening {
  /** The port listened on. */
  port: number;
  /** Sets what answers; whoever asks before waits for it. */
  serve(answering: Answering): void;
  /** Stops accepting, finishes the requests under way, and resolves when the last socket is closed. */
  stop(): Promise<void>;
}

export interface Answering {
  listener: RequestListener;
  /** What the express lane answers with; without it, the lane is closed. */
  express?: ExpressAnswers | undefined;
  /** Told the status of each refusal that no listener hears of. */
  onRefusal?: (status: number) => void;
}

/** Milliseconds. Node's own are minutes, and are looked at only each half minute. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
/** After a stop: how long idle connections may still send a request, and how long anything may last, milliseconds. */
const IDLE_GRACE = 700;
const HARD_STOP = 5_000;

/** Where to listen: an address (`port` 0: any free one), or a listening socket that a supervisor handed over. */
export type Place = { host: string; port: number } | { descriptor: number };

/** @throws Error when the place cannot be had. */
export async function listen(place: Place): Promise<Listening> {
  const early: Parameters<RequestListener>[] = [];
  let listener: RequestListener = (...asked) => void early.push(asked);
  let lane: ExpressLane | undefined;
  let refused: (status: number) => void = () => {};
  const underWay = new UnderWay((status) => refused(status));
  const dispatch = underWay.watch((request, response) => listener(request, response));
  const server = "descriptor" in place ? await inherit(dispatch, place.descriptor) : await open(dispatch, place);
  harden(server);
  refuseWithoutResponse(server, underWay);
  return {
    port: portOf(server),
    serve({ listener: next, express, onRefusal = () => {} }) {
      listener = next;
      refused = onRefusal;
      for (const asked of early.splice(0)) listener(...asked);
      if (express) lane = openExpressLane(server, express);
    },
    async stop() {
      underWay.stop();
      lane?.close();
      await drain(server, lane, underWay);
    },
  };
}

async function open(dispatch: RequestListener, { host, port }: { host: string; port: number }): Promise<Server> {
  // listhen would silently take 3000, or say that it is in use.
  if (isUnsafePort(port)) throw new Error("browsers refuse this port; choose another");
  const listening = listhen(dispatch, {
    hostname: host,
    public: !isLoopback(host) && host !== "::1",
    // By default a busy port silently becomes another one.
    port: port === 0 ? { port, random: true } : { port, ports: [], alternativePortRange: [port, port], random: false },
    showURL: false,
    isTest: true,
    autoClose: false,
  });
  const { server } = await listening.catch((cause: unknown) => {
    throw new Error("the port is in use, or the address is not one of this computer", { cause });
  });
  // Its own listener touches the socket when an answer is finished, and fails where the socket is gone by then.
  server.removeAllListeners("request").on("request", dispatch);
  return server;
}

/** Connections that arrive while no process accepts wait in the socket: a restart loses none. listhen cannot do it. */
async function inherit(dispatch: RequestListener, descriptor: number): Promise<Server> {
  const server = createServer(dispatch).listen({ fd: descriptor });
  await once(server, "listening");
  return server;
}

/** 0 for a socket without a port. */
function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function harden(server: Server): void {
  Object.assign(server, TIMEOUTS, { requireHostHeader: false });
  // The interval of the checks is read when listening begins, which it has: this starts them anew.
  server.emit("listening");
  // Every expectation goes the way of every request: the guard refuses those that are not 100-continue alone.
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
  server.on("checkContinue", (request, response) => {
    // node:http would put it after the head of an answer that is queued behind another.
    const isQueued = response.socket === null;
    if (!isQueued && isContinue(request.headers.expect)) response.writeContinue();
    server.emit("request", request, response);
  });
}

const NO_TUNNELS = error(405, "CONNECT is not answered here.", { headers: { allow: "GET, HEAD, POST, OPTIONS" } });

/** What has no response object of node:http: what cannot be parsed, and tunnels. */
function refuseWithoutResponse(server: Server, underWay: UnderWay): void {
  server.on("clientError", (failure: Error & { code?: string }, socket) =>
    underWay.refuse(socket, clientError(failure.code)),
  );
  server.on("connect", (_request, socket: Duplex) => {
    // It is nobody else's now: an error without a listener would end the process, and no time-out would end it.
    socket.on("error", () => socket.destroy()).on("timeout", () => socket.destroy());
    underWay.refuse(socket, NO_TUNNELS);
  });
}

function clientError(code: string | undefined): Answer {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return error(431, "The request's headers are too long.");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return error(413, "The request's chunk extensions are too long.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return error(408, "The request took too long to arrive.");
    default:
      return error(400, "The request is malformed.");
  }
}

/** No request is lost: the port is closed first, then connections as they fall idle, then whatever is left. */
async function drain(server: Server, lane: ExpressLane | undefined, underWay: UnderWay): Promise<void> {
  // http.Server's own close would at once reset idle connections, on which a request may be under way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const idle = setInterval(() => {
    lane?.dismiss();
    // Among the idle ones node:http counts those whose answer is still being read.
    if (!underWay.isAnswering()) server.closeIdleConnections();
  }, IDLE_GRACE);
  const hard = setTimeout(() => {
    server.closeAllConnections();
    underWay.destroy();
    lane?.destroy();
  }, HARD_STOP);
  await closed;
  clearInterval(idle);
  clearTimeout(hard);
}
