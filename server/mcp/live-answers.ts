// The SDK's own answers to MCP requests of both eras.
import { byteText } from "../answers/answer.ts";
import { compressText, type EncodedText, type Encoding } from "../answers/compress.ts";
import type { Mirror } from "../mirror/mirror.ts";
import type { Identity } from "./identity.ts";
import { METHOD_NOT_FOUND, type McpRequest } from "./json-rpc.ts";
import { HANDSHAKE_VERSIONS, type Era } from "./protocol-version.ts";
import { factsOf, type Facts } from "./results.ts";
import { createMcpServer, type McpResponse, type Resource } from "./sdk-server.ts";
import { answerStateless } from "./stateless.ts";

/** JSON, in one of the encodings that the client accepts. */
export interface McpAnswer extends EncodedText {
  status: 200 | 404;
}

/** `encodings`: those that the client accepts, best first. */
export interface McpAnswers {
  /** The recorded answer, if any. */
  recorded(era: Era, request: McpRequest, encodings: readonly Encoding[]): McpAnswer | undefined;
  /** The answer of the SDK's server; or the recorded one once that is up to date. */
  live(era: Era, request: McpRequest, encodings: readonly Encoding[]): Promise<McpAnswer>;
}

/** Answers one request. */
export type Answerer = (era: Era, request: McpRequest) => Promise<McpResponse>;

export async function createAnswerer(
  facts: Facts,
  resources: readonly Resource[],
  identity: Identity,
): Promise<Answerer> {
  const server = await createMcpServer(facts, resources, identity);
  return (era, request) =>
    era === "stateless" ? answerStateless(server, request, identity) : server(inSupportedVersion(request));
}

/** Without recordings: each answer is made for its request. */
export async function createLiveAnswers(
  mirror: Mirror,
  resources: readonly Resource[],
  identity: Identity,
): Promise<McpAnswers> {
  const answerer = await createAnswerer(factsOf(mirror, identity), resources, identity);
  return {
    recorded: () => undefined,
    async live(era, request, encodings) {
      const response = await answerer(era, request);
      const isUnknown = "error" in response && response.error.code === METHOD_NOT_FOUND;
      const encoded = await compressText(byteText(JSON.stringify(response)), encodings);
      return { status: isUnknown && era === "stateless" ? 404 : 200, ...encoded };
    },
  };
}

/** `initialize` with an unknown version is answered with the newest one. */
export function inSupportedVersion(request: McpRequest): McpRequest {
  const { method, params } = request;
  const version = params?.protocolVersion;
  if (method !== "initialize" || typeof version !== "string") return request;
  if (HANDSHAKE_VERSIONS.some((supported) => supported === version)) return request;
  return { ...request, params: { ...params, protocolVersion: HANDSHAKE_VERSIONS[0] } };
}
