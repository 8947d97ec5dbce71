// MCP has two eras at the same address. Until 2025-11-25 a client greets with `initialize`; from 2026-07-28 on each request
// stands for itself: it names its version in `_meta`, and headers repeat what intermediaries want to see.
import { INVALID_PARAMS, isObject, type McpRequest } from "./json-rpc.ts";

export type Era = "handshake" | "stateless";

/** The versions that `initialize` may ask for, newest first. */
export const HANDSHAKE_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export const STATELESS_VERSION = "2026-07-28";
/** The one of the interface specification. */
export const SPECIFIED_VERSION = "2025-06-18";
/** Every version that is spoken, newest first. */
export const VERSIONS = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS] as const;

/** Why a request is refused, with status 400. */
export interface Refusal {
  code: number;
  message: string;
  data?: object;
}

const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

/** The field of the parameters that the header Mcp-Name repeats. */
const NAMED_BY = new Map([
  ["tools/call", "name"],
  ["resources/read", "uri"],
  ["prompts/get", "name"],
]);

/** Which era a request is of, or why it is refused. `meta`: its `_meta`. */
export function eraOf(
  request: McpRequest,
  meta: Record<string, unknown> | undefined,
  headers: Pick<Headers, "get">,
): Era | Refusal {
  const header = headers.get("mcp-protocol-version")?.trim();
  const claim = meta?.[VERSION_KEY];
  if (claim === undefined) return withoutClaim(request, header);
  const era = claimedEra(request.method, meta);
  if (era) return era;
  // In the order in which the protocol's own suite wants them.
  if (header !== claim) return mismatch("MCP-Protocol-Version", "the version in _meta");
  if (headers.get("mcp-method")?.trim() !== request.method) return mismatch("Mcp-Method", "the method");
  if (claim !== STATELESS_VERSION) return unsupported(String(claim));
  return isNamed(request, headers.get("mcp-name")) ? "stateless" : mismatch("Mcp-Name", "what is asked for");
}

/** The same for a line of a local process, where there are no headers to repeat anything in. */
export function eraOfLine({ method }: McpRequest, meta: Record<string, unknown> | undefined): Era | Refusal {
  const claim = meta?.[VERSION_KEY];
  if (claim === undefined) return "handshake";
  return claimedEra(method, meta) ?? (claim === STATELESS_VERSION ? "stateless" : unsupported(String(claim)));
}

/** What can be said of a claim before anything is compared with it. */
function claimedEra(method: string, meta: Record<string, unknown> | undefined): Era | Refusal | undefined {
  const claim = meta?.[VERSION_KEY];
  // A greeting is a greeting, unless it says that it is of the era that has none.
  if (method === "initialize" && claim !== STATELESS_VERSION) return "handshake";
  if (typeof claim !== "string") return invalid(`_meta must have a text as ${VERSION_KEY}.`);
  if (!isObject(meta?.[CAPABILITIES_KEY])) return invalid(`_meta must have an object as ${CAPABILITIES_KEY}.`);
  return undefined;
}

function withoutClaim({ method }: McpRequest, header: string | undefined): Era | Refusal {
  if (header === STATELESS_VERSION) {
    if (method === "initialize")
      return mismatch("MCP-Protocol-Version", "initialize, which that version does not have");
    return invalid(`_meta must have ${VERSION_KEY} and ${CAPABILITIES_KEY}.`);
  }
  if (method === "initialize" || header === undefined || isHandshakeVersion(header)) return "handshake";
  return unsupported(header, VERSIONS);
}

/** Whether the header names what the parameters name, if they name anything. */
function isNamed({ method, params }: McpRequest, header: string | null): boolean {
  const field = NAMED_BY.get(method);
  const name = field === undefined ? undefined : params?.[field];
  return typeof name !== "string" || (header !== null && decoded(header.trim()) === name);
}

/** What a header cannot hold comes in base64: `=?base64?…?=`. Undefined when that is malformed. */
function decoded(header: string): string | undefined {
  const base64 = /^=\?base64\?(?<text>.*)\?=$/.exec(header)?.groups?.text;
  if (base64 === undefined) return header;
  const bytes = Buffer.from(base64, "base64");
  return bytes.toString("base64") === base64 ? bytes.toString() : undefined;
}

function isHandshakeVersion(version: string): boolean {
  return HANDSHAKE_VERSIONS.some((known) => known === version);
}

function invalid(message: string): Refusal {
  return { code: INVALID_PARAMS, message };
}

function mismatch(header: string, other: string): Refusal {
  return { code: HEADER_MISMATCH, message: `The header ${header} must be there and agree with ${other}.` };
}

/** `supported`: the versions that can be asked for in this way. */
function unsupported(requested: string, supported: readonly string[] = [STATELESS_VERSION]): Refusal {
  const message = `This version is not supported here. Use one of: ${supported.join(", ")}.`;
  return { code: UNSUPPORTED_VERSION, message, data: { supported, requested } };
}
