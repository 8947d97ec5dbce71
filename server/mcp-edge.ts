// POST /mcp over HTTP: one JSON-RPC message in, one answer out, nothing kept between requests. Stands before the SDK's
// server because the SDK's own HTTP transport lets one batch hang for ever, and refuses the plain request that the
// interface specification shows.
import { empty, json, type Answer } from "./answer.ts";
import type { McpRequest, McpServer } from "./mcp.ts";

/** Most bytes of a message. */
export const MAX_MESSAGE = 64 * 1024;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

/** Answers a POST. `contentType`: the request's header; `read`: gives the body, or undefined when it is too long. */
export async function answerMcp(
  server: () => Promise<McpServer>,
  contentType: string | null,
  read: () => Promise<Uint8Array | undefined>,
): Promise<Answer> {
  if (!/^application\/json\s*(;|$)/i.test(contentType?.trim() ?? "")) {
    return failure(415, INVALID_REQUEST, "Send the message as content-type: application/json.");
  }
  const body = await read().catch(() => "broken off" as const);
  if (body === "broken off") return failure(400, PARSE_ERROR, "The body did not arrive whole.");
  if (body === undefined) {
    return failure(413, INVALID_REQUEST, `The message is longer than ${MAX_MESSAGE} bytes.`, { connection: "close" });
  }
  const message = parse(body);
  if (message === undefined) return failure(400, PARSE_ERROR, "The body is not JSON in UTF-8.");
  if (Array.isArray(message)) return failure(400, INVALID_REQUEST, "Send one message; batches are not supported.");
  if (!isObject(message) || message.jsonrpc !== "2.0") {
    return failure(400, INVALID_REQUEST, "The body is not a JSON-RPC 2.0 message.");
  }
  if (isNotice(message)) return empty(202);
  const request = asRequest(message);
  if (!request) return failure(400, INVALID_REQUEST, "The body is not a JSON-RPC 2.0 request.");
  return json(200, JSON.stringify(await (await server())(request)));
}

/** An answer to POST /mcp that is an error. The id is left out: which request it was is not known. */
export function failure(status: number, code: number, message: string, headers: Record<string, string> = {}): Answer {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message } });
  return json(status, body, { "cache-control": "no-store", ...headers });
}

/** The answer when our own code failed. */
export function internalError(): Answer {
  return failure(500, INTERNAL_ERROR, "Internal error.");
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** A notification, or a response to a request that we never make: heard, and nothing to say. */
function isNotice(message: Record<string, unknown>): boolean {
  const isNotification = typeof message.method === "string" && !("id" in message);
  const isResponse = !("method" in message) && ("result" in message || "error" in message);
  return isNotification || isResponse;
}

/** The request without what hosts send and the SDK refuses or, worse, never answers: null params and arguments, tasks,
 * metadata. */
function asRequest({ id, method, params }: Record<string, unknown>): McpRequest | undefined {
  if (!isId(id) || typeof method !== "string") return undefined;
  if (params === undefined || params === null) return { jsonrpc: "2.0", id, method };
  if (!isObject(params)) return undefined;
  const { task: _task, _meta, arguments: given, ...rest } = params;
  return { jsonrpc: "2.0", id, method, params: isObject(given) ? { ...rest, arguments: given } : rest };
}

/** A number that JavaScript cannot hold would come back as another one. */
function isId(id: unknown): id is string | number {
  if (typeof id === "string") return true;
  return typeof id === "number" && Number.isFinite(id) && (!Number.isInteger(id) || Number.isSafeInteger(id));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
