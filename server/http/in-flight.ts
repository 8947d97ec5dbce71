// The requests that are under way on each connection, so that nothing is said out of turn: a refusal waits for the answers
// before it, nothing follows the last answer of a connection, and a stop lets each connection end with the answer it waits
// for. node:http keeps order among its own answers only.
import { STATUS_CODES, type RequestListener, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Answer } from "../answers/answer.ts";

/** How long a connection may stand still while it has an answer to get or to read, milliseconds; where some of it was read,
 * Node waits as long again. */
export const STANDSTILL = 30_000;

/** How long a refused client has for reading why, milliseconds. */
const LINGER = 1_000;

export class UnderWay {
  /** In their order. A connection that breaks takes its own with it: those that are queued never hear of it. */
  readonly #unanswered = new Map<Duplex, Set<ServerResponse>>();
  /** What a connection ends with, once that is known. */
  readonly #ends = new WeakMap<Duplex, ServerResponse | "refusal">();
  readonly #onRefusal: (status: number) => void;
  #isStopping = false;

  /** `onRefusal` is told the status of each refusal. */
  constructor(onRefusal: (status: number) => void) {
    this.#onRefusal = onRefusal;
  }

  /** Wraps what answers requests. */
  watch(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (this.#isStopping) response.shouldKeepAlive = false;
      listener(request, response);
      if (!response.shouldKeepAlive && !this.#ends.has(request.socket)) this.#ends.set(request.socket, response);
      if (response.writableFinished) return;
      // Not by node:http's own time-out, which costs every request a twentieth of its time. After the answer, that of an
      // idle connection takes its place.
      request.socket.setTimeout(STANDSTILL);
      const unanswered = this.#unansweredOn(request.socket);
      unanswered.add(response);
      response.once("close", () => unanswered.delete(response));
    };
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

  /** True while there are answers that are not given, or not read yet. */
  isAnswering(): boolean {
    return [...this.#unanswered.values()].some((unanswered) => unanswered.size > 0);
  }

  /** Closes at once the connections that such answers are on, tunnels included, which node:http has let go of. */
  destroy(): void {
    for (const socket of this.#unanswered.keys()) socket.destroy();
  }

  /** Refuses in its turn what arrives on a connection and has no response object, and closes. */
  refuse(socket: Duplex, refusal: Answer): void {
    const waiting = [...(this.#unanswered.get(socket) ?? [])];
    // A request that has not arrived whole is the one that cannot be read; otherwise it is what comes after all of them.
    const broken = waiting.at(-1)?.req.complete === false ? waiting.pop() : undefined;
    const end = this.#ends.get(socket);
    // Behind the last answer of a connection, another would be taken for one to a request that nobody made.
    if (end !== undefined && end !== broken) return;
    this.#ends.set(socket, "refusal");
    this.#onRefusal(refusal.status);
    const finish = () => (broken?.writableEnded ? socket.end() : write(socket, refusal));
    const before = waiting.at(-1);
    if (before) before.once("close", finish);
    else finish();
  }
}

/** Writes the answer, and closes. */
function write(socket: Duplex, { status, headers, body }: Answer): void {
  if (!socket.writable) return void socket.destroy();
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]));
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER).unref();
}
