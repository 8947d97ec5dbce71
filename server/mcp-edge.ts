// POST /mcp over HTTP: one JSON-RPC message in, one answer out, nothing kept between requests. Stands before the SDK's
// server because the SDK's own HTTP transport lets one batch hang for ever, and refuses the plain request that the
// interface specification shows.
import { answer, empty, json, type Answer } from "./answer.ts";
import type { McpAnswers } from "./mcp-answers.ts";
import { eraOf } from "./mcp-era.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, readMessage, type Id } from "./mcp-message.ts";

/** Most bytes of a message. */
export const MAX_MESSAGE = 64 * 1024;

export interface McpEdge {
  /** Loads it when it is first asked for. */
  answers: () => Promise<McpAnswers>;
  /** Whether pages of an origin may ask. */
  isAllowed: (origin: string) => boolean;
  /** Told of errors of our own, which clients learn nothing of. */
  onBug: (bug: unknown) => void;
}

/** Answers a POST. `read`: gives the body, or undefined when it is longer than MAX_MESSAGE. */
export async function answerMcp(
  { answers, isAllowed, onBug }: McpEdge,
  headers: Pick<Headers, "get">,
  read: () => Promise<Uint8Array | undefined>,
): Promise<Answer> {
  const origin = headers.get("origin");
  if (origin !== null && !isAllowed(origin)) return failure(403, INVALID_REQUEST, "Pages of this origin may not ask.");
  if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type")?.trim() ?? "")) {
    return failure(415, INVALID_REQUEST, "Send the message as content-type: application/json.");
  }
  const type = answerType(headers.get("accept"));
  if (!type) return failure(406, INVALID_REQUEST, "Answers are application/json or text/event-stream.");
  const body = await read().catch(() => "broken off" as const);
  if (body === "broken off") return failure(400, PARSE_ERROR, "The body did not arrive whole.");
  if (body === undefined) {
    return failure(413, INVALID_REQUEST, `The message is longer than ${MAX_MESSAGE} bytes.`, { close: true });
  }
  const message = readMessage(body);
  if (message.kind === "refused") return failure(400, message.code, message.reason, { id: message.id });
  if (message.kind === "notice") return empty(202);
  const { request, meta } = message;
  const era = eraOf(request, meta, headers);
  if (typeof era === "object") return failure(400, era.code, era.message, { id: request.id, data: era.data });
  try {
    const mcp = await answers();
    const answered = mcp(era, request, body.byteLength);
    const { status, body: text } = answered instanceof Promise ? await answered : answered;
    return type === "json" ? json(status, text) : event(status, text);
  } catch (bug) {
    onBug(bug);
    return failure(500, INTERNAL_ERROR, "Internal error.", { id: request.id });
  }
}

/** Lenient: who says nothing, or anything that JSON may answer, gets JSON. */
function answerType(accept: string | null): "json" | "event" | undefined {
  const types = (accept ?? "").split(",").map((part) => part.replace(/;.*/, "").trim().toLowerCase());
  if (types.some((type) => ["", "*/*", "application/*", "application/json"].includes(type))) return "json";
  return types.includes("text/event-stream") || types.includes("text/*") ? "event" : undefined;
}

/** A stream of one event. */
function event(status: number, text: Buffer): Answer {
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return answer(status, Buffer.concat([Buffer.from("event: message\ndata: "), text, Buffer.from("\n\n")]), headers);
}

/** An answer to POST /mcp that is an error. Without an id when it is not known which request it was. */
function failure(
  status: number,
  code: number,
  message: string,
  { id, data, close = false }: { id?: Id | undefined; data?: object | undefined; close?: boolean } = {},
): Answer {
  const body = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
  return json(status, body, { "cache-control": "no-store", ...(close && { connection: "close" }) });
}
