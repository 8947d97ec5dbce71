// Responses to messages that get no HTTP status of their own: lines on stdin, and the messages of a batch.
import { byteLength, byteText, type Chunk, type TextAnswer, type ReportBug } from "../answers/answer.ts";
import { IDENTITY_ONLY } from "../answers/negotiate.ts";
import { MAX_COPIED_BYTES } from "../answers/prepared.ts";
import type { McpAnswers } from "./live-answers.ts";
import { errorResponse, FAILED, INVALID_REQUEST, type McpRequest, type Message, type RpcError } from "./json-rpc.ts";
import type { Era } from "./protocol-version.ts";

export interface Respondent {
  mcp: McpAnswers;
  /** The era of a request, or the error to refuse it with. `meta`: its `_meta`. */
  eraOf: (request: McpRequest, meta: Record<string, unknown> | undefined) => Era | RpcError;
  reportBug: ReportBug;
}

/** The response to one message; undefined if it expects none. */
export async function respond(
  message: Message,
  { mcp, eraOf, reportBug }: Respondent,
): Promise<TextAnswer["text"] | undefined> {
  if (message.kind === "notice") return undefined;
  if (message.kind === "refused") return byteText(errorResponse(message.error, message.id));
  const { request, meta } = message;
  const era = eraOf(request, meta);
  if (typeof era === "object") return byteText(errorResponse(era, request.id));
  try {
    return (mcp.recorded(era, request, IDENTITY_ONLY) ?? (await mcp.live(era, request, IDENTITY_ONLY))).text;
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
export async function respondToBatch(
  messages: readonly Message[],
  respondent: Respondent,
): Promise<TextAnswer["text"] | undefined> {
  const chunks: Chunk[] = [];
  for (const message of messages) {
    const text = byteLength(chunks) > MAX_BATCH_BYTES ? refusal(message) : await respond(message, respondent);
    if (text === undefined) continue;
    chunks.push(chunks.length === 0 ? "[" : ",", ...(typeof text === "string" ? [text] : text));
  }
  if (chunks.length === 0) return undefined;
  chunks.push("]");
  // Bytes occur only in longer responses.
  return byteLength(chunks) > MAX_COPIED_BYTES ? chunks : chunks.join("");
}
