// Bytes over a TCP connection, for requests that no HTTP client would send.
import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";

/** A connection that can be written to in pieces. It never closes by itself, and is destroyed after the test. */
export function openRawConnection(port: number, onFinished: (cleanUp: () => void) => void = onTestFinished) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
  onFinished(() => void socket.destroy());
  let chunks: Buffer[] = [];
  let isOver = false;
  const waiting = new Set<() => void>();
  const change = () => {
    for (const look of waiting) look();
    waiting.clear();
  };
  const end = () => {
    isOver = true;
    change();
  };
  socket.on("data", (chunk) => {
    chunks.push(chunk);
    change();
  });
  // A reset is an end too.
  socket
    .on("error", () => {})
    .on("end", end)
    .on("close", end);
  const bytes = () => {
    const all = Buffer.concat(chunks);
    chunks = [all];
    return all;
  };
  const received = () => bytes().toString("latin1");
  /** Resolves when more is received, or the server has closed its side. */
  const changed = () => new Promise<void>((resolve) => void waiting.add(resolve));
  const send = (bytes: string) => void socket.write(Buffer.from(bytes, "latin1"));
  return {
    /** Sends a string, one byte per character. */
    send,
    /** Sends, and resolves when the operating system has the bytes. */
    sent: (bytes: string) =>
      new Promise<void>((resolve) => void socket.write(Buffer.from(bytes, "latin1"), () => setImmediate(resolve))),
    received,
    /** What is received and not yet taken. */
    bytes,
    /** Forgets the first bytes that are received. */
    take: (count: number) => void (chunks = [bytes().subarray(count)]),
    isOver: () => isOver,
    changed,
    /** Resolves to all received bytes when the server has closed its side. */
    async untilEnded(): Promise<string> {
      while (!isOver) await changed();
      return received();
    },
    /** Sends repeatedly until the server drops the connection. `pause`: between two writes, in ms. */
    drip(bytes: string, pause: number): void {
      const dripping = setInterval(send, pause, bytes);
      socket.on("close", () => clearInterval(dripping));
    },
    close: () => void socket.end(),
    /** Stops reading until `resume`. */
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    /** Resets the connection. */
    reset: () => void socket.resetAndDestroy(),
    connected: () => once(socket, "connect"),
    /** The ports of both ends once connected, this one's first. */
    ports: () => `${socket.localPort} ${socket.remotePort}`,
    /** @throws Error if the connection ends before the text arrives. */
    async untilReceived(text: string): Promise<void> {
      while (!received().includes(text)) {
        if (isOver) throw new Error(`the connection ended before ${text}`);
        await changed();
      }
    },
  };
}

/** Sends the bytes, waits for the server to close, and returns its answer. */
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

/** Parses the answers of a connection. `text`: one character per byte. */
export function parseReplies(text: string): RawReply[] {
  const head = /^HTTP\/1\.1 (?<status>\d{3}) [^\r\n]*\r\n(?<lines>(?:[^\r\n]+\r\n)*)\r\n/.exec(text);
  if (!head?.groups) return text === "" ? [] : [{ status: NaN, headers: {}, body: text }];
  const lines = (head.groups.lines ?? "").split("\r\n").slice(0, -1);
  const headers = Object.fromEntries(
    lines.map((line) => [line.replace(/:.*/, "").toLowerCase(), line.replace(/.*?: */, "")]),
  );
  // The answer to HEAD has a length, but no body.
  const isBare = text.startsWith("HTTP/1.1 ", head[0].length);
  const end = head[0].length + (isBare ? 0 : Number(headers["content-length"] ?? 0));
  return [
    { status: Number(head.groups.status), headers, body: text.slice(head[0].length, end) },
    ...parseReplies(text.slice(end)),
  ];
}
