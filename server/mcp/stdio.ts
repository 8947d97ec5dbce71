// MCP over a local process's input and output: one message a line, one answer a line, from the very server that answers
// POST /mcp. Not the SDK's transport for this, which says nothing to a line that it cannot read, and never again anything
// after one that is too long.
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Store } from "../../snapshots/store.ts";
import type { ApiSettings } from "../settings.ts";
import { lines } from "./lines.ts";
import { createMcpAnswers, type McpAnswers } from "./answers.ts";
import { MAX_MESSAGE } from "./http.ts";
import { eraOfLine } from "./protocol-version.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, readMessage, type Id } from "./json-rpc.ts";
import { Mirror, type Clock } from "../mirror/mirror.ts";
import { readResources } from "./resources.ts";

export interface StdioOptions {
  api: ApiSettings;
  store: Store;
  clock: Clock;
  /** Gets one line for each thing an operator should know. */
  warn: (message: string) => void;
}

export interface StdioServer {
  /** Takes over at once what is new in the store, which otherwise happens a moment later. */
  refresh(): Promise<void>;
  /** Answers what is asked; resolves when the input ends and all is answered, when nobody reads the answers any more, or
   * when `stop` is aborted. */
  answer(input: Readable, output: Writable, stop: AbortSignal): Promise<void>;
  /** Follows the store no longer. */
  stop(): void;
}

/** Makes the server, which answers from whatever the store holds now and later.
 * @throws Error when a text of the settings cannot be read. */
export async function openStdio({ api, store, clock, warn }: StdioOptions): Promise<StdioServer> {
  const resources = readResources(api)(api.baseUrl);
  const mirror = new Mirror(store, clock, warn);
  await mirror.start();
  const onBug = (bug: unknown) => warn(`a bug: ${bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)}`);
  const mcp = await createMcpAnswers(mirror, resources, { name: api.name, onBug });
  const answers = (chunks: AsyncIterable<Buffer>) => answersTo(lines(chunks, MAX_MESSAGE), mcp, onBug);
  return {
    refresh: () => mirror.refresh(),
    async answer(input, output, stop) {
      try {
        const conversation = pipeline(input, answers, output, { signal: stop, end: false });
        // A host that has stopped reading keeps the pipeline waiting even when it is aborted.
        await Promise.race([conversation, once(stop, "abort")]);
      } catch (error) {
        if (!stop.aborted) warn(`the host is gone: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    stop: () => mirror.stop(),
  };
}

/** One after the other: each answer is a look into memory, and a host that does not read is not read either. */
async function* answersTo(
  asked: AsyncIterable<Buffer | undefined>,
  mcp: McpAnswers,
  onBug: (bug: unknown) => void,
): AsyncGenerator<Buffer | string> {
  for await (const line of asked) {
    const answer = await answerTo(line, mcp, onBug);
    if (answer === undefined) continue;
    yield answer;
    yield "\n";
  }
}

/** `line`: undefined when it was too long. */
async function answerTo(
  line: Buffer | undefined,
  mcp: McpAnswers,
  onBug: (bug: unknown) => void,
): Promise<Buffer | string | undefined> {
  if (line === undefined) return failure(INVALID_REQUEST, `The message is longer than ${MAX_MESSAGE} bytes.`);
  if (line.every(isBlank)) return undefined;
  const message = readMessage(line);
  if (message.kind === "notice") return undefined;
  if (message.kind === "refused") return failure(message.code, message.reason, { id: message.id });
  const { request, meta } = message;
  const era = eraOfLine(request, meta);
  if (typeof era === "object") return failure(era.code, era.message, { id: request.id, data: era.data });
  try {
    const { text } = mcp.recorded(era, request, line.byteLength) ?? (await mcp.live(era, request));
    return Buffer.from(text, "latin1");
  } catch (bug) {
    onBug(bug);
    return failure(INTERNAL_ERROR, "Internal error.", { id: request.id });
  }
}

/** An error; without an id when it is not known which request it was. */
function failure(
  code: number,
  message: string,
  { id, data }: { id?: Id | undefined; data?: object | undefined } = {},
): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

/** Space, tab, or the carriage return before the end of a line. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
