// Answers MCP requests of both eras, from the recordings if possible, otherwise through the SDK's server. Everything
// that needs the SDK is behind this file, which is therefore loaded at the first message.
import { byteText } from "../answers/answer.ts";
import type { ReportBug } from "../answers/bug-reporter.ts";
import { compressText, type EncodedText, type Encoding } from "../answers/compress.ts";
import type { Identity } from "./identity.ts";
import { HANDSHAKE_VERSIONS, type Era } from "./protocol-version.ts";
import { METHOD_NOT_FOUND, type McpRequest } from "./json-rpc.ts";
import { answerStateless } from "./stateless.ts";
import { createMcpServer, type Resource } from "./sdk-server.ts";
import type { Mirror } from "../mirror/mirror.ts";
import { Recordings, type Answerer } from "./recordings/recordings.ts";
import { factsOf, type Facts } from "./results.ts";

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

/** `reportBug`: called when recording fails after the first time. */
export async function createMcpAnswers(
  mirror: Mirror,
  resources: readonly Resource[],
  { identity, reportBug }: { identity: Identity; reportBug: ReportBug },
): Promise<McpAnswers> {
  const createAnswerer = async (facts: Facts): Promise<Answerer> => {
    const server = await createMcpServer(facts, resources, identity);
    return (era, request) =>
      era === "stateless" ? answerStateless(server, request, identity) : server(inSupportedVersion(request));
  };
  const uris = resources.map(({ uri }) => uri);
  const recordings = new Recordings(mirror, { identity, uris, createAnswerer });
  await recordings.start(reportBug);
  const answerLive = await createAnswerer(factsOf(mirror, identity));
  const recorded: McpAnswers["recorded"] = (era, request, encodings) => {
    const found = recordings.find(era, inSupportedVersion(request), encodings);
    return found && { status: 200, text: found.text, encoding: found.encoding };
  };
  return {
    recorded,
    async live(era, request, encodings) {
      // Facts are long, so no client gets a copy of its own while they are being recorded.
      const isUpdated = await recordings.update(era, inSupportedVersion(request));
      const updated = isUpdated ? recorded(era, request, encodings) : undefined;
      if (updated) return updated;
      const response = await answerLive(era, request);
      const isUnknown = "error" in response && response.error.code === METHOD_NOT_FOUND;
      const encoded = await compressText(byteText(JSON.stringify(response)), encodings);
      return { status: isUnknown && era === "stateless" ? 404 : 200, ...encoded };
    },
  };
}

/** `initialize` with an unknown version is answered with the newest one. */
function inSupportedVersion(request: McpRequest): McpRequest {
  const { method, params } = request;
  const version = params?.protocolVersion;
  if (method !== "initialize" || typeof version !== "string") return request;
  if (HANDSHAKE_VERSIONS.some((supported) => supported === version)) return request;
  return { ...request, params: { ...params, protocolVersion: HANDSHAKE_VERSIONS[0] } };
}
