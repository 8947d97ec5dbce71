// A keep-alive connection on a raw socket: one request at a time, with as little work per answer as possible.
import { once } from "node:events";
import { connect } from "node:net";

export interface Connection {
  /** Sends a request; resolves to the status of the answer. */
  ask(request: string): Promise<number>;
  /** Repeats a request while `goOn`, called with the status of each answer, returns true. @throws the errors of `goOn`. */
  keepAsking(request: string, goOn: (status: number) => boolean): Promise<void>;
  close(): void;
}

/** The request of a plain client. */
export function request(target: string, ifNoneMatch = ""): string {
  const condition = ifNoneMatch === "" ? "" : `If-None-Match: ${ifNoneMatch}\r\n`;
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*\r\n${condition}\r\n`;
}

/** The request of an MCP client. */
export function post(target: string, body: string): string {
  const accept = "application/json, text/event-stream";
  return (
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: ${accept}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** Answers must have a Content-Length, or no body. @throws the system's error if the port is closed. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  await once(socket, "connect");
  let receive: (chunk: Buffer) => void = () => {};
  let fail: (error: Error) => void = () => {};
  socket.on("data", (chunk) => receive(chunk));
  socket.on("error", (error) => fail(error));
  socket.on("close", () => fail(new Error("the server closed the connection")));
  const keepAsking: Connection["keepAsking"] = (request, goOn) =>
    new Promise((resolve, reject) => {
      fail = reject;
      receive = reader((status) => {
        try {
          if (goOn(status)) socket.write(request, "latin1");
          else resolve();
        } catch (error) {
          reject(error as Error);
        }
      });
      socket.write(request, "latin1");
    });
  return {
    async ask(request) {
      let seen = 0;
      await keepAsking(request, (status) => ((seen = status), false));
      return seen;
    },
    keepAsking,
    close: () => void socket.destroy(),
  };
}

/** Returns a function that takes received chunks, and calls `onStatus` for each complete answer. It compares only length and status
 * of an answer with the last one: most differ only in their dates, and parsing them all would cost as much as serving them. */
function reader(onStatus: (status: number) => void): (chunk: Buffer) => void {
  let usual = { length: 0, status: 0 };
  let received: Buffer = Buffer.alloc(0);
  return (chunk) => {
    if (received.length === 0 && chunk.length === usual.length && statusOf(chunk) === usual.status) {
      return onStatus(usual.status);
    }
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf("\r\n\r\n") + 4;
    if (end < 4) return;
    const [, length = "0"] = /\r\ncontent-length: (\d+)/i.exec(received.toString("latin1", 0, end)) ?? [];
    const status = statusOf(received);
    if (status !== 304 && received.length < end + Number(length)) return;
    usual = { length: received.length, status };
    received = Buffer.alloc(0);
    onStatus(status);
  };
}

const ZERO = 48;

/** From the first line, `HTTP/1.1 200 OK`. */
function statusOf(answer: Buffer): number {
  const [hundreds = 0, tens = 0, ones = 0] = [answer[9], answer[10], answer[11]];
  return 100 * hundreds + 10 * tens + ones - 111 * ZERO;
}
