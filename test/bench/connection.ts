// A keep-alive connection on a raw socket: one request after the other, as little work per answer as can be.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Received {
  status: number;
  /** Status line and headers. */
  head: string;
  body: Buffer;
}

export interface Connection {
  ask(request: string): Promise<Received>;
  close(): void;
}

/** What a plain client sends. */
export function request(target: string, { method = "GET", ifNoneMatch = "" } = {}): string {
  const condition = ifNoneMatch === "" ? "" : `If-None-Match: ${ifNoneMatch}\r\n`;
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*\r\n${condition}\r\n`;
}

/** What an MCP client sends. `headers`: beside those of every client. */
export function post(target: string, body: string, headers: Record<string, string> = {}): string {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const accept = "application/json, text/event-stream";
  return (
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: ${accept}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more.join("")}\r\n${body}`
  );
}

/** Answers must have a Content-Length, come in chunks or have no body. @throws the system's error when nobody listens. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  await once(socket, "connect");
  let received = Buffer.alloc(0);
  let isBodyless = false;
  let waiting: { resolve: (answer: Received) => void; reject: (error: Error) => void } | undefined;
  socket.on("data", (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf("\r\n\r\n") + 4;
    if (end < 4) return;
    const head = received.toString("latin1", 0, end);
    const status = Number(head.slice(9, 12));
    const body = isBodyless || status === 304 ? Buffer.alloc(0) : wholeBody(head, received.subarray(end));
    if (!body) return;
    received = Buffer.alloc(0);
    waiting?.resolve({ status, head, body });
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error("the server closed the connection")));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        isBodyless = request.startsWith("HEAD");
        socket.write(request, "latin1");
      }),
    close: () => void socket.destroy(),
  };
}

const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** The body, once all of it is there; chunks are left as they came. */
function wholeBody(head: string, rest: Buffer): Buffer | undefined {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const isWhole = length === undefined ? rest.subarray(-5).equals(LAST_CHUNK) : rest.length >= Number(length);
  return isWhole ? rest : undefined;
}

/** The body as text, put together when it came in chunks. */
export function textOf({ head, body }: Received): string {
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return body.toString();
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const start = body.indexOf("\r\n", at) + 2;
    const length = Number.parseInt(body.toString("latin1", at, start), 16);
    if (length === 0) return Buffer.concat(parts).toString();
    parts.push(body.subarray(start, start + length));
    at = start + length + 2;
  }
}

/** The first answer on a connection of its own. */
export async function askOnce(port: number, text: string): Promise<Received> {
  const connection = await openConnection(port);
  try {
    return await connection.ask(text);
  } finally {
    connection.close();
  }
}

/** Asks for the plans until they are answered with 200. @throws Error when they are not for 20 s. */
export async function untilAnswers(port: number): Promise<void> {
  const start = performance.now();
  for (;;) {
    if (performance.now() - start > 20_000) throw new Error("no 200 within 20 s");
    const answer = await askOnce(port, request("/api/v1/plans")).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(2);
  }
}

/** The entity tag in an answer's head. */
export function tagOf({ head }: Received): string {
  return /\r\netag: ([^\r]+)/i.exec(head)?.[1] ?? "";
}
