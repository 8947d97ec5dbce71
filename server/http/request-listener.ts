// The fast path of the request listener, before h3: GET and HEAD of targets that are known exactly as written, and
// messages to /mcp. Everything else, including other spellings of the same routes, goes on to h3 and gets the same
// answers. Reading a body through h3 would cost three times as much as the answer.
import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setImmediate as othersTurn } from "node:timers/promises";
import { bodyArrival, readBody } from "./read-body.ts";
import type { Responder } from "../routes/responder.ts";

/** Answers known targets and MCP messages; passes everything else to `next`. */
export function requestListener(responder: Responder, next: RequestListener): RequestListener {
  const answer: RequestListener = (request, response) => {
    const { method, url = "", headers } = request;
    const isRead = method === "GET" || method === "HEAD";
    const prepared = isRead ? responder.read(url, headers) : undefined;
    if (!prepared) return hasBody(request) ? next(request, response) : inTurn(next, request, response);
    // node:http itself reads an unread request after its answer, which without a body costs 10 % of node:http's time.
    if (!hasBody(request)) request.read(0);
    response.writeHead(prepared.status, prepared.headers as string[]);
    if (method === "HEAD" || prepared.status === 304) response.end();
    else response.end(prepared.text ?? prepared.body, "latin1");
  };
  return (request, response) => {
    if (request.method === "POST" && request.url === "/mcp") return answerMessage(responder, request, response);
    if (request.headers["transfer-encoding"] === undefined) return answer(request, response);
    return answerAfterBody(answer, request, response);
  };
}

/** Any chunk may turn the answer into a 400, so all of them are read first. A broken body needs no other answer. */
async function answerAfterBody(answer: RequestListener, request: IncomingMessage, response: ServerResponse) {
  const hasArrived = await bodyArrival(request).then(
    () => true,
    () => false,
  );
  if (hasArrived) answer(request, response);
}

/** Waits for the answers before it, and for other clients: answers of h3 cost the most, and Node would give all those of
 * a pipeline before it looks at another connection. */
async function inTurn(next: RequestListener, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (response.socket === null) {
    await once(response, "socket");
    await othersTurn();
  }
  await (next(request, response) as void | Promise<void>);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

async function answerMessage(responder: Responder, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const get = (name: string) => valueOf(request.rawHeaders, name);
  const { status, headers, text } = await responder.message({ get }, () => readBody(request));
  if (headers.connection === "close") response.shouldKeepAlive = false;
  response.writeHead(status, headers);
  if (typeof text === "string") return void response.end(text, "latin1");
  for (const chunk of text) response.write(chunk, "latin1");
  response.end();
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
