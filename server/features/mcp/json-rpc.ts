// Parses JSON-RPC messages and builds error responses. Some hosts send fields that the SDK refuses or, worse, never
// answers: tasks, parameters, arguments and cursors that are null, and cursors that are empty. They are removed here.
import { MAX_BODY_BYTES } from "../../answers/answer.ts";
import { parseJson } from "../../../snapshots/store.ts";

export type Id = string | number;

export interface McpRequest {
  jsonrpc: "2.0";
  id: Id;
  method: string;
  params?: Record<string, unknown>;
}

export interface RpcError {
  code: number;
  message: string;
  data?: object;
}

export type Message =
  | { kind: "request"; request: McpRequest; meta: Record<string, unknown> | undefined }
  /** A notification, or a response although this server sends no requests: neither is answered. */
  | { kind: "notice" }
  /** `id`: of the request, if readable. */
  | { kind: "refused"; error: RpcError; id: Id | undefined };

/** Several messages at once, in the order sent. */
export interface Batch {
  kind: "batch";
  messages: readonly Message[];
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

export const TOO_LONG: RpcError = {
  code: INVALID_REQUEST,
  message: `The message is longer than ${MAX_BODY_BYTES} bytes.`,
};
export const FAILED: RpcError = { code: INTERNAL_ERROR, message: "Internal error." };

/** The text of an error response, without an id if the request's is unknown. */
export function errorResponse({ code, message, data }: RpcError, id?: Id): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

/** 64 KiB of nothing else take 11 ms to parse; no client sends a hundred. */
const MAX_KEYS = 1_000;

/** Each message may ask for every fact. No client is known to send more than a few. */
const MAX_BATCH_MESSAGES = 20;

/** Parses one message, or a batch. */
export function parseMessage(body: Uint8Array): Message | Batch {
  if (hasTooManyKeys(body)) return refused(`The message has more than ${MAX_KEYS} keys.`);
  const value = parseJson(body);
  if (value === undefined) return refused("The body is not JSON in UTF-8.", PARSE_ERROR);
  if (!Array.isArray(value)) return asMessage(value);
  if (value.length === 0) return refused("The batch is empty.");
  if (value.length > MAX_BATCH_MESSAGES) return refused(`The batch has more than ${MAX_BATCH_MESSAGES} messages.`);
  return { kind: "batch", messages: value.map(asMessage) };
}

function asMessage(value: unknown): Message {
  if (!isObject(value)) return refused("The body is not a JSON-RPC 2.0 message.");
  const id = isId(value.id) ? value.id : undefined;
  if (value.jsonrpc !== "2.0") return refused("The body is not a JSON-RPC 2.0 message.", INVALID_REQUEST, id);
  if (isNotice(value)) return { kind: "notice" };
  return asRequest(value) ?? refused("The body is not a JSON-RPC 2.0 request.", INVALID_REQUEST, id);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(message: string, code = INVALID_REQUEST, id?: Id): Message {
  return { kind: "refused", error: { code, message }, id };
}

const [QUOTE, BACKSLASH, COLON] = Buffer.from('"\\:');

/** Counts the colons outside of strings. */
function hasTooManyKeys(body: Uint8Array): boolean {
  if (body.byteLength <= MAX_KEYS) return false;
  let count = 0;
  let isInString = false;
  for (let index = 0; index < body.byteLength; index++) {
    const byte = body[index];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === COLON && ++count > MAX_KEYS) return true;
  }
  return false;
}

function isNotice(message: Record<string, unknown>): boolean {
  const isNotification = typeof message.method === "string" && !("id" in message);
  const isResponse = !("method" in message) && ("result" in message || "error" in message);
  return isNotification || isResponse;
}

function asRequest({ id, method, params }: Record<string, unknown>): Message | undefined {
  if (!isId(id) || typeof method !== "string") return undefined;
  const request = { jsonrpc: "2.0" as const, id, method };
  if (params === undefined || params === null) return { kind: "request", request, meta: undefined };
  if (!isObject(params)) return undefined;
  const kept = Object.fromEntries(Object.entries(params).filter(isKept));
  const { _meta: meta } = params;
  return { kind: "request", request: { ...request, params: kept }, meta: isObject(meta) ? meta : undefined };
}

function isKept([name, value]: [string, unknown]): boolean {
  if (name === "arguments") return value !== null;
  if (name === "cursor") return value !== null && value !== "";
  return name !== "task" && name !== "_meta";
}

/** Unsafe integers are refused: JavaScript would round them and return another id. */
function isId(id: unknown): id is Id {
  if (typeof id === "string") return true;
  return typeof id === "number" && Number.isFinite(id) && (!Number.isInteger(id) || Number.isSafeInteger(id));
}
