// MCP has two eras at the same address. Until 2025-11-25 a client begins with `initialize`. From 2026-07-28 on, each
// request is independent: it names its version in `_meta`, and headers repeat fields for intermediaries.
import { INVALID_PARAMS, INVALID_REQUEST, isObject, type McpRequest, type RpcError } from "./json-rpc.ts";

export type Era = "handshake" | "stateless";

/** The versions that `initialize` can negotiate, newest first. */
export const HANDSHAKE_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export const STATELESS_VERSION = "2026-07-28";
/** The version in the interface specification. */
export const SPECIFIED_VERSION = "2025-06-18";
/** The only version with batches, and the one of a client that sends no header. */
const BATCH_VERSION = "2025-03-26";
/** Every supported version, newest first. */
export const VERSIONS = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS] as const;

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

/** The era of a request, or the error to refuse it with (status 400). `meta`: its `_meta`. */
export function eraOf(
  request: McpRequest,
  meta: Record<string, unknown> | undefined,
  headers: Pick<Headers, "get">,
): Era | RpcError {
  const header = versionHeader(headers);
  const claim = meta?.[VERSION_KEY];
  if (claim === undefined) return withoutClaim(request, headers);
  const era = claimedEra(request.method, meta);
  if (era) return era;
  // In the order that the protocol's conformance suite expects.
  if (header !== claim) return mismatch("MCP-Protocol-Version", "the version in _meta");
  if (headers.get("mcp-method")?.trim() !== request.method) return mismatch("Mcp-Method", "the method");
  if (claim !== STATELESS_VERSION) return unsupported(String(claim));
  return isNamed(request, headers.get("mcp-name"))
    ? "stateless"
    : mismatch("Mcp-Name", "the name or URI in the parameters");
}

/** The error if the header names an unsupported version (status 400). */
export function unsupportedHeader(headers: Pick<Headers, "get">): RpcError | undefined {
  const header = versionHeader(headers);
  return header === undefined || VERSIONS.some((known) => known === header) ? undefined : unsupported(header);
}

/** The error for a batch in another version than the one with batches (status 400). */
export function batchError(headers: Pick<Headers, "get">): RpcError | undefined {
  const header = versionHeader(headers) ?? BATCH_VERSION;
  if (header === BATCH_VERSION) return undefined;
  const message = `Send one message: of all versions, only ${BATCH_VERSION} has batches.`;
  return unsupportedHeader(headers) ?? { code: INVALID_REQUEST, message };
}

function versionHeader(headers: Pick<Headers, "get">): string | undefined {
  return headers.get("mcp-protocol-version")?.trim();
}

/** The same for a line on stdin, which has no headers. */
export function eraOfLine({ method }: McpRequest, meta: Record<string, unknown> | undefined): Era | RpcError {
  const claim = meta?.[VERSION_KEY];
  if (claim === undefined) return "handshake";
  return claimedEra(method, meta) ?? (claim === STATELESS_VERSION ? "stateless" : unsupported(String(claim)));
}

/** `initialize` with an unknown version is answered with the newest one. */
export function inSupportedVersion(request: McpRequest): McpRequest {
  const { method, params } = request;
  const version = params?.protocolVersion;
  if (method !== "initialize" || typeof version !== "string") return request;
  if (HANDSHAKE_VERSIONS.some((supported) => supported === version)) return request;
  return { ...request, params: { ...params, protocolVersion: HANDSHAKE_VERSIONS[0] } };
}

/** The result that needs no header; undefined if there is none yet. */
function claimedEra(method: string, meta: Record<string, unknown> | undefined): Era | RpcError | undefined {
  const claim = meta?.[VERSION_KEY];
  // `initialize` belongs to the handshake era, unless it claims the version that has no handshake.
  if (method === "initialize" && claim !== STATELESS_VERSION) return "handshake";
  if (typeof claim !== "string") return invalid(`_meta must have a string ${VERSION_KEY}.`);
  if (!isObject(meta?.[CAPABILITIES_KEY])) return invalid(`_meta must have an object ${CAPABILITIES_KEY}.`);
  return undefined;
}

function withoutClaim({ method }: McpRequest, headers: Pick<Headers, "get">): Era | RpcError {
  if (versionHeader(headers) === STATELESS_VERSION) {
    if (method === "initialize") {
      return mismatch("MCP-Protocol-Version", "initialize, which that version does not have");
    }
    return invalid(`_meta must have ${VERSION_KEY} and ${CAPABILITIES_KEY}.`);
  }
  return (method === "initialize" ? undefined : unsupportedHeader(headers)) ?? "handshake";
}

/** Whether the header matches the name in the parameters, if they have one. */
function isNamed({ method, params }: McpRequest, header: string | null): boolean {
  const field = NAMED_BY.get(method);
  const name = field === undefined ? undefined : params?.[field];
  return typeof name !== "string" || (header !== null && decoded(header.trim()) === name);
}

/** Decodes `=?base64?…?=`, for text that a header cannot hold. Undefined if it is malformed. */
function decoded(header: string): string | undefined {
  const base64 = /^=\?base64\?(?<text>.*)\?=$/.exec(header)?.groups?.text;
  if (base64 === undefined) return header;
  const bytes = Buffer.from(base64, "base64");
  return bytes.toString("base64") === base64 ? bytes.toString() : undefined;
}

function invalid(message: string): RpcError {
  return { code: INVALID_PARAMS, message };
}

function mismatch(header: string, other: string): RpcError {
  return { code: HEADER_MISMATCH, message: `The header ${header} is required and must match ${other}.` };
}

function unsupported(requested: string): RpcError {
  const message = `Unsupported version. Use ${STATELESS_VERSION} in _meta, or after initialize ${HANDSHAKE_VERSIONS.join(", ")}.`;
  return { code: UNSUPPORTED_VERSION, message, data: { supported: VERSIONS, requested } };
}
