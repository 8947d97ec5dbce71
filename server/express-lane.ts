// The express lane: the plain GET of a known target is answered before node:http sees it, with one write of bytes that
// are all made beforehand. At the slightest doubt the socket and what has arrived on it go to node:http, for good. The
// answers are the same byte for byte, which a test proves; the lane can be switched off by a setting.
import { STATUS_CODES, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Wishes } from "./negotiate.ts";
import { readPlainGet, type PlainGet } from "./plain-get.ts";
import type { Choice } from "./prepared.ts";

export interface ExpressLane {
  /** Every request from now on goes to node:http. */
  close(): void;
  /** Closes the connections that are still in the lane, as soon as they have their answers. */
  dismiss(): void;
  /** Closes them at once. */
  destroy(): void;
}

/** A longer request is not looked at, bytes. */
const MAX_REQUEST = 2_048;

/** Requests that are remembered with their meaning: a client sends the same bytes again and again. */
const MOST_REMEMBERED = 500;

/** Longer bodies are not copied behind their heads: slow readers would hold a copy for each second, bytes. */
const MAX_COPIED = 32 * 1024;

/** What node:http adds to the promised time of an idle connection, so that no request meets its end, milliseconds. */
const GRACE = 1_000;

const TOO_LATE = "ERR_HTTP_REQUEST_TIMEOUT";

/** The answer to GET of a target; undefined for one that is not known as it is written. */
export type Lookup = (target: string, wishes: Wishes) => Choice | undefined;

/** Puts a lane before a listening server. */
export function openExpressLane(server: Server, answer: Lookup): ExpressLane {
  const toNodeHttp = server.listeners("connection");
  const sockets = new Set<Socket>();
  const remembered = new Map<string, PlainGet>();
  let isOpen = true;

  function find(chunk: Buffer): Choice | undefined {
    if (!isOpen || chunk.byteLength > MAX_REQUEST) return undefined;
    const text = chunk.toString("latin1");
    const known = remembered.get(text);
    const asked = known ?? readPlainGet(text);
    const choice = asked && answer(asked.target, asked);
    if (!choice) return undefined;
    if (!known) remember(text, asked);
    return choice;
  }

  function remember(text: string, asked: PlainGet): void {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(text, asked);
  }

  function admit(socket: Socket): void {
    let hasAsked = false;
    const listeners = {
      data(chunk: Buffer) {
        // A client that does not read what it asked for is node:http's business.
        const choice = socket.writableNeedDrain ? undefined : find(chunk);
        if (!choice) return handOver(chunk);
        if (!hasAsked) socket.setTimeout(server.keepAliveTimeout + GRACE);
        hasAsked = true;
        write(socket, choice, server.keepAliveTimeout);
      },
      end: () => void socket.end(),
      error: () => {},
      close: () => void sockets.delete(socket),
      timeout() {
        if (!hasAsked) server.emit("clientError", Object.assign(new Error(), { code: TOO_LATE }), socket);
        // A client that reads slowly is waited for, one that does not read at all no longer than node:http waits.
        else if (socket.writableLength > 0 && socket.timeout !== server.timeout) socket.setTimeout(server.timeout);
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

/** What was made for an answer, with the second whose date it carries: the head, or head and body in one. */
const made = new WeakMap<Choice, { second: number; bytes: Buffer }>();

/** Writes what node:http would write, in its order. `keepAlive`: milliseconds. */
function write(socket: Socket, choice: Choice, keepAlive: number): void {
  const isLarge = choice.body.byteLength > MAX_COPIED;
  const second = Math.floor(Date.now() / 1000);
  let ready = made.get(choice);
  if (ready?.second !== second) {
    const head = Buffer.from(headOf(choice, second, keepAlive), "latin1");
    ready = { second, bytes: isLarge ? head : Buffer.concat([head, choice.body]) };
    made.set(choice, ready);
  }
  if (!isLarge) return void socket.write(ready.bytes);
  socket.cork();
  socket.write(ready.bytes);
  socket.write(choice.body);
  socket.uncork();
}

function headOf({ status, headers }: Choice, second: number, keepAlive: number): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  lines.push(`Date: ${new Date(second * 1000).toUTCString()}`);
  lines.push("Connection: keep-alive", `Keep-Alive: timeout=${Math.floor(keepAlive / 1000)}`, "\r\n");
  return lines.join("\r\n");
}
