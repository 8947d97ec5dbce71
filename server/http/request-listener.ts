// The fast path of the request listener, before h3: GET and HEAD of targets that are known exactly as written, and
// messages to /mcp. Everything else, including other spellings of the same routes, goes on to h3 and gets the same
// answers. Reading a body through h3 would cost three times as much as the answer.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { MAX_MESSAGE_BYTES } from "../mcp/json-rpc.ts";
import type { Responder } from "./responder.ts";

/** Answers known targets and MCP messages; passes everything else to `next`. */
export function requestListener(responder: Responder, next: RequestListener): RequestListener {
  return (request, response) => {
    const { method, url = "", headers } = request;
    if (method === "POST" && url === "/mcp") return answerMessage(responder, request, response);
    const isRead = method === "GET" || method === "HEAD";
    const prepared = isRead ? responder.read(url, headers) : undefined;
    if (!prepared) return next(request, response);
    // node:http itself reads an unread request after its answer, which without a body costs 10 % of node:http's time.
    if (!hasBody(request)) request.read(0);
    response.writeHead(prepared.status, prepared.headers as string[]);
    if (method === "HEAD" || prepared.status === 304) response.end();
    else response.end(prepared.text ?? prepared.body, "latin1");
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

async function answerMessage(responder: Responder, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const get = (name: string) => valueOf(request.rawHeaders, name);
  const { status, headers, text } = await responder.message({ get }, () => readBody(request));
  if (headers.connection === "close") response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(text, "latin1");
}

/** All lines of a header joined, as in h3: for some headers, node:http's own object has only the first line. */
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

/** How long an oversized body is still read before the refusal: a client that is refused while sending may never read
 * the reason. */
const OVERSIZED_BODY_MS = 1_000;

/** The body, or undefined if it is longer than MAX_MESSAGE_BYTES. @throws Error when it breaks off. */
function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length <= MAX_MESSAGE_BYTES) chunks.push(chunk);
      else if (length - chunk.byteLength <= MAX_MESSAGE_BYTES)
        setTimeout(resolve, OVERSIZED_BODY_MS, undefined).unref();
    });
    request.on("end", () => resolve(length > MAX_MESSAGE_BYTES ? undefined : Buffer.concat(chunks, length)));
    // Also emitted when the client disconnects halfway.
    request.on("error", reject);
  });
}
