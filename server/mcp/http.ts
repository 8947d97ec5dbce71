// POST /mcp over HTTP: one JSON-RPC message or batch in, one answer out, no state between requests. It replaces the
// SDK's transport, which lets one batch hang forever and refuses the plain request in the interface specification.
import { isThisComputer, parseUrl } from "../../snapshots/rules.ts";
import {
  answer,
  asText,
  byteLength,
  empty,
  json,
  type Answer,
  type ReportBug,
  type TextAnswer,
} from "../answers/answer.ts";
import { memo } from "../answers/memo.ts";
import { acceptedEncodings, IDENTITY_ONLY, readWeights, weightOf } from "../answers/negotiate.ts";
import { compressText, type Encoding } from "../answers/prepared.ts";
import type { Lazy } from "../lazy.ts";
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
import type { McpAnswer, McpAnswers } from "./live-answers.ts";
import { batchError, eraOf, unsupportedHeader, type Era } from "./protocol-version.ts";
import { respondToBatch, type Respondent } from "./respond.ts";

export interface McpEndpoint {
  answers: Lazy<McpAnswers>;
  /** Whether web pages of this origin may use the endpoint. */
  isAllowed: (origin: string) => boolean;
  reportBug: ReportBug;
}

export type MessageHeaders = Pick<Headers, "get">;
type AnswerType = "json" | "event";

/** Answers a POST. `readBody`: returns undefined for a body longer than MAX_MESSAGE_BYTES. */
export async function answerMessage(
  { answers, isAllowed, reportBug }: McpEndpoint,
  headers: MessageHeaders,
  readBody: () => Promise<Uint8Array | undefined>,
): Promise<TextAnswer> {
  const type = answerType(headers, isAllowed);
  if (typeof type === "object") return type;
  const body = await readBody().catch(() => "incomplete" as const);
  if (body === "incomplete") return failure(400, { code: PARSE_ERROR, message: "The body is incomplete." });
  if (body === undefined) return failure(413, TOO_LONG, undefined, { connection: "close" });
  const asked = requestIn(body, headers);
  if ("status" in asked) return asked;
  const encodings = encodingsFor(type, headers);
  try {
    const mcp = await answers.get();
    if ("messages" in asked) {
      const eraOfMessage: Respondent["eraOf"] = (request, meta) => eraOf(request, meta, headers);
      const text = await respondToBatch(asked.messages, { mcp, eraOf: eraOfMessage, reportBug });
      return text === undefined ? ACCEPTED : typed({ status: 200, ...(await compressText(text, encodings)) }, type);
    }
    const { era, request } = asked;
    return typed(mcp.recorded(era, request, encodings) ?? (await mcp.live(era, request, encodings)), type);
  } catch (bug) {
    reportBug(bug);
    return failure(500, FAILED, "request" in asked ? asked.request.id : undefined);
  }
}

/** The same answer, or undefined if it would have to wait. */
export function answerMessageSync(
  { answers, isAllowed }: McpEndpoint,
  headers: MessageHeaders,
  body: Uint8Array,
): TextAnswer | undefined {
  const type = answerType(headers, isAllowed);
  if (typeof type === "object") return type;
  const asked = requestIn(body, headers);
  if ("status" in asked) return asked;
  if ("messages" in asked) return undefined;
  const recorded = answers.loaded()?.recorded(asked.era, asked.request, encodingsFor(type, headers));
  return recorded && typed(recorded, type);
}

/** Returns a check of which web pages may post to /mcp, by their origin, which a page cannot forge. So a server on a
 * loopback address is safe from pages whose own host name resolves to it (DNS rebinding), and a public server is open
 * to all pages, or to those in the settings. The policy follows the base URL, never the Host header. `allowed`: the
 * list in the settings. `base`: the public base URL. */
export function originPolicy(allowed: readonly string[] | undefined, base: string): (origin: string) => boolean {
  if (allowed) return (origin) => allowed.includes(origin);
  return isThisComputer(new URL(base).hostname) ? isLocalOrigin : () => true;
}

function isLocalOrigin(origin: string): boolean {
  const url = parseUrl(origin);
  return url?.origin === origin && isThisComputer(url.hostname);
}

/** The type of the answer, or a refusal. */
function answerType(headers: MessageHeaders, isAllowed: McpEndpoint["isAllowed"]): AnswerType | TextAnswer {
  const origin = headers.get("origin");
  if (origin !== null && !isAllowed(origin)) return refused(403, "This origin is not allowed.");
  if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type")?.trim() ?? "")) {
    return refused(415, "Send the message as content-type: application/json.");
  }
  return acceptedType(headers.get("accept")) ?? refused(406, "Answers are application/json or text/event-stream.");
}

const ACCEPTED = asText(empty(202));

/** The request or batch in a body, or the answer if there is none. */
function requestIn(body: Uint8Array, headers: MessageHeaders): { era: Era; request: McpRequest } | Batch | TextAnswer {
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

/** JSON without an Accept header, and wherever the header permits JSON. */
function acceptedType(accept: string | null): AnswerType | undefined {
  return accept === null ? "json" : permittedType(accept);
}

const permittedType = memo(readAccept, { maxEntries: 100, maxLength: 200 });

function readAccept(accept: string): AnswerType | undefined {
  const weights = readWeights(accept);
  if (weights.size === 0 || weightOf("application/json", weights) > 0) return "json";
  return weightOf("text/event-stream", weights) > 0 ? "event" : undefined;
}

/** An event is not compressed: a proxy that decodes it would hold it back. */
function encodingsFor(type: AnswerType, headers: MessageHeaders): readonly Encoding[] {
  return type === "event" ? IDENTITY_ONLY : acceptedEncodings(headers.get("accept-encoding"));
}

const VARY = { vary: "Accept, Accept-Encoding" };

/** Built once: only the length differs. */
const { headers: JSON_HEADERS } = json(200, "", { "cache-control": "no-store", ...VARY });
const HEADERS_IN: Readonly<Record<Encoding, Answer["headers"]>> = {
  identity: JSON_HEADERS,
  br: { ...JSON_HEADERS, "content-encoding": "br" },
  gzip: { ...JSON_HEADERS, "content-encoding": "gzip" },
};
const { headers: EVENT_HEADERS } = answer(200, "", {
  ...VARY,
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  // nginx passes the event on at once.
  "x-accel-buffering": "no",
});

function typed({ status, text, encoding }: McpAnswer, type: AnswerType): TextAnswer {
  if (type === "json") return withLength(status, HEADERS_IN[encoding], text);
  // A stream with one event.
  const [before, after] = ["event: message\ndata: ", "\n\n"];
  return withLength(status, EVENT_HEADERS, typeof text === "string" ? before + text + after : [before, ...text, after]);
}

function withLength(status: number, headers: Answer["headers"], text: TextAnswer["text"]): TextAnswer {
  return { status, headers: { ...headers, "content-length": String(byteLength(text)) }, text };
}

function refused(status: number, message: string): TextAnswer {
  return failure(status, { code: INVALID_REQUEST, message });
}

/** An error response. `id`: of the request, if known. */
function failure(
  status: number,
  error: RpcError,
  id?: McpRequest["id"],
  headers: Record<string, string> = {},
): TextAnswer {
  return asText(json(status, errorResponse(error, id), { "cache-control": "no-store", ...headers }));
}
