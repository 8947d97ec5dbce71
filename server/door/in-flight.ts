// The requests in flight on each connection, so that answers stay in order: a refusal waits for the answers before it,
// the last answer of a connection is followed by nothing, and on a stop each connection ends with its pending answer.
// node:http keeps only its own answers in order. What a client may send ahead is limited here, too.
import { STATUS_CODES, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { bytesOf, type Answer } from "../answers/answer.ts";

/** Called for each answer. `target`: as sent; empty if unreadable. */
export type OnAnswer = (target: string, status: number) => void;

/** How long a connection may be inactive while an answer is pending or partly read. If some of it was read, Node waits
 * for as long again. */
export const STALL_MS = 30_000;

/** What a client may send ahead, without waiting for the answers: as many requests at once, while the answers to them are
 * not longer. The answer to the next request is the last of its connection, and requests behind it are ignored: the
 * client repeats them on another connection (RFC 9112, 9.3.2). */
const MAX_SENT_AHEAD = { requests: 8, answerBytes: 256 * 1024 };

/** How long a connection is kept after a last answer that the client may not expect, until the client closes its side.
 * What it still sends is read and ignored: unread bytes would reset the connection, and with it the answer. */
const LINGER_MS = 2_000;

interface Connection {
  readonly unanswered: Set<ServerResponse>;
  /** How many requests were unanswered when the newest input arrived, and have arrived in it. */
  requests: number;
  /** The bytes that were written before the answers to them. */
  written: number;
  /** The last answer, once that is known. */
  last?: ServerResponse | "refusal";
  /** A request that was answered before it had arrived. */
  answeredEarly?: IncomingMessage;
}

/** What node:http's parser gets of a connection in a turn of the event loop. */
const TURN_BYTES = 2_048;

export class InFlight {
  readonly #connections = new Map<Duplex, Connection>();
  readonly #waiting: (() => void)[] = [];
  #isStopping = false;
  onAnswer: OnAnswer | undefined;

  /** Wraps the listener that answers requests. A request that was sent ahead waits for the answers before it, and for
   * other connections. */
  watch(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const connection = this.#connectionOf(socket);
      if (connection.last) return;
      if (this.#isStopping || isTooMuch(connection, socket)) endAfter(response);
      connection.requests++;
      if (response.socket) listener(request, response);
      else response.once("socket", () => this.later(() => answerQueued(listener, request, response, connection)));
      if (!response.shouldKeepAlive) connection.last = response;
      if (isWritten(response)) return;
      // node:http's own timeout would cost 5 % of every request. After the answer, keepAliveTimeout replaces this one.
      socket.setTimeout(STALL_MS);
      connection.unanswered.add(response);
      response.once("close", () => {
        connection.unanswered.delete(response);
        if (!request.complete) connection.answeredEarly = request;
      });
    };
  }

  /** New input has arrived, and all earlier input was parsed. */
  receive(socket: Socket): void {
    const connection = this.#connectionOf(socket);
    connection.requests = connection.unanswered.size;
    if (socket.writableLength === 0) connection.written = socket.bytesWritten;
  }

  /** Enters a connection of the express lane that node:http takes now. Its input is read when it is its turn. An answer of the
   * lane that the client has not read counts like one of node:http. */
  takeOver(socket: Socket): void {
    const unread = socket.writableLength;
    Object.assign(this.#connectionOf(socket), { requests: Number(unread > 0), written: socket.bytesWritten - unread });
    this.later(() => socket.resume());
  }

  /** Whether further input is ignored: the last request has arrived. */
  isOver(socket: Socket): boolean {
    const last = this.#connections.get(socket)?.last;
    return last !== undefined && (last === "refusal" || last.req.complete);
  }

  /** Goes on with a connection when it is its turn: one in each turn of the event loop, because libuv accepts only one new
   * connection in a turn, which all of these would delay. */
  later(goOn: () => void): void {
    if (this.#waiting.push(goOn) === 1) setImmediate(this.#goOn);
  }

  readonly #goOn = (): void => {
    const goOn = this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(this.#goOn);
    goOn?.();
  };

  #connectionOf(socket: Duplex): Connection {
    const known = this.#connections.get(socket);
    if (known) return known;
    const connection: Connection = { unanswered: new Set(), requests: 0, written: 0 };
    this.#connections.set(socket, connection);
    // Its entries go with it: the queued responses of a broken connection emit no event.
    socket.once("close", () => this.#connections.delete(socket));
    return connection;
  }

  /** From now on every answer is the last of its connection. */
  stop(): void {
    this.#isStopping = true;
    for (const { unanswered } of this.#connections.values()) {
      for (const response of unanswered) endAfter(response);
    }
  }

  /** Whether any answer is pending or not fully read. */
  isAnswering(): boolean {
    return [...this.#connections.values()].some(({ unanswered }) => unanswered.size > 0);
  }

  /** Closes these answers' connections immediately, including tunnels, which node:http no longer tracks. */
  destroy(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  /** Refuses input that has no response object, after the answers before it, and closes the connection. */
  refuse(socket: Duplex, refusal: Answer): void {
    const connection = this.#connectionOf(socket);
    const waiting = [...connection.unanswered];
    // An incomplete request is itself the unreadable one; otherwise the unreadable input follows all requests.
    const broken = waiting.at(-1)?.req.complete === false ? waiting.pop() : undefined;
    // After the last answer of a connection, a client would match another one to a request it never made.
    if (connection.last && connection.last !== broken) return;
    connection.last = "refusal";
    if (connection.answeredEarly?.complete === false) return void socket.end();
    this.onAnswer?.("", refusal.status);
    const before = waiting.at(-1);
    const isOver = () => broken?.writableEnded || waiting.some(({ shouldKeepAlive }) => !shouldKeepAlive);
    const finish = () => (isOver() ? linger(socket) : write(socket, refusal));
    if (!before) return finish();
    // node:http closes a connection by this, also after the answers to a client that has closed its side.
    before.req.socket.destroySoon = () => (isOver() ? linger(socket) : undefined);
    before.once("close", finish);
  }
}

/** Gives node:http's parser a little of a connection in a turn of the event loop. Node reads up to 2 MB from a connection in a turn
 * and parses all of it, whether or not the socket is paused or closed meanwhile: 3 connections with endless tiny requests
 * kept all others waiting. */
export function readInTurns(socket: Socket, inFlight: InFlight): void {
  const [parse] = socket.listeners("data") as [((chunk: Buffer) => void)?];
  if (!parse) return;
  let isResting = false;
  // The first input continues that of the express lane.
  let isContinued = true;
  const rest = () => {
    isResting = true;
    socket.pause();
    inFlight.later(() => {
      isResting = false;
      socket.resume();
    });
  };
  const receive = (chunk: Buffer) => {
    if (inFlight.isOver(socket)) return isResting ? undefined : rest();
    if (isResting) {
      // node:http resumes connections before it should.
      socket.pause();
      return socket.unshift(chunk);
    }
    if (!isContinued) inFlight.receive(socket);
    parse.call(socket, chunk.subarray(0, TURN_BYTES));
    isContinued = chunk.byteLength > TURN_BYTES && !inFlight.isOver(socket);
    if (!isContinued) return;
    // If node:http has paused the socket, it resumes it as well, and must not get data before: it would end the process.
    if (!socket.isPaused()) rest();
    socket.unshift(chunk.subarray(TURN_BYTES));
  };
  // node:http removes its listener from a tunnel; Node finds a wrapper by this property. Any listener makes node:http
  // receive data through events instead of reading the handle itself.
  socket.off("data", parse).on("data", Object.assign(receive, { listener: parse }));
}

/** Whether the next answer must be the last one. */
function isTooMuch({ requests, written }: Pick<Connection, "requests" | "written">, socket: Socket): boolean {
  const { requests: maxRequests, answerBytes } = MAX_SENT_AHEAD;
  return requests >= maxRequests || (requests > 0 && socket.bytesWritten - written > answerBytes);
}

/** Answers a request that was sent ahead, after the answers before it. */
function answerQueued(
  listener: RequestListener,
  request: IncomingMessage,
  response: ServerResponse<IncomingMessage>,
  connection: Connection,
): void {
  const { socket } = request;
  // A refusal has ended the connection if the request itself was malformed.
  if (!socket.writable) return;
  if (isTooMuch({ ...connection, requests: 1 }, socket)) endAfter(response);
  listener(request, response);
  if (!response.shouldKeepAlive) connection.last ??= response;
}

/** Whether the system has the whole answer; node:http itself says so a tick later. */
function isWritten({ writableEnded, socket }: ServerResponse): boolean {
  return writableEnded && socket !== null && socket.writableLength === 0;
}

/** Makes an answer the last one of its connection. */
function endAfter(response: ServerResponse): void {
  const { socket } = response.req;
  response.shouldKeepAlive = false;
  // node:http calls this after the answer. Its own would close the socket with unread input, which resets it.
  socket.destroySoon = () => linger(socket);
}

function write(socket: Duplex, answer: Answer): void {
  if (!socket.writable) return void socket.destroy();
  socket.write(Buffer.concat([bytesOf(headOf(answer, "connection: close\r\n")), bytesOf(answer.body)]));
  linger(socket);
}

/** The head of an answer as node:http writes it. `ownLines`: those that a handler does not set. */
export function headOf({ status, headers }: Answer, ownLines: string): string {
  let lines = "";
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}${ownLines}\r\n`;
}

function linger(socket: Duplex): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
}
