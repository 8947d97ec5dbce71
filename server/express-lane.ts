// The express lane: the plain GET of a known target is answered before node:http sees it, with one write of bytes that
// are all made beforehand. At the slightest doubt the socket and what has arrived on it go to node:http, for good. The
// answers are the same byte for byte; that is proved by a test, and the lane can be switched off by a setting.
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

/** The answer to GET of a target; undefined for one that is not known as it is written. */
export type Lookup = (target: string, wishes: Wishes) => Choice | undefined;

/** Puts a lane before a listening server. */
export function openExpressLane(server: Server, answer: Lookup): ExpressLane {
  const toNodeHttp = server.listeners("connection");
  const sockets = new Set<Socket>();
  const remembered = new Map<string, PlainGet>();
  let isOpen = true;

  function find(chunk: Buffer): Buffer | undefined {
    if (!isOpen || chunk.byteLength > MAX_REQUEST) return undefined;
    const text = chunk.toString("latin1");
    const known = remembered.get(text);
    const asked = known ?? readPlainGet(text);
    const choice = asked && answer(asked.target, asked);
    if (!choice) return undefined;
    if (!known) remember(text, asked);
    return wholeAnswer(choice, server.keepAliveTimeout);
  }

  function remember(text: string, asked: PlainGet): void {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(text, asked);
  }

  function admit(socket: Socket): void {
    const listeners = {
      data(chunk: Buffer) {
        // A client that does not read what it asked for is node:http's business.
        const whole = socket.writableNeedDrain ? undefined : find(chunk);
        if (!whole) return handOver(chunk);
        if (socket.timeout !== server.keepAliveTimeout) socket.setTimeout(server.keepAliveTimeout);
        socket.write(whole);
      },
      end: () => void socket.end(),
      error: () => {},
      close: () => void sockets.delete(socket),
      timeout() {
        // Timed anew when the client has read some more.
        if (socket.writableLength > 0) return;
        if (socket.timeout === server.keepAliveTimeout) socket.destroy();
        else server.emit("clientError", Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
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

/** Whole bytes by answer, with the second whose date they carry. */
const made = new WeakMap<Choice, { second: number; bytes: Buffer }>();

/** Everything that node:http would write, in its order. `keepAlive`: milliseconds. */
function wholeAnswer(choice: Choice, keepAlive: number): Buffer {
  const second = Math.floor(Date.now() / 1000);
  const known = made.get(choice);
  if (known?.second === second) return known.bytes;
  const { status, headers, body } = choice;
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  lines.push(`Date: ${new Date(second * 1000).toUTCString()}`);
  lines.push("Connection: keep-alive", `Keep-Alive: timeout=${Math.floor(keepAlive / 1000)}`, "\r\n");
  const bytes = Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), body]);
  made.set(choice, { second, bytes });
  return bytes;
}
