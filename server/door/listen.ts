// The listening socket: listhen with its conveniences off, timeouts and limits that fit a public read-only API, a JSON
// body on every refusal, and a graceful stop. An address that is not available is an error with the remedy.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSocketServer, isIPv6, Server as SocketServer } from "node:net";
import { networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import { isUnsafePort } from "get-port-please";
import { listen as listhen } from "listhen";
import { attempt, isLoopback } from "../../snapshots/rules.ts";
import { errorCode } from "../../snapshots/system-calls.ts";
import { error, type Answer } from "../answers/answer.ts";
import { resolveHost } from "../settings.ts";
import { InFlight, readInTurns, type OnAnswer } from "./in-flight.ts";
import type { Lane, OpenLane } from "./lane.ts";
import { isContinue } from "./request-check.ts";
import type { Responder } from "./responder.ts";

export interface ListeningSocket {
  /** 0 for a socket without a port, such as a Unix socket. */
  port: number;
  /** Where it listens: `127.0.0.1:3000`, `[::1]:3000`, or the path of a Unix socket. */
  place: string;
  /** Sets the handlers; requests that arrived earlier are answered then. */
  serve(handlers: SocketHandlers): void;
  /** Stops accepting, finishes the requests in flight, and resolves when the last socket is closed. */
  stop(): Promise<void>;
}

export interface SocketHandlers {
  listener: RequestListener;
  /** Opens a lane in front of node:http, with its responder. */
  lane?: { open: OpenLane; responder: Responder } | undefined;
  onAnswer?: OnAnswer | undefined;
}

/** An address (`port` 0: any free one), or a listening socket passed on by a supervisor. */
export type ListenAddress = { host: string; port: number } | { descriptor: number };

/** The port that the server was to have is taken. */
export class PortInUse extends Error {
  override name = "PortInUse";
}

/** @throws Error when the address is not available. */
export async function listen(address: ListenAddress): Promise<ListeningSocket> {
  const early: Parameters<RequestListener>[] = [];
  let listener: RequestListener = (...request) => void early.push(request);
  let lane: Lane | undefined;
  const inFlight = new InFlight();
  const dispatch = inFlight.watch((request, response) => listener(request, response));
  const server = await takeOver("descriptor" in address ? { fd: address.descriptor } : await open(address), dispatch);
  harden(server);
  // This runs after node:http's own listener, which has attached its parser by then.
  server.on("connection", (socket) => readInTurns(socket, inFlight));
  refuseWithoutResponse(server, inFlight);
  return {
    ...addressOf(server),
    serve({ listener: next, lane: asked, onAnswer }) {
      listener = onAnswer ? reporting(next, onAnswer) : next;
      inFlight.onAnswer = onAnswer;
      for (const request of early.splice(0)) listener(...request);
      lane = asked?.open(server, { ...asked, onAnswer }, (socket) => inFlight.takeOver(socket));
    },
    async stop() {
      inFlight.stop();
      lane?.close();
      await drain(server, lane, inFlight);
    },
  };
}

/** The same listener, each answer of which is reported once it is written. */
function reporting(listener: RequestListener, onAnswer: OnAnswer): RequestListener {
  return (request, response) => {
    response.once("finish", () => onAnswer(request.url ?? "", response.statusCode));
    listener(request, response);
  };
}

async function open({ host, port }: { host: string; port: number }): Promise<Server> {
  // listhen would silently use 3000 instead, or report that 3000 is in use.
  if (isUnsafePort(port)) throw new Error("browsers refuse this port; choose another");
  const hostname = await resolveHost(host);
  const listening = listhen(() => {}, {
    hostname,
    public: !isLoopback(hostname) && hostname !== "::1",
    // By default a busy port silently becomes another one.
    port: port === 0 ? { port, random: true } : { port, ports: [], alternativePortRange: [port, port], random: false },
    showURL: false,
    isTest: true,
    autoClose: false,
  });
  const { server } = await listening.catch(async (cause: unknown) => {
    throw Object.assign(await bindError(hostname, port), { cause });
  });
  // listhen may have chosen another address all the same: better no server than one that is open to everybody.
  if (!isListeningOn(server, hostname)) {
    server.close();
    throw new Error("another address was opened instead; please report this");
  }
  return server;
}

function isListeningOn(server: Server, hostname: string): boolean {
  const address = server.address();
  return typeof address === "object" && address?.address === hostname;
}

/** Ports below need a privilege, unless the system is configured otherwise. */
const FIRST_FREE_PORT = 1_024;

/** Why an address cannot be listened on, with the remedy. listhen reports every reason as one, so the address is tried
 * again with Node's own socket, which names the reason. `host`: an IP address. */
async function bindError(host: string, port: number): Promise<Error> {
  const code = await bindCode(host, port);
  return new (code === "EADDRINUSE" ? PortInUse : Error)(bindReason(code, port));
}

function bindReason(code: string | undefined, port: number): string {
  switch (code) {
    case "EADDRINUSE":
      return "the port is in use; stop the program that has it, or choose another port";
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
      return `this machine does not have that address; use one of ${ownAddresses().join(", ")}`;
    case "EACCES":
      return port < FIRST_FREE_PORT
        ? `ports below ${FIRST_FREE_PORT} need a privilege; choose a higher one, or let systemd open it (vitrine.socket)`
        : "the system does not permit this port; choose another";
    case undefined:
      return "the port was in use and is free now; start again";
    default:
      return `the system refuses it (${code})`;
  }
}

/** The code of the error; undefined if there is none. */
function bindCode(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createSocketServer();
    probe.once("error", (error) => resolve(errorCode(error) ?? "unknown error"));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

/** It leaves out link-local addresses, which need a zone. */
function ownAddresses(): string[] {
  try {
    const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
    return all.map(({ address }) => address).filter((address) => !address.startsWith("fe80:"));
  } catch {
    // systemd's unit for the server does not let it ask for them.
    return ["127.0.0.1", "::1", "0.0.0.0"];
  }
}

/** How many connections wait to be accepted, at most: Node accepts one in each turn of the event loop. The system's own
 * limit (`net.core.somaxconn`) may be lower. Node's default is 511, also for a socket that has a longer queue. */
const BACKLOG = 4_096;

/** Serves on a listening socket: a supervisor's, with the connections that have arrived between two processes, so that a
 * restart loses none; or listhen's, whose queue has the default length, and whose own listener uses sockets after each
 * answer and throws if they are gone by then. */
async function takeOver(listening: Server | { fd: number }, dispatch: RequestListener): Promise<Server> {
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, dispatch).listen(listening, BACKLOG);
  await once(server, "listening");
  return server;
}

/** Milliseconds; Node's defaults are minutes, checked only every 30 s. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

function harden(server: Server): void {
  // A client that closes its side after its requests gets all answers.
  Object.assign(server, { maxConnections: connectionLimit(), httpAllowHalfOpen: true });
  // Requests with an expectation go to the listener as well: its check refuses any except 100-continue.
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
  server.on("checkContinue", (request, response) => {
    // For a queued response, node:http would write 100 Continue after that response's own head. A response behind an
    // unread answer of the express lane counts as queued, too: it would be if node:http had written that answer.
    const isQueued = response.socket === null || request.socket.writableLength > 0;
    if (!isQueued && isContinue(request.headers.expect)) response.writeContinue();
    server.emit("request", request, response);
  });
}

const MAX_CONNECTIONS = 20_000;
/** The store, requests to upstreams and commands need them. */
const RESERVED_DESCRIPTORS = 256;

/** How many connections the socket accepts at once. Beyond the limit of descriptors Node could open no file: the store
 * would go unread, and code that is loaded then would be missing until the next start. Leaves free the reserve, or half
 * of the descriptors where there are few. */
function connectionLimit(): number {
  const descriptors = descriptorLimit();
  const free = Math.max(Math.floor(descriptors / 2), descriptors - RESERVED_DESCRIPTORS);
  return Math.min(MAX_CONNECTIONS, free);
}

/** Infinity where the system does not say, which is everywhere but on Linux. */
function descriptorLimit(): number {
  const limits = attempt(() => readFileSync("/proc/self/limits", "utf8")) ?? "";
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
}

const NO_TUNNELS = error(405, "CONNECT is not supported here.", { headers: { allow: "GET, HEAD, POST, OPTIONS" } });

/** Refuses unreadable input and tunnels, for which node:http creates no response object. */
function refuseWithoutResponse(server: Server, inFlight: InFlight): void {
  server.on("clientError", (failure: Error & { code?: string }, socket) =>
    inFlight.refuse(socket, clientError(failure.code)),
  );
  server.on("connect", (_request, socket: Duplex) => {
    // node:http has released the socket: without these listeners, an error would end the process, and no timeout would
    // close the connection.
    socket.on("error", () => socket.destroy()).on("timeout", () => socket.destroy());
    inFlight.refuse(socket, NO_TUNNELS);
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

function addressOf(server: Server): Pick<ListeningSocket, "port" | "place"> {
  const found = server.address();
  if (typeof found !== "object" || found === null) return { port: 0, place: found ?? "a socket without an address" };
  const { address, port } = found;
  return { port, place: `${isIPv6(address) ? `[${address}]` : address}:${port}` };
}

/** After a stop, how long idle connections may still send a request. */
const IDLE_GRACE_MS = 700;
/** After a stop, how long any connection may last. */
const HARD_STOP_MS = 5_000;

/** Loses no request: closes the port first, then connections as they become idle, then the rest. */
async function drain(server: Server, lane: Lane | undefined, inFlight: InFlight): Promise<void> {
  // http.Server's own close would immediately reset idle connections, on which a request may be arriving.
  const closed = new Promise<void>((resolve) => SocketServer.prototype.close.call(server, () => resolve()));
  const idle = setInterval(() => {
    lane?.dismiss();
    // node:http counts connections as idle even while their answer is still being read.
    if (!inFlight.isAnswering()) server.closeIdleConnections();
  }, IDLE_GRACE_MS);
  const hard = setTimeout(() => {
    server.closeAllConnections();
    inFlight.destroy();
    lane?.destroy();
  }, HARD_STOP_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(hard);
}
