// The requests in flight on each connection, so that answers stay in order: a refusal waits for the answers before it,
// the last answer of a connection is followed by nothing, and on a stop each connection ends with its pending answer.
// node:http keeps only its own answers in order.
import { STATUS_CODES, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Answer } from "../answers/answer.ts";

/** How long a connection may be inactive while an answer is pending or partly read. If some of it was read, Node waits
 * for as long again. */
export const STALL_MS = 30_000;

/** A connection with as many unanswered requests is not read from. */
const MAX_UNANSWERED = 16;

/** How long a refused client has to read the refusal. */
const LINGER_MS = 1_000;

export class InFlight {
  /** In request order. Entries of a broken connection go with it: its queued responses emit no event. */
  readonly #unanswered = new Map<Duplex, Set<ServerResponse>>();
  /** The last answer of a connection, once that is known. */
  readonly #ends = new WeakMap<Duplex, ServerResponse | "refusal">();
  /** The requests that were answered before they had arrived. */
  readonly #answeredEarly = new WeakMap<Duplex, IncomingMessage>();
  readonly #paused = new WeakSet<Duplex>();
  #isStopping = false;

  /** Called with the status of each refusal. */
  onRefusal: ((status: number) => void) | undefined;

  /** Wraps the listener that answers requests. */
  watch(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (this.#isStopping) response.shouldKeepAlive = false;
      listener(request, response);
      if (!response.shouldKeepAlive && !this.#ends.has(request.socket)) this.#ends.set(request.socket, response);
      if (response.writableFinished) return;
      // node:http's own timeout would cost 5 % of every request. After the answer, keepAliveTimeout replaces this one.
      request.socket.setTimeout(STALL_MS);
      const unanswered = this.#unansweredOn(request.socket);
      unanswered.add(response);
      response.once("close", () => {
        unanswered.delete(response);
        // A connection that node:http itself has paused must not be resumed. Others have their turn first.
        if (unanswered.size === MAX_UNANSWERED - 1 && this.#paused.delete(request.socket)) {
          setImmediate(() => request.socket.resume());
        }
        if (!request.complete) this.#answeredEarly.set(request.socket, request);
      });
    };
  }

  /** Pauses the connection if it has too many unanswered requests, until some are answered. */
  mustWait(socket: Duplex): boolean {
    if ((this.#unanswered.get(socket)?.size ?? 0) < MAX_UNANSWERED) return false;
    this.#paused.add(socket);
    socket.pause();
    return true;
  }

  #unansweredOn(socket: Duplex): Set<ServerResponse> {
    const known = this.#unanswered.get(socket);
    if (known) return known;
    const unanswered = new Set<ServerResponse>();
    this.#unanswered.set(socket, unanswered);
    socket.once("close", () => this.#unanswered.delete(socket));
    return unanswered;
  }

  /** From now on every answer is the last of its connection. */
  stop(): void {
    this.#isStopping = true;
    for (const unanswered of this.#unanswered.values()) {
      for (const response of unanswered) response.shouldKeepAlive = false;
    }
  }

  /** Whether any answer is pending or not fully read. */
  isAnswering(): boolean {
    return [...this.#unanswered.values()].some((unanswered) => unanswered.size > 0);
  }

  /** Closes these answers' connections immediately, including tunnels, which node:http no longer tracks. */
  destroy(): void {
    for (const socket of this.#unanswered.keys()) socket.destroy();
  }

  /** Refuses input that has no response object, after the answers before it, and closes the connection. */
  refuse(socket: Duplex, refusal: Answer): void {
    const waiting = [...(this.#unanswered.get(socket) ?? [])];
    // An incomplete request is itself the unreadable one; otherwise the unreadable input follows all requests.
    const broken = waiting.at(-1)?.req.complete === false ? waiting.pop() : undefined;
    const end = this.#ends.get(socket);
    // After the last answer of a connection, a client would match another one to a request it never made.
    if (end !== undefined && end !== broken) return;
    this.#ends.set(socket, "refusal");
    if (this.#answeredEarly.get(socket)?.complete === false) return void socket.end();
    this.onRefusal?.(refusal.status);
    const finish = () => (broken?.writableEnded ? socket.end() : write(socket, refusal));
    const before = waiting.at(-1);
    if (before) before.once("close", finish);
    else finish();
  }
}

/** Writes the answer and closes. */
function write(socket: Duplex, { status, headers, body }: Answer): void {
  if (!socket.writable) return void socket.destroy();
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]));
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
