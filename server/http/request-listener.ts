// The first of two doors, in the listener, before h3: GET and HEAD of targets that are known exactly as they are written,
// and messages to /mcp. Everything else, odd spellings of the same routes included, goes on to h3 and ends in the same
// answers. Reading a body through h3 would cost three times what the answer does.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { answerMcp, MAX_MESSAGE, type McpEdge } from "../mcp/http.ts";
import type { Table } from "../answers/table.ts";

/** Answers what the table knows and what MCP is asked; hands the rest to `next`. */
export function frontDoor(table: Table, mcp: McpEdge, next: RequestListener): RequestListener {
  return (request, response) => {
    const { method, url = "", headers } = request;
    if (method === "POST" && url === "/mcp") return answerMessage(mcp, request, response);
    const isRead = method === "GET" || method === "HEAD";
    const choice = isRead ? table.answer(url, headers) : undefined;
    if (!choice) return next(request, response);
    if (!hasBody(request)) markRead(request);
    response.writeHead(choice.status, choice.headers as string[]);
    if (method === "HEAD" || choice.status === 304) response.end();
    else response.end(choice.text ?? choice.body, "latin1");
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

/** What nobody has read, node:http reads itself when it is answered, to an end and a close that it tells of: where there
 * is nothing to read, that is a tenth of its time. */
function markRead(request: IncomingMessage): void {
  request.read(0);
}

async function answerMessage(mcp: McpEdge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const get = (name: string) => valueOf(request.rawHeaders, name);
  const { status, headers, text } = await answerMcp(mcp, { get }, () => readBody(request));
  if (headers.connection === "close") response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(text, "latin1");
}

/** All lines of a header, as h3 has them: node:http's own object keeps only the first of some. */
function valueOf(rawHeaders: readonly string[], name: string): string | null {
  let value: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? "";
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    const line = rawHeaders[index + 1] ?? "";
    value = value === null ? line : `${value}, ${line}`;
  }
  return value;
}

/** How long a body that is too long may go on before it is refused, milliseconds: who is refused in the middle of sending
 * may never read why. */
const PATIENCE = 1_000;

/** The body's bytes, or undefined when there are more than MAX_MESSAGE. @throws Error when it breaks off. */
function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length <= MAX_MESSAGE) chunks.push(chunk);
      else if (length - chunk.byteLength <= MAX_MESSAGE) setTimeout(resolve, PATIENCE, undefined).unref();
    });
    request.on("end", () => resolve(length > MAX_MESSAGE ? undefined : Buffer.concat(chunks, length)));
    // It is an error, too, when the client goes away in between.
    request.on("error", reject);
  });
}
