// POST /mcp over HTTP: one JSON-RPC message or batch in, one answer out, no state between requests. It replaces the
// SDK's transport, which lets one batch hang forever and refuses the plain request in the interface specification.
// For agents that ask with the Model Context Protocol. Without it, there is no /mcp, and the documents name no tools.
// after: widgets, words
import { isThisComputer, parseUrl } from "../../../snapshots/rules.ts";
import {
  answer,
  byteLength,
  chunksOf,
  empty,
  json,
  type Answer,
  type Body,
  type RequestHeaders,
} from "../../answers/answer.ts";
import type { Site } from "../../answers/addition.ts";
import type { OnCall, Posting } from "../../door/responder.ts";
import { memo } from "../../answers/memo.ts";
import { readWeights, weightOf } from "../../answers/negotiate.ts";
import {
  errorResponse,
  FAILED,
  INVALID_REQUEST,
  PARSE_ERROR,
  parseMessage,
  TOO_LONG,
  type Batch,
  type McpRequest,
  type RpcError,
} from "./json-rpc.ts";
import { batchError, eraOf, unsupportedHeader } from "./protocol-version.ts";
import { respondToBatch, type McpAnswer, type McpAnswers, type McpCall, type Respondent } from "./respond.ts";

export interface McpOptions extends Pick<
  Site,
  "api" | "base" | "logo" | "texts" | "mirror" | "hasFeeds" | "reportBug"
> {
  onCall?: OnCall | undefined;
}

interface Endpoint extends Pick<McpOptions, "reportBug"> {
  /** Loads them, or waits for them. */
  answers: () => Promise<McpAnswers>;
  loaded: McpAnswers | undefined;
  /** Whether web pages of this origin may use the endpoint. */
  isAllowed: (origin: string) => boolean;
}

/** `loaded`: the answers, if they are there from the start. */
export function postingOf(
  { api, base, reportBug }: McpOptions,
  answers: () => Promise<McpAnswers>,
  loaded?: McpAnswers,
): Posting {
  const endpoint = { answers, loaded, isAllowed: originPolicy(api.origins, base), reportBug };
  return {
    path: "/mcp",
    answer: (headers, readBody) => answerMessage(endpoint, headers, readBody),
    answerSync: (headers, body) => answerMessageSync(endpoint, headers, body),
  };
}

type AnswerType = "json" | "event";

async function answerMessage(
  { answers, isAllowed, reportBug }: Endpoint,
  headers: RequestHeaders,
  readBody: () => Promise<Uint8Array | undefined>,
): Promise<Answer> {
  const type = answerType(headers, isAllowed);
  if (typeof type === "object") return type;
  const body = await readBody().catch(() => "incomplete" as const);
  if (body === "incomplete") return failure(400, { code: PARSE_ERROR, message: "The body is incomplete." });
  if (body === undefined) return failure(413, TOO_LONG, undefined, { connection: "close" });
  const asked = requestIn(body, headers);
  if ("status" in asked) return asked;
  try {
    const mcp = await answers();
    if ("messages" in asked) {
      const eraOfMessage: Respondent["eraOf"] = (request, meta) => eraOf(request, meta, headers);
      const body = await respondToBatch(asked.messages, { mcp, eraOf: eraOfMessage, reportBug });
      return body === undefined ? ACCEPTED : typed({ status: 200, body }, type);
    }
    return typed(await mcp.answer(asked), type);
  } catch (bug) {
    reportBug(bug);
    return failure(500, FAILED, "request" in asked ? asked.request.id : undefined);
  }
}

/** The same answer, or undefined if it would have to wait. */
function answerMessageSync(
  { loaded, isAllowed }: Endpoint,
  headers: RequestHeaders,
  body: Uint8Array,
): Answer | undefined {
  const type = answerType(headers, isAllowed);
  if (typeof type === "object") return type;
  const asked = requestIn(body, headers);
  if ("status" in asked) return asked;
  if ("messages" in asked) return undefined;
  const recorded = loaded?.recorded(asked);
  return recorded && typed(recorded, type);
}

/** Returns a check of which web pages may post to /mcp, by their origin, which a page cannot forge. So a server on a
 * loopback address is safe from pages whose own host name resolves to it (DNS rebinding), and a public server is open
 * to all pages, or to those in the settings. The policy follows the base URL, never the Host header. `allowed`: the
 * list in the settings. */
function originPolicy(allowed: readonly string[] | undefined, base: string): (origin: string) => boolean {
  if (allowed) return (origin) => allowed.includes(origin);
  return isThisComputer(new URL(base).hostname) ? isLocalOrigin : () => true;
}

function isLocalOrigin(origin: string): boolean {
  const url = parseUrl(origin);
  return url?.origin === origin && isThisComputer(url.hostname);
}

/** The type of the answer, or a refusal. */
function answerType(headers: RequestHeaders, isAllowed: Endpoint["isAllowed"]): AnswerType | Answer {
  const origin = headers.get("origin");
  if (origin !== null && !isAllowed(origin)) return refused(403, "This origin is not allowed.");
  if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type")?.trim() ?? "")) {
    return refused(415, "Send the message as content-type: application/json.");
  }
  const accept = headers.get("accept");
  const type = accept === null ? "json" : permittedType(accept);
  return type ?? refused(406, "Answers are application/json or text/event-stream.");
}

const ACCEPTED = empty(202);

/** The request or batch in a body, or the answer if there is none. */
function requestIn(body: Uint8Array, headers: RequestHeaders): McpCall | Batch | Answer {
  const message = parseMessage(body);
  if (message.kind === "batch") {
    const error = batchError(headers);
    return error ? failure(400, error) : message;
  }
  if (message.kind === "refused") return failure(400, message.error, message.id);
  if (message.kind === "notice") {
    const error = unsupportedHeader(headers);
    return error ? failure(400, error) : ACCEPTED;
  }
  const { request, meta } = message;
  const era = eraOf(request, meta, headers);
  return typeof era === "object" ? failure(400, era, request.id) : { era, request };
}

/** JSON wherever the header permits it. */
const permittedType = memo((accept: string): AnswerType | undefined => {
  const weights = readWeights(accept);
  if (weights.size === 0 || weightOf("application/json", weights) > 0) return "json";
  return weightOf("text/event-stream", weights) > 0 ? "event" : undefined;
}, 200);

const VARY = { vary: "Accept, Accept-Encoding" };

/** Built once: only the length differs. Nothing is compressed: an id of its own makes each answer another text. */
const { headers: JSON_HEADERS } = json(200, "", { "cache-control": "no-store", ...VARY });
const { headers: EVENT_HEADERS } = answer(200, "", {
  ...VARY,
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  // nginx passes the event on at once.
  "x-accel-buffering": "no",
});

function typed({ status, body }: McpAnswer, type: AnswerType): Answer {
  if (type === "json") return withLength(status, JSON_HEADERS, body);
  // A stream with one event.
  const [before, after] = ["event: message\ndata: ", "\n\n"];
  const event = typeof body === "string" ? before + body + after : [before, ...chunksOf(body), after];
  return withLength(status, EVENT_HEADERS, event);
}

function withLength(status: number, headers: Answer["headers"], body: Body): Answer {
  return { status, headers: { ...headers, "content-length": String(byteLength(body)) }, body };
}

function refused(status: number, message: string): Answer {
  return failure(status, { code: INVALID_REQUEST, message });
}

/** An error response. `id`: of the request, if known. */
function failure(status: number, error: RpcError, id?: McpRequest["id"], headers: Record<string, string> = {}): Answer {
  return json(status, errorResponse(error, id), { "cache-control": "no-store", ...headers });
}
