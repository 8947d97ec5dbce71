// A keep-alive connection on a raw socket: one request at a time, with as little work per answer as possible.
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
  /** Repeats a request while `goOn`, called with the status of each answer, returns true. @throws the errors of `goOn`. */
  keepAsking(request: string, goOn: (status: number) => boolean): Promise<void>;
  close(): void;
}

/** The request of a plain client. */
export function request(target: string, { method = "GET", ifNoneMatch = "" } = {}): string {
  const condition = ifNoneMatch === "" ? "" : `If-None-Match: ${ifNoneMatch}\r\n`;
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*\r\n${condition}\r\n`;
}

/** The request of an MCP client. `headers`: in addition to the usual ones. */
export function post(target: string, body: string, headers: Record<string, string> = {}): string {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const accept = "application/json, text/event-stream";
  return (
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: ${accept}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more.join("")}\r\n${body}`
  );
}

/** Answers must have a Content-Length, be chunked or have no body. @throws the system's error if the port is closed. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  await once(socket, "connect");
  let receive: (chunk: Buffer) => void = () => {};
  let fail: (error: Error) => void = () => {};
  socket.on("data", (chunk) => receive(chunk));
  socket.on("error", (error) => fail(error));
  socket.on("close", () => fail(new Error("the server closed the connection")));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        fail = reject;
        receive = reader(request, resolve);
        socket.write(request, "latin1");
      }),
    keepAsking: (request, goOn) =>
      new Promise((resolve, reject) => {
        const next = (status: number) => {
          try {
            if (goOn(status)) socket.write(request, "latin1");
            else resolve();
          } catch (error) {
            reject(error as Error);
          }
        };
        fail = reject;
        receive = quickReader(request, next);
        socket.write(request, "latin1");
      }),
    close: () => void socket.destroy(),
  };
}

/** Returns a function that takes received chunks and calls `onAnswer` for each complete answer. */
function reader(request: string, onAnswer: (answer: Received) => void): (chunk: Buffer) => void {
  const isBodyless = request.startsWith("HEAD");
  let received: Buffer = Buffer.alloc(0);
  return (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf("\r\n\r\n") + 4;
    if (end < 4) return;
    const head = received.toString("latin1", 0, end);
    const status = statusOf(received);
    const body = isBodyless || status === 304 ? Buffer.alloc(0) : wholeBody(head, received.subarray(end));
    if (!body) return;
    received = Buffer.alloc(0);
    onAnswer({ status, head, body });
  };
}

/** Like `reader`, but compares only length and status of an answer with the last one. Most answers differ only in their
 * dates, and parsing them all would cost as much as serving them. */
function quickReader(request: string, onStatus: (status: number) => void): (chunk: Buffer) => void {
  let usual = { length: 0, status: 0 };
  let isBetween = true;
  const read = reader(request, ({ status, head, body }) => {
    usual = { length: head.length + body.length, status };
    isBetween = true;
    onStatus(status);
  });
  return (chunk) => {
    if (isBetween && chunk.length === usual.length && statusOf(chunk) === usual.status) return onStatus(usual.status);
    isBetween = false;
    read(chunk);
  };
}

const ZERO = 48;

/** From the first line, `HTTP/1.1 200 OK`. */
function statusOf(answer: Buffer): number {
  const [hundreds = 0, tens = 0, ones = 0] = [answer[9], answer[10], answer[11]];
  return 100 * hundreds + 10 * tens + ones - 111 * ZERO;
}

const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** The body once it is complete, with its chunk framing, if any. */
function wholeBody(head: string, rest: Buffer): Buffer | undefined {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const isWhole = length === undefined ? rest.subarray(-5).equals(LAST_CHUNK) : rest.length >= Number(length);
  return isWhole ? rest : undefined;
}

/** The answer to one request on a new connection. */
export async function askOnce(port: number, text: string): Promise<Received> {
  const connection = await openConnection(port);
  try {
    return await connection.ask(text);
  } finally {
    connection.close();
  }
}

/** Requests the plans until the answer is 200. @throws Error after 20 s. */
export async function untilAnswers(port: number): Promise<void> {
  const start = performance.now();
  for (;;) {
    if (performance.now() - start > 20_000) throw new Error("no 200 within 20 s");
    const answer = await askOnce(port, request("/api/v1/plans")).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(2);
  }
}

/** The entity tag of an answer. */
export function etagOf({ head }: Received): string {
  return /\r\netag: ([^\r]+)/i.exec(head)?.[1] ?? "";
}
