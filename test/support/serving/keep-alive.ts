// A keep-alive TCP connection that sends requests byte for byte, one at a time, and returns the answers the same way. It is
// reopened after the server has closed it, which is allowed after an error.
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface RawAnswer {
  status: number;
  /** Status line and headers as received, without the empty line. */
  head: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** `ask` and `end` throw if there are more answers than requests, or if an answer is incomplete. */
export function openKeepAlive(port: number, onFinished: (cleanUp: () => void) => void = onTestFinished) {
  let line: Line | undefined;
  onFinished(() => line?.socket.destroy());
  return {
    /** Sends one complete request, one byte per character, and waits for its answer. */
    async ask(bytes: string): Promise<RawAnswer> {
      const current = (line ??= open(port));
      // After a failure the next request opens a new connection.
      line = undefined;
      try {
        current.socket.write(Buffer.from(bytes, "latin1"));
        const answer = await current.next(bytes.startsWith("HEAD "));
        if (!isLast(answer)) {
          current.expectNoExtraBytes();
          line = current;
          return answer;
        }
        // A malformed HEAD is refused before its method is known.
        if (answer.status >= 400 && answer.body.length === 0)
          await current.untilEnded(answer.headers["content-length"]);
        else await current.untilEnded();
        return answer;
      } finally {
        if (!line) current.socket.destroy();
      }
    },
    /** Closes our side and waits for the server to close its own. */
    async end(): Promise<void> {
      line?.socket.end();
      await line?.untilEnded();
      line = undefined;
    },
  };
}

type Line = ReturnType<typeof open>;

function open(port: number) {
  const socket: Socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let received: Buffer = Buffer.alloc(0);
  let isOver = false;
  let wake = () => {};
  const over = () => {
    isOver = true;
    wake();
  };
  socket
    .on("error", () => {})
    .on("end", over)
    .on("close", over);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  const more = () => new Promise<void>((resolve) => (wake = resolve));
  const expectNoExtraBytes = () => {
    if (received.length > 0) throw new Error(`unexpected bytes: ${JSON.stringify(received.toString("latin1"))}`);
  };
  return {
    socket,
    async next(isHead: boolean): Promise<RawAnswer> {
      for (;;) {
        const taken = take(received, isHead);
        if (taken) {
          received = received.subarray(taken.length);
          // Skips interim answers such as 100 Continue.
          if (taken.answer.status >= 200) return taken.answer;
        } else if (isOver) throw new Error(`incomplete answer: ${JSON.stringify(received.toString("latin1"))}`);
        else await more();
      }
    },
    expectNoExtraBytes,
    /** `spare`: the number of bytes that may still follow. */
    async untilEnded(spare = "0"): Promise<void> {
      while (!isOver) await more();
      if (received.length !== Number(spare)) expectNoExtraBytes();
    },
  };
}

function isLast({ headers }: RawAnswer): boolean {
  return /\bclose\b/i.test(headers.connection ?? "");
}

const END_OF_HEAD = "\r\n\r\n";

/** The first answer in the bytes, if complete. `length`: its size in bytes. */
function take(received: Buffer, isHead: boolean): { answer: RawAnswer; length: number } | undefined {
  const end = received.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const head = received.toString("latin1", 0, end);
  const [first = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    if (name in headers) throw new Error(`the answer has ${name} twice`);
    headers[name] = line.slice(colon + 1).trim();
  }
  const isBare = isHead || status < 200 || status === 204 || status === 304;
  const start = end + END_OF_HEAD.length;
  const length = start + (isBare ? 0 : Number(headers["content-length"]));
  if (Number.isNaN(length)) throw new Error(`no length: ${head}`);
  if (received.length < length) return undefined;
  return { answer: { status, head, headers, body: Buffer.from(received.subarray(start, length)) }, length };
}
