// POST /mcp over HTTP: one JSON-RPC message in, one answer out, nothing kept between requests. Stands before the SDK's
// server because the SDK's own HTTP transport lets one batch hang for ever, and refuses the plain request that the
// interface specification shows.
import { answer, asText, empty, json, type TextAnswer } from "../answers/answer.ts";
import type { Lazy } from "../lazy.ts";
import type { McpAnswer, McpAnswers } from "./answers.ts";
import { eraOf, type Era } from "./protocol-version.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, readMessage, type Id, type McpRequest } from "./json-rpc.ts";

/** Most bytes of a message. */
export const MAX_MESSAGE = 64 * 1024;

export interface McpEdge {
  answers: Lazy<McpAnswers>;
  /** Whether pages of an origin may ask. */
  isAllowed: (origin: string) => boolean;
  /** Told of errors of our own, which clients learn nothing of. */
  onBug: (bug: unknown) => void;
}

type MessageHeaders = Pick<Headers, "get">;
type AnswerType = "json" | "event";

/** Answers a POST. `read`: gives the body, or undefined when it is longer than MAX_MESSAGE. */
export async function answerMcp(
  { answers, isAllowed, onBug }: McpEdge,
  headers: MessageHeaders,
  read: () => Promise<Uint8Array | undefined>,
): Promise<TextAnswer> {
  const type = answerType(headers, isAllowed);
  if (typeof type === "object") return type;
  const body = await read().catch(() => "broken off" as const);
  if (body === "broken off") return failure(400, PARSE_ERROR, "The body did not arrive whole.");
  if (body === undefined) {
    return failure(413, INVALID_REQUEST, `The message is longer than ${MAX_MESSAGE} bytes.`, { close: true });
  }
  const asked = askedIn(body, headers);
  if ("status" in asked) return asked;
  const { era, request } = asked;
  try {
    const mcp = await answers.get();
    return typed(mcp.recorded(era, request, body.byteLength) ?? (await mcp.live(era, request)), type);
  } catch (bug) {
    onBug(bug);
    return failure(500, INTERNAL_ERROR, "Internal error.", { id: request.id });
  }
}

/** The same answer, when all of the body is there and it takes no time; otherwise undefined. */
export function answerMcpAtOnce(
  { answers, isAllowed }: McpEdge,
  headers: MessageHeaders,
  body: Uint8Array,
): TextAnswer | undefined {
  const type = answerType(headers, isAllowed);
  if (typeof type === "object") return type;
  const asked = askedIn(body, headers);
  if ("status" in asked) return asked;
  const recorded = answers.loaded()?.recorded(asked.era, asked.request, body.byteLength);
  return recorded && typed(recorded, type);
}

/** What the answer is to be, or why there is none. */
function answerType(headers: MessageHeaders, isAllowed: McpEdge["isAllowed"]): AnswerType | TextAnswer {
  const origin = headers.get("origin");
  if (origin !== null && !isAllowed(origin)) return failure(403, INVALID_REQUEST, "Pages of this origin may not ask.");
  if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type")?.trim() ?? "")) {
    return failure(415, INVALID_REQUEST, "Send the message as content-type: application/json.");
  }
  const refusal = "Answers are application/json or text/event-stream.";
  return acceptedType(headers.get("accept")) ?? failure(406, INVALID_REQUEST, refusal);
}

const ACCEPTED = asText(empty(202));

/** The request in a body, or what answers the body that has none. */
function askedIn(body: Uint8Array, headers: MessageHeaders): { era: Era; request: McpRequest } | TextAnswer {
  const message = readMessage(body);
  if (message.kind === "refused") return failure(400, message.code, message.reason, { id: message.id });
  if (message.kind === "notice") return ACCEPTED;
  const { request, meta } = message;
  const era = eraOf(request, meta, headers);
  if (typeof era === "object") return failure(400, era.code, era.message, { id: request.id, data: era.data });
  return { era, request };
}

const TAKES_JSON = /(?:^|,)[ \t]*(?:[;,]|$|(?:\*\/\*|application\/(?:\*|json))[ \t]*(?:[;,]|$))/i;
const TAKES_EVENTS = /(?:^|,)[ \t]*text\/(?:\*|event-stream)[ \t]*(?:[;,]|$)/i;

/** Lenient: who says nothing, or anything that JSON may answer, gets JSON. */
function acceptedType(accept: string | null): AnswerType | undefined {
  if (accept === null || TAKES_JSON.test(accept)) return "json";
  return TAKES_EVENTS.test(accept) ? "event" : undefined;
}

/** Made once: only the length differs. */
const { headers: JSON_HEADERS } = json(200, "");
const { headers: EVENT_HEADERS } = answer(200, "", {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
});

function typed({ status, text }: McpAnswer, type: AnswerType): TextAnswer {
  if (type === "json") {
    return { status, headers: { ...JSON_HEADERS, "content-length": String(text.length) }, text };
  }
  // A stream of one event.
  const event = `event: message\ndata: ${text}\n\n`;
  return { status, headers: { ...EVENT_HEADERS, "content-length": String(event.length) }, text: event };
}

/** An answer to POST /mcp that is an error. Without an id when it is not known which request it was. */
function failure(
  status: number,
  code: number,
  message: string,
  { id, data, close = false }: { id?: Id | undefined; data?: object | undefined; close?: boolean } = {},
): TextAnswer {
  const body = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
  return asText(json(status, body, { "cache-control": "no-store", ...(close && { connection: "close" }) }));
}
