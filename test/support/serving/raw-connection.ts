// Bytes over a bare TCP connection, for requests that no HTTP client would send.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** A connection that can be written to by and by. It is dropped when the test is over, and never closes by itself. */
export function openRawConnection(port: number, onFinished: (cleanUp: () => void) => void = onTestFinished) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
  onFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  const received = () => Buffer.concat(chunks).toString("latin1");
  const gone = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  const ended = new Promise<void>((resolve) => socket.on("end", resolve));
  // A reset is an end too.
  socket.on("error", () => {}).on("data", (chunk) => chunks.push(chunk));
  const send = (bytes: string) => void socket.write(Buffer.from(bytes, "latin1"));
  return {
    /** Sends the bytes of a string, a character each. */
    send,
    /** Sends, and resolves when the system has taken the bytes. */
    sent: (bytes: string) =>
      new Promise<void>((resolve) => void socket.write(Buffer.from(bytes, "latin1"), () => setImmediate(resolve))),
    received,
    /** Resolves to everything that was received, when the server says no more. */
    async untilEnded(): Promise<string> {
      await Promise.race([ended, gone]);
      return received();
    },
    /** Goes on sending for as long as the server has not dropped the connection. `pause`: milliseconds in between. */
    drip(bytes: string, pause: number): void {
      const dripping = setInterval(send, pause, bytes);
      socket.on("close", () => clearInterval(dripping));
    },
    close: () => void socket.end(),
    /** Reads no more, until it is to again. */
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    /** Goes away without a word: what the server still sends is answered by a reset. */
    reset: () => void socket.resetAndDestroy(),
    connected: () => once(socket, "connect"),
    /** Of both ends, when it is connected; this one's first. */
    ports: () => `${socket.localPort} ${socket.remotePort}`,
    /** @throws Error when the connection ends before the text has come. */
    async untilReceived(text: string): Promise<void> {
      while (!received().includes(text)) {
        if (socket.readableEnded || socket.destroyed) throw new Error(`the connection ended before ${text}`);
        await sleep(5);
      }
    },
  };
}

/** Sends the bytes and waits for the server to close. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const connection = openRawConnection(port);
  connection.send(bytes);
  return connection.untilEnded();
}

export interface RawReply {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Takes the answers of a connection apart, one after the other. `text`: a character for each byte. */
export function parseReplies(text: string): RawReply[] {
  const head = /^HTTP\/1\.1 (?<status>\d{3}) [^\r\n]*\r\n(?<lines>(?:[^\r\n]+\r\n)*)\r\n/.exec(text);
  if (!head?.groups) return text === "" ? [] : [{ status: NaN, headers: {}, body: text }];
  const lines = (head.groups.lines ?? "").split("\r\n").slice(0, -1);
  const headers = Object.fromEntries(
    lines.map((line) => [line.replace(/:.*/, "").toLowerCase(), line.replace(/.*?: */, "")]),
  );
  // After HEAD the length is told, and no body sent.
  const isBare = text.startsWith("HTTP/1.1 ", head[0].length);
  const end = head[0].length + (isBare ? 0 : Number(headers["content-length"] ?? 0));
  return [
    { status: Number(head.groups.status), headers, body: text.slice(head[0].length, end) },
    ...parseReplies(text.slice(end)),
  ];
}
