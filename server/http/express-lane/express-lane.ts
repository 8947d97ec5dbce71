// The express lane: the plain GET of a known target, and the plain message to /mcp, are answered before node:http sees
// them, in one write. At the slightest doubt the socket and what has arrived on it go to node:http, for good. The answers
// are the same byte for byte, which a test proves; a setting switches the lane off.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Wishes } from "../../answers/negotiate.ts";
import { readPlainHead, type PlainHead } from "./parse.ts";
import type { TextAnswer } from "../../answers/answer.ts";
import type { Choice } from "../../answers/prepared.ts";
import { STANDSTILL } from "../in-flight.ts";
import { wholeChoice, wholeText } from "./serialize.ts";

export interface ExpressLane {
  /** Every request from now on goes to node:http. */
  close(): void;
  /** Closes the connections that are still in the lane, as soon as they have their answers. */
  dismiss(): void;
  /** Closes them at once. */
  destroy(): void;
}

/** A longer request is not looked at, bytes. */
const MAX_REQUEST = 4_096;

const END_OF_HEAD = "\r\n\r\n";

/** Heads that are remembered with their meaning: a client sends the same bytes again and again. */
const MOST_REMEMBERED = 500;
/** Longer ones are read each time: made of many short lines, 500 of them would take 20 MB. Characters. */
const LONGEST_REMEMBERED = 1_024;

/** What node:http adds to the promised time of an idle connection, so that no request meets its end, milliseconds. */
const GRACE = 1_000;

/** Of an answer: bytes, or text with a character for each. */
type Piece = Uint8Array | string;

const TOO_LATE = "ERR_HTTP_REQUEST_TIMEOUT";

/** What the lane answers with; what is undefined is for node:http to answer. */
export interface ExpressAnswers {
  /** To GET of a target that is known as it is written. */
  read(target: string, wishes: Wishes): Choice | undefined;
  /** To a message to /mcp, when that takes no time. `headers`: by their names in lower case. */
  message(headers: Readonly<Record<string, string>>, body: Uint8Array): TextAnswer | undefined;
}

/** Puts a lane before a listening server. */
export function openExpressLane(server: Server, answers: ExpressAnswers): ExpressLane {
  const toNodeHttp = server.listeners("connection");
  const sockets = new Set<Socket>();
  const remembered = new Map<string, PlainHead>();
  let isOpen = true;

  function answerTo(chunk: Buffer): readonly Piece[] | undefined {
    if (!isOpen || chunk.byteLength > MAX_REQUEST) return undefined;
    try {
      return answerToOne(chunk);
    } catch {
      // A bug. Behind node:http it is met again, and told of.
      return undefined;
    }
  }

  /** What answers the one plain request that the chunk is; undefined when it is anything else. */
  function answerToOne(chunk: Buffer): readonly Piece[] | undefined {
    const text = chunk.toString("latin1");
    const end = text.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
    const head = understand(text.slice(0, end));
    if (!head || head.length !== chunk.byteLength - end) return undefined;
    const { method, target, headers } = head;
    if (method === "GET") {
      const choice = answers.read(target, headers);
      return choice && wholeChoice(choice, server.keepAliveTimeout);
    }
    const answer = answers.message(headers, chunk.subarray(end));
    return answer && [wholeText(answer, server.keepAliveTimeout)];
  }

  function understand(text: string): PlainHead | undefined {
    const known = remembered.get(text);
    if (known) return known;
    const head = readPlainHead(text);
    if (!head || text.length > LONGEST_REMEMBERED) return head;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(text, head);
    return head;
  }

  function admit(socket: Socket): void {
    let hasAsked = false;
    const listeners = {
      data(chunk: Buffer) {
        // After its last answer a connection takes nothing more: another would break off those that are on their way.
        if (!socket.writable) return;
        // A client that does not read what it asked for is node:http's business.
        const answer = socket.writableNeedDrain ? undefined : answerTo(chunk);
        if (!answer) return handOver(chunk);
        if (!hasAsked) socket.setTimeout(server.keepAliveTimeout + GRACE);
        hasAsked = true;
        write(socket, answer);
      },
      end: () => void socket.end(),
      error: () => {},
      close: () => void sockets.delete(socket),
      timeout() {
        if (!hasAsked) server.emit("clientError", Object.assign(new Error(), { code: TOO_LATE }), socket);
        // A client that reads slowly is waited for, one that does not read at all no longer than behind node:http.
        else if (socket.writableLength > 0 && socket.timeout !== STANDSTILL) socket.setTimeout(STANDSTILL);
        else socket.destroy();
      },
    };
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
      for (const socket of sockets) socket.destroySoon();
    },
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function write(socket: Socket, pieces: readonly Piece[]): void {
  if (pieces.length > 1) socket.cork();
  for (const piece of pieces) socket.write(piece, "latin1");
  if (pieces.length > 1) socket.uncork();
}
