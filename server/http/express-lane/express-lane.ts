// The express lane answers plain GETs of known targets, and plain messages to /mcp, before node:http sees them, in one
// write each. Anything unusual hands the socket and its bytes over to node:http permanently. A test proves that the answers
// are the same byte for byte; a setting turns the lane off.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { memo } from "../../answers/memo.ts";
import type { Chunk } from "../../answers/answer.ts";
import { parsePlainHead, type PlainHead } from "./parse.ts";
import { STALL_MS } from "../in-flight.ts";
import type { Responder } from "../../routes/responder.ts";
import { serializePrepared, serializeText } from "./serialize.ts";

export interface ExpressLane {
  /** From now on every request goes to node:http. */
  close(): void;
  /** Closes each connection of the lane after its answers. */
  dismiss(): void;
  /** Closes all of them immediately. */
  destroy(): void;
}

/** Longer requests go to node:http. */
const MAX_REQUEST_BYTES = 4_096;

/** How much is written for the requests of one connection before other connections have their turn. */
const TURN_BYTES = 64 * 1024;

const END_OF_HEAD = "\r\n\r\n";

/** Longer heads are looked up by the lines that matter: most of them contain an id that differs in each request. */
const CACHED_HEADS = { maxEntries: 500, maxLength: 256 };

/** node:http adds this to the announced keep-alive time, so that no request crosses with the close. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/** The code that node:http gives a late request. */
const REQUEST_TIMEOUT = "ERR_HTTP_REQUEST_TIMEOUT";

/** The lane's part of the responder; node:http answers where the result is undefined. */
export type ExpressResponder = Pick<Responder, "read" | "messageSync">;

/** Puts a lane before a listening server. */
export function openExpressLane(server: Server, responder: ExpressResponder): ExpressLane {
  const toNodeHttp = server.listeners("connection");
  const sockets = new Set<Socket>();
  const parseHead = memo(parsePlainHead, CACHED_HEADS);
  let isOpen = true;

  /** The heads of the plain requests that make up a chunk; undefined if any part of it is something else. All of them are
   * parsed before the first is answered, because node:http does not handle a request behind others as it does alone. */
  function headsIn(chunk: Buffer): readonly PlainHead[] | undefined {
    const heads: PlainHead[] = [];
    for (let start = 0; start < chunk.byteLength;) {
      const text = chunk.toString("latin1", start, start + MAX_REQUEST_BYTES);
      const head = parseHead(text.slice(0, text.indexOf(END_OF_HEAD) + END_OF_HEAD.length));
      if (!head || head.size + head.length > Math.min(MAX_REQUEST_BYTES, chunk.byteLength - start)) return undefined;
      heads.push(head);
      start += head.size + head.length;
    }
    return heads;
  }

  /** Undefined if the request cannot be answered without waiting. */
  function answerTo({ method, target, headers }: PlainHead, body: Buffer): readonly Chunk[] | undefined {
    try {
      if (method === "GET") {
        const prepared = responder.read(target, headers);
        return prepared && serializePrepared(prepared, server.keepAliveTimeout);
      }
      const answer = responder.messageSync({ get: (name) => headers[name] ?? null }, body);
      return answer && serializeText(answer, server.keepAliveTimeout);
    } catch {
      // A bug. It recurs behind node:http and is reported there.
      return undefined;
    }
  }

  function admit(socket: Socket): void {
    let hasAsked = false;
    const listeners = {
      data(chunk: Buffer) {
        // Input after the connection's last answer is ignored: handling it would cut off answers still being sent.
        if (!socket.writable) return;
        const heads = isOpen ? headsIn(chunk) : undefined;
        if (heads) answerAll(heads, chunk);
        else handOver(chunk);
      },
      end: () => void socket.end(),
      error: () => {},
      close: () => void sockets.delete(socket),
      timeout() {
        if (!hasAsked) server.emit("clientError", Object.assign(new Error(), { code: REQUEST_TIMEOUT }), socket);
        // A slow reader gets more time; a client that reads nothing gets as long as behind node:http.
        else if (socket.writableLength > 0 && socket.timeout !== STALL_MS) socket.setTimeout(STALL_MS);
        else socket.destroy();
      },
    };
    /** Answers the requests in a chunk one by one. While the client does not read, neither does the server; and other
     * clients have their turn after each TURN_BYTES. */
    function answerAll(heads: readonly PlainHead[], chunk: Buffer, first = 0): void {
      const turnEnd = heads.length > 1 ? socket.bytesWritten + TURN_BYTES : 0;
      let rest = chunk;
      for (let index = first; index < heads.length; index++) {
        const head = heads[index] as PlainHead;
        if (socket.writableNeedDrain || (heads.length > 1 && socket.bytesWritten > turnEnd)) {
          return postpone(() => answerAll(heads, rest, index));
        }
        const end = head.size + head.length;
        const answer = isOpen ? answerTo(head, rest.subarray(head.size, end)) : undefined;
        if (!answer) return handOver(rest);
        if (!hasAsked) socket.setTimeout(server.keepAliveTimeout + KEEP_ALIVE_MARGIN_MS);
        hasAsked = true;
        write(socket, answer);
        rest = rest.subarray(end);
      }
    }
    function postpone(work: () => void): void {
      const goOn = () => {
        socket.resume();
        if (socket.writable) work();
      };
      socket.pause();
      if (socket.writableNeedDrain) socket.once("drain", goOn);
      else setImmediate(goOn);
    }
    function handOver(chunk: Buffer): void {
      for (const [name, listener] of Object.entries(listeners)) socket.off(name, listener);
      sockets.delete(socket);
      socket.setTimeout(0);
      socket.pause();
      for (const receive of toNodeHttp) receive.call(server, socket);
      socket.unshift(chunk);
      process.nextTick(() => socket.resume());
    }
    sockets.add(socket);
    socket.setTimeout(server.headersTimeout);
    for (const [name, listener] of Object.entries(listeners)) socket.on(name, listener);
  }

  server.removeAllListeners("connection").on("connection", admit);
  return {
    close: () => void (isOpen = false),
    dismiss() {
      // The requests of a paused connection are answered, or handed over, when its client has read.
      for (const socket of sockets) if (!socket.isPaused()) socket.destroySoon();
    },
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function write(socket: Socket, chunks: readonly Chunk[]): void {
  if (chunks.length > 1) socket.cork();
  for (const chunk of chunks) socket.write(chunk, "latin1");
  if (chunks.length > 1) socket.uncork();
}
