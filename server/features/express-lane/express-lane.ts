// The express lane answers plain GETs of known targets, and plain messages, before node:http sees them, in one
// write each. Anything unusual hands the socket and its bytes over to node:http permanently. A test proves that the
// answers are the same byte for byte; a setting turns the lane off. Without it, node:http
// answers everything, at twice the cost.
import type { Socket } from "node:net";
import {
  byteLength,
  bytesOf,
  chunksOf,
  MAX_COPIED_BYTES,
  type Answer,
  type Chunk,
  type RequestHeaders,
} from "../../answers/answer.ts";
import { memo } from "../../answers/memo.ts";
import type { OpenLane } from "../../door/lane.ts";
import { headOf, STALL_MS } from "../../door/in-flight.ts";
import { isHost } from "../../door/request-check.ts";

const MAX_REQUEST_BYTES = 4_096;

const END_OF_HEAD = "\r\n\r\n";

/** node:http adds this to the announced keep-alive time, so that no request crosses with the close. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/** The code that node:http gives a late request. */
const REQUEST_TIMEOUT = "ERR_HTTP_REQUEST_TIMEOUT";

/** Puts a lane before a listening server. `responder`: node:http answers where its answer is undefined. `onHandOver`: called before
 * node:http gets a connection; it resumes the socket later. */
export const openExpressLane: OpenLane = (server, { responder, onAnswer }, onHandOver) => {
  const toNodeHttp = server.listeners("connection");
  const sockets = new Set<Socket>();
  let isOpen = true;

  /** Undefined unless the chunk is one plain request that can be answered without waiting. */
  function answerTo(chunk: Buffer): readonly Chunk[] | undefined {
    if (!isOpen || chunk.byteLength > MAX_REQUEST_BYTES) return undefined;
    const text = chunk.toString("latin1");
    const end = text.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
    const head = parseHead(text.slice(0, end));
    if (!head || end + head.length !== chunk.byteLength) return undefined;
    const { target, headers, length } = head;
    try {
      const { posting } = responder;
      const isMessage = length > 0 && target === posting?.path;
      const message = isMessage ? posting?.answerSync(headers, chunk.subarray(end)) : undefined;
      const answer = length === 0 ? responder.read(target, headers) : message;
      if (!answer) return undefined;
      onAnswer?.(target, answer.status);
      return (length === 0 ? serializedOnce : serialized)(answer, server.keepAliveTimeout);
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
        // A client that has not read its last answer is sending ahead, which only node:http's side limits.
        const answer = socket.writableLength === 0 ? answerTo(chunk) : undefined;
        if (!answer) return handOver(chunk);
        if (!hasAsked) socket.setTimeout(server.keepAliveTimeout + KEEP_ALIVE_MARGIN_MS);
        hasAsked = true;
        write(socket, answer);
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
    function handOver(chunk: Buffer): void {
      for (const [name, listener] of Object.entries(listeners)) socket.off(name, listener);
      sockets.delete(socket);
      socket.setTimeout(0);
      socket.pause();
      onHandOver(socket);
      for (const receive of toNodeHttp) receive.call(server, socket);
      socket.unshift(chunk);
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
};

function write(socket: Socket, chunks: readonly Chunk[]): void {
  if (chunks.length > 1) socket.cork();
  for (const chunk of chunks) socket.write(chunk, "latin1");
  if (chunks.length > 1) socket.uncork();
}

/** GET of any target, or POST with a Content-Length. */
interface PlainHead {
  /** The target in origin form, as sent. */
  target: string;
  /** Those that can affect the answer; each was sent once. */
  headers: RequestHeaders;
  /** The body has so many bytes; that of GET has 0. */
  length: number;
}

const REQUEST_LINE = /^(?<method>GET|POST) (?<target>\/[\x21-\x7e]*) HTTP\/1\.1$/;
const HEADER_LINE = /^(?<name>[A-Za-z][A-Za-z\d-]*): (?<value>[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;
const LENGTH = /^[1-9]\d{0,3}$/;

/** Lines of headers that affect neither the framing of the message nor the connection nor any answer. */
const IGNORED_LINES = new RegExp(
  `\\r\\n(?:(?:${[
    "(?:akamai|cf|cloudfront|fastly|sec|x)-[a-z\\d-]+",
    "accept-language",
    "b3",
    "baggage",
    "cache-control",
    "cdn-loop",
    "cookie",
    "dnt",
    "forwarded",
    "from",
    "pragma",
    "priority",
    "referer",
    "save-data",
    "traceparent",
    "tracestate",
    "true-client-ip",
    "upgrade-insecure-requests",
    "user-agent",
    "via",
  ].join("|")}): [\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?|connection: keep-alive)(?=\\r\\n)`,
  "gi",
);

/** These headers affect the answer only. */
const HARMLESS = new Set(["accept", "accept-encoding", "host", "if-modified-since", "if-none-match", "origin"]);
const HARMLESS_WITH_BODY = new Set([...HARMLESS, "content-length", "content-type"]);

/** Parses a head only if it is plain: complete, and made only of harmless lines that every parser reads the same way.
 * Any other head is undefined, so this parser cannot disagree with node:http, above all about where a message ends
 * (request smuggling). The text is the head including its final empty line, a character for each byte. */
const parseHead = memo((text) => parseLines(text.replace(IGNORED_LINES, "")), 256);

/** A memo, because CDNs and tracers give each request an id: its head is new and long, but not the lines that matter. */
const parseLines = memo(parseRequest, 512);

function parseRequest(text: string): PlainHead | undefined {
  if (!text.endsWith(END_OF_HEAD)) return undefined;
  const [first = "", ...lines] = text.slice(0, -END_OF_HEAD.length).split("\r\n");
  const request = REQUEST_LINE.exec(first)?.groups;
  if (!request) return undefined;
  const { method, target = "" } = request;
  const headers = parseHeaders(lines, method === "GET" ? HARMLESS : HARMLESS_WITH_BODY);
  if (!headers || !isHost(headers.get("host") ?? "")) return undefined;
  if (method === "GET") return { target, headers, length: 0 };
  const length = headers.get("content-length") ?? "";
  return LENGTH.test(length) ? { target, headers, length: Number(length) } : undefined;
}

/** Undefined if a header is not known to be harmless, or sent twice. */
function parseHeaders(lines: readonly string[], harmless: ReadonlySet<string>): RequestHeaders | undefined {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const { name = "", value = "" } = HEADER_LINE.exec(line)?.groups ?? {};
    const key = name.toLowerCase();
    if (!(harmless.has(key) || key.startsWith("mcp-")) || headers.has(key)) return undefined;
    headers.set(key, value);
  }
  return { get: (name) => headers.get(name) ?? null };
}

/** The serialized form of each prepared answer, with the date in it. */
const kept = new WeakMap<Answer, { date: string; chunks: readonly Uint8Array[] }>();

/** The same for a prepared answer, which is serialized at most once a second. */
function serializedOnce(prepared: Answer, keepAliveMs: number): readonly Uint8Array[] {
  const date = dateNow();
  const known = kept.get(prepared);
  if (known?.date === date) return known.chunks;
  const parts = serialized(prepared, keepAliveMs).map(bytesOf);
  const chunks = byteLength(prepared.body) > MAX_COPIED_BYTES ? parts : [Buffer.concat(parts)];
  kept.set(prepared, { date, chunks });
  return chunks;
}

/** A whole answer exactly as node:http writes it on a kept connection. */
function serialized(answer: Answer, keepAliveMs: number): readonly Chunk[] {
  const connection = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`;
  const head = headOf(answer, `Date: ${dateNow()}\r\n${connection}`);
  return typeof answer.body === "string" ? [head + answer.body] : [head, ...chunksOf(answer.body)];
}

/** Cached for the current second, as node:http does: the clock costs too much to read for each answer. */
let currentDate: string | undefined;

function dateNow(): string {
  if (currentDate === undefined) {
    const now = new Date();
    currentDate = now.toUTCString();
    setTimeout(() => (currentDate = undefined), 1000 - now.getMilliseconds()).unref();
  }
  return currentDate;
}
