// Responses to messages that get no HTTP status of their own: lines on stdin, and the messages of a batch.
import {
  byteLength,
  byteText,
  chunksOf,
  MAX_COPIED_BYTES,
  type Answer,
  type Body,
  type Chunk,
  type ReportBug,
} from "../../answers/answer.ts";
import { errorResponse, FAILED, INVALID_REQUEST, type McpRequest, type Message, type RpcError } from "./json-rpc.ts";
import type { Era } from "./protocol-version.ts";

export interface McpCall {
  era: Era;
  request: McpRequest;
}

/** The response, and the status that it has over HTTP. */
export type McpAnswer = Pick<Answer, "status" | "body">;

export interface McpAnswers {
  /** The answer if it is recorded, which needs no waiting. */
  recorded(call: McpCall): McpAnswer | undefined;
  /** The recorded answer, or that of the SDK's server. */
  answer(call: McpCall): Promise<McpAnswer>;
}

export interface Respondent {
  mcp: McpAnswers;
  /** The era of a request, or the error to refuse it with. `meta`: its `_meta`. */
  eraOf: (request: McpRequest, meta: Record<string, unknown> | undefined) => Era | RpcError;
  reportBug: ReportBug;
}

/** The response to one message; undefined if it expects none. */
export async function respond(message: Message, { mcp, eraOf, reportBug }: Respondent): Promise<Body | undefined> {
  if (message.kind === "notice") return undefined;
  if (message.kind === "refused") return byteText(errorResponse(message.error, message.id));
  const { request, meta } = message;
  const era = eraOf(request, meta);
  if (typeof era === "object") return byteText(errorResponse(era, request.id));
  try {
    return (await mcp.answer({ era, request })).body;
  } catch (bug) {
    reportBug(bug);
    return byteText(errorResponse(FAILED, request.id));
  }
}

/** After as many bytes of responses, the other messages of a batch are refused: 1.7 KB of messages asked for 41 MB, which no
 * limit of requests in a proxy can see. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

function refusal(message: Message): string | undefined {
  if (message.kind === "notice") return undefined;
  const error = {
    code: INVALID_REQUEST,
    message: "The responses to this batch are too long: send fewer messages at once.",
  };
  return byteText(errorResponse(error, message.kind === "request" ? message.request.id : message.id));
}

/** The responses to a batch, in its order; undefined if it expects none. */
export async function respondToBatch(messages: readonly Message[], respondent: Respondent): Promise<Body | undefined> {
  const chunks: Chunk[] = [];
  for (const message of messages) {
    const body = byteLength(chunks) > MAX_BATCH_BYTES ? refusal(message) : await respond(message, respondent);
    if (body === undefined) continue;
    chunks.push(chunks.length === 0 ? "[" : ",", ...chunksOf(body));
  }
  if (chunks.length === 0) return undefined;
  chunks.push("]");
  // Bytes occur only in longer responses.
  return byteLength(chunks) > MAX_COPIED_BYTES ? chunks : chunks.join("");
}
