// A body becomes a JSON-RPC message, or the reason why it is none. What hosts send and the SDK refuses or, worse, never
// answers is left out here: null parameters and arguments, tasks.
export type Id = string | number;

export interface McpRequest {
  jsonrpc: "2.0";
  id: Id;
  method: string;
  params?: Record<string, unknown>;
}

export type Message =
  | { kind: "request"; request: McpRequest; meta: Record<string, unknown> | undefined }
  /** A notification, or a response to a request that we never make: heard, and nothing to say. */
  | { kind: "notice" }
  | { kind: "refused"; code: number; reason: string };

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** Reads one message; batches are refused. */
export function readMessage(body: Uint8Array): Message {
  const value = parse(body);
  if (value === undefined) return refused("The body is not JSON in UTF-8.", PARSE_ERROR);
  if (Array.isArray(value)) return refused("Send one message; batches are not supported.");
  if (!isObject(value) || value.jsonrpc !== "2.0") return refused("The body is not a JSON-RPC 2.0 message.");
  if (isNotice(value)) return { kind: "notice" };
  return asRequest(value) ?? refused("The body is not a JSON-RPC 2.0 request.");
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(reason: string, code = INVALID_REQUEST): Message {
  return { kind: "refused", code, reason };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

function isNotice(message: Record<string, unknown>): boolean {
  const isNotification = typeof message.method === "string" && !("id" in message);
  const isResponse = !("method" in message) && ("result" in message || "error" in message);
  return isNotification || isResponse;
}

function asRequest({ id, method, params }: Record<string, unknown>): Message | undefined {
  if (!isId(id) || typeof method !== "string") return undefined;
  if (params === undefined || params === null) {
    return { kind: "request", request: { jsonrpc: "2.0", id, method }, meta: undefined };
  }
  if (!isObject(params)) return undefined;
  const { task: _task, _meta: meta, arguments: given, ...rest } = params;
  const kept = isObject(given) ? { ...rest, arguments: given } : rest;
  return {
    kind: "request",
    request: { jsonrpc: "2.0", id, method, params: kept },
    meta: isObject(meta) ? meta : undefined,
  };
}

/** A number that JavaScript cannot hold would come back as another one. */
function isId(id: unknown): id is Id {
  if (typeof id === "string") return true;
  return typeof id === "number" && Number.isFinite(id) && (!Number.isInteger(id) || Number.isSafeInteger(id));
}
