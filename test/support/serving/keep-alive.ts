// A keep-alive TCP connection that sends requests byte for byte, one at a time, and returns the answers the same way. It is
// reopened after the server has closed it, which is allowed after an error.
import { onTestFinished } from "vitest";
import { openRawConnection } from "./raw-connection.ts";

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
  onFinished(() => line?.reset());
  return {
    /** Sends one complete request, one byte per character, and waits for its answer. */
    async ask(bytes: string): Promise<RawAnswer> {
      const current = (line ??= openRawConnection(port, () => {}));
      // After a failure the next request opens a new connection.
      line = undefined;
      try {
        current.send(bytes);
        const answer = await nextOf(current, bytes.startsWith("HEAD "));
        if (!isLast(answer)) {
          expectNoMore(current);
          line = current;
          return answer;
        }
        // A malformed HEAD is refused before its method is known.
        const isBare = answer.status >= 400 && answer.body.length === 0;
        await current.untilEnded();
        expectNoMore(current, isBare ? answer.headers["content-length"] : "0");
        return answer;
      } finally {
        if (!line) current.reset();
      }
    },
    /** Closes our side and waits for the server to close its own. */
    async end(): Promise<void> {
      line?.close();
      await line?.untilEnded();
      if (line) expectNoMore(line);
      line = undefined;
    },
  };
}

type Line = ReturnType<typeof openRawConnection>;

async function nextOf(line: Line, isHead: boolean): Promise<RawAnswer> {
  for (;;) {
    const taken = take(line.bytes(), isHead);
    if (taken) {
      line.take(taken.length);
      // Skips interim answers such as 100 Continue.
      if (taken.answer.status >= 200) return taken.answer;
    } else if (line.isOver()) throw new Error(`incomplete answer: ${JSON.stringify(line.received())}`);
    else await line.changed();
  }
}

/** `spare`: the number of bytes that may still follow. */
function expectNoMore(line: Line, spare = "0"): void {
  const { length } = line.bytes();
  if (length > 0 && length !== Number(spare)) throw new Error(`unexpected bytes: ${JSON.stringify(line.received())}`);
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
