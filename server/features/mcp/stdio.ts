// MCP over stdin and stdout: one message or batch a line, one answer a line, with the same answers as POST /mcp. It
// replaces the SDK's own transport, which ignores a line that it cannot read, and answers nothing more after one that
// is too long.
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Facts } from "../../../snapshots/facts.ts";
import type { Store } from "../../../snapshots/store.ts";
import { bugReporter, bytesOf, chunksOf, MAX_BODY_BYTES, type Body } from "../../answers/answer.ts";
import { NO_FILES, type ApiSettings } from "../../api-settings.ts";
import { EARLY } from "../../early.ts";
import { Mirror } from "../../mirror/mirror.ts";
import { hasFeeds } from "../../surface.ts";
import { identityOf } from "./identity.ts";
import { errorResponse, parseMessage, TOO_LONG } from "./json-rpc.ts";
import { eraOfLine } from "./protocol-version.ts";
import { createMcpAnswers } from "./recordings.ts";
import { resourcesOf } from "./resources.ts";
import { respond, respondToBatch, type Respondent } from "./respond.ts";

interface StdioOptions {
  api: ApiSettings;
  facts: Facts;
  lastCopy?: Store | undefined;
  /** Called with one line for each thing that an operator should know. */
  warn: (message: string) => void;
}

interface StdioServer extends Pick<Mirror, "refresh" | "lastPayload" | "stop"> {
  /** Answers the input; resolves when it has ended and all is answered, when the output is closed, or when `stop` is
   * aborted. */
  answer(input: Readable, output: Writable, stop: AbortSignal): Promise<void>;
}

/** @throws Error when a file named by the settings cannot be read. */
export async function openStdio({ api, facts, lastCopy, warn }: StdioOptions): Promise<StdioServer> {
  const { texts, logo } = EARLY.readApiFiles?.(api) ?? NO_FILES;
  const resources = resourcesOf(api, texts, { base: api.baseUrl, hasFeeds: hasFeeds(facts) });
  const mirror = new Mirror(facts, { warn, lastCopy: lastCopy && EARLY.openLastCopy?.(lastCopy, warn) });
  await mirror.start();
  const reportBug = bugReporter(warn);
  const mcp = await createMcpAnswers(mirror, resources, {
    identity: identityOf(api, api.baseUrl, logo),
    reportBug,
  });
  async function* answers(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array | string> {
    // One after the other: each answer is a look-up in memory, and while the host does not read, its input is not read.
    for await (const line of lines(chunks, MAX_BODY_BYTES)) {
      const body = await answerTo(line, { mcp, eraOf: eraOfLine, reportBug });
      if (body === undefined) continue;
      yield* chunksOf(body).map(bytesOf);
      yield "\n";
    }
  }
  return {
    refresh: () => mirror.refresh(),
    lastPayload: (name) => mirror.lastPayload(name),
    async answer(input, output, stop) {
      try {
        const conversation = pipeline(input, answers, output, { signal: stop, end: false });
        // The pipeline does not end on abort while the host is not reading.
        await Promise.race([conversation, once(stop, "abort")]);
      } catch (error) {
        if (!stop.aborted) warn(`the host is gone: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    stop: () => mirror.stop(),
  };
}

/** Splits bytes into lines, of which it holds at most `maxBytes` in memory. Each line comes without its end; undefined
 * for a longer one. The last line may lack a line feed. */
export async function* lines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer | undefined> {
  let pieces: Buffer[] = [];
  let length = 0;

  function add(piece: Buffer): void {
    length += piece.byteLength;
    if (length > maxBytes) pieces = [];
    else if (piece.byteLength > 0) pieces.push(piece);
  }

  function take(): Buffer | undefined {
    const line = length > maxBytes ? undefined : Buffer.concat(pieces, length);
    pieces = [];
    length = 0;
    return line;
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}

/** Undefined if there is no answer. `line`: undefined if it was too long. */
async function answerTo(line: Buffer | undefined, respondent: Respondent): Promise<Body | undefined> {
  if (line === undefined) return errorResponse(TOO_LONG);
  // Space, tab, or the carriage return before the end of a line.
  if (/^[ \t\r]*$/.test(line.toString("latin1"))) return undefined;
  const message = parseMessage(line);
  return message.kind === "batch" ? respondToBatch(message.messages, respondent) : respond(message, respondent);
}
