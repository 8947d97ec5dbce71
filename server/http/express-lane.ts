// The express lane answers plain GETs of known targets, and plain messages to /mcp, before node:http sees them, in one
// write each. Anything unusual hands the socket and its bytes over to node:http permanently. A test proves that the
// answers are the same byte for byte; a setting turns the lane off.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import {
  byteLength,
  bytesOf,
  chunksOf,
  MAX_COPIED_BYTES,
  type Answer,
  type Chunk,
  type RequestHeaders,
} from "../answers/answer.ts";
import { memo } from "../answers/memo.ts";
import type { Responder } from "../routes/responder.ts";
import { headOf, isTooMuch, MAX_SENT_AHEAD, STALL_MS, type OnAnswer, type SentAhead } from "./in-flight.ts";
import { isHost } from "./request-check.ts";

export interface ExpressLane {
  /** From now on every request goes to node:http. */
  close(): void;
  /** Closes each connection of the lane after its answers. */
  dismiss(): void;
  /** Closes all of them immediately. */
  destroy(): void;
}

/** The lane's part of the responder; node:http answers where the result is undefined. */
export type ExpressResponder = Pick<Responder, "read" | "messageSync">;

/** Longer requests go to node:http. */
const MAX_REQUEST_BYTES = 4_096;

const END_OF_HEAD = "\r\n\r\n";

/** Longer heads are looked up by the lines that matter: most of them contain an id that differs in each request. */
const CACHED_HEADS = { maxEntries: 500, maxLength: 256 };

/** node:http adds this to the announced keep-alive time, so that no request crosses with the close. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/** The code that node:http gives a late request. */
const REQUEST_TIMEOUT = "ERR_HTTP_REQUEST_TIMEOUT";

/** Puts a lane before a listening server. `onHandOver`: called before node:http gets a connection; it
 * resumes the socket later. */
export function openExpressLane(
  server: Server,
  { express: responder, onAnswer }: { express: ExpressResponder; onAnswer?: OnAnswer | undefined },
  onHandOver: (socket: Socket, ahead: SentAhead) => void,
): ExpressLane {
  const toNodeHttp = server.listeners("connection");
  const sockets = new Set<Socket>();
  const parseHead = memo(parsePlainHead, CACHED_HEADS);
  let isOpen = true;

  /** The heads of the plain requests that make up a chunk, or of as many as are answered at most; undefined if any part
   * of it is something else. All are parsed before the first is answered, because node:http does not handle a request
   * behind others as it does alone. */
  function headsIn(chunk: Buffer): readonly PlainHead[] | undefined {
    const heads: PlainHead[] = [];
    for (let start = 0; start < chunk.byteLength && heads.length <= MAX_SENT_AHEAD.requests;) {
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
        if (prepared) onAnswer?.(target, prepared.status);
        return prepared && serializedOnce(prepared, server.keepAliveTimeout);
      }
      const answer = responder.messageSync(headers, body);
      if (answer) onAnswer?.(target, answer.status);
      return answer && serialized(answer, server.keepAliveTimeout);
    } catch {
      // A bug. It recurs behind node:http and is reported there.
      return undefined;
    }
  }

  function admit(socket: Socket): void {
    let hasAsked = false;
    const ahead: SentAhead = { requests: 0, written: 0 };
    const listeners = {
      data(chunk: Buffer) {
        // Input after the connection's last answer is ignored: handling it would cut off answers still being sent.
        if (!socket.writable) return;
        if (socket.writableLength === 0) ahead.requests = 0;
        // Counting what was written for each request costs 3 % of a lone one.
        else if (ahead.requests === 1) ahead.written = socket.bytesWritten - socket.writableLength;
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
    /** Answers the requests in a chunk, within the limits on what is sent ahead. */
    function answerAll(heads: readonly PlainHead[], chunk: Buffer): void {
      if (ahead.requests === 0 && heads.length > 1) ahead.written = socket.bytesWritten;
      let rest = chunk;
      for (const head of heads) {
        const end = head.size + head.length;
        const answer = isOpen && !isTooMuch(ahead, socket) ? answerTo(head, rest.subarray(head.size, end)) : undefined;
        if (!answer) return handOver(rest);
        if (!hasAsked) socket.setTimeout(server.keepAliveTimeout + KEEP_ALIVE_MARGIN_MS);
        hasAsked = true;
        ahead.requests++;
        write(socket, answer);
        rest = rest.subarray(end);
      }
    }
    function handOver(chunk: Buffer): void {
      for (const [name, listener] of Object.entries(listeners)) socket.off(name, listener);
      sockets.delete(socket);
      socket.setTimeout(0);
      socket.pause();
      if (ahead.requests === 0) ahead.written = socket.bytesWritten;
      onHandOver(socket, ahead);
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
}

function write(socket: Socket, chunks: readonly Chunk[]): void {
  if (chunks.length > 1) socket.cork();
  for (const chunk of chunks) socket.write(chunk, "latin1");
  if (chunks.length > 1) socket.uncork();
}

/** GET of any target, or POST to /mcp with a Content-Length. */
interface PlainHead {
  method: "GET" | "POST";
  /** In origin form, as sent. */
  target: string;
  /** Those that can affect the answer; each was sent once. */
  headers: RequestHeaders;
  /** Of the head itself, in bytes. */
  size: number;
  /** Of the body, in bytes; 0 for GET. */
  length: number;
}

const REQUEST_LINE = /^(?:GET (?<target>\/[\x21-\x7e]*)|POST \/mcp) HTTP\/1\.1$/;
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

/** Headers that affect the answer only. */
const HARMLESS = new Set(["accept", "accept-encoding", "host", "if-modified-since", "if-none-match", "origin"]);
const HARMLESS_WITH_BODY = new Set([...HARMLESS, "content-length", "content-type"]);

/** Parses a head only if it is plain: complete, and made only of harmless lines that every parser reads the same way.
 * Any other head is undefined, so this parser cannot disagree with node:http, above all about where a message ends
 * (request smuggling). `text`: the head including its final empty line, a character for each byte. */
function parsePlainHead(text: string): PlainHead | undefined {
  const head = parseLines(text.replace(IGNORED_LINES, ""));
  if (!head) return undefined;
  return { method: head.method, target: head.target, headers: head.headers, length: head.length, size: text.length };
}

/** A memo, because CDNs and tracers give each request an id: its head is new, but not the lines that matter. */
const parseLines = memo(parseRequest, { maxEntries: 500, maxLength: 512 });

function parseRequest(text: string): Omit<PlainHead, "size"> | undefined {
  if (!text.endsWith("\r\n\r\n")) return undefined;
  const [first = "", ...lines] = text.slice(0, -4).split("\r\n");
  const request = REQUEST_LINE.exec(first)?.groups;
  if (!request) return undefined;
  const { target } = request;
  const isGet = target !== undefined;
  const headers = parseHeaders(lines, isGet ? HARMLESS : HARMLESS_WITH_BODY);
  if (!headers || !isHost(headers.get("host") ?? "")) return undefined;
  if (isGet) return { method: "GET", target, headers, length: 0 };
  const length = headers.get("content-length") ?? "";
  return LENGTH.test(length) ? { method: "POST", target: "/mcp", headers, length: Number(length) } : undefined;
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
