// What MCP requests are answered with, in both eras: from the recordings when they can be, else by the SDK's server. All
// that needs the SDK is behind this file, which is therefore loaded at the first message.
import { byteText } from "../answers/answer.ts";
import { HANDSHAKE_VERSIONS, type Era } from "./protocol-version.ts";
import { METHOD_NOT_FOUND, type McpRequest } from "./json-rpc.ts";
import { askStateless } from "./stateless.ts";
import { createMcpServer, type Resource } from "./sdk-server.ts";
import type { Mirror } from "../mirror/mirror.ts";
import { Recordings, type Ask } from "./recordings.ts";
import type { Facts } from "./tools.ts";

export interface McpAnswer {
  status: 200 | 404;
  /** JSON, a character for each byte. */
  text: string;
}

export interface McpAnswers {
  /** What is recorded, at once; undefined when it is not. `length`: bytes of the message. */
  recorded(era: Era, request: McpRequest, length: number): McpAnswer | undefined;
  /** What the SDK's server says now. */
  live(era: Era, request: McpRequest): Promise<McpAnswer>;
}

/** Longer messages are not looked up: only short ones are sure not to be nested too deep for it. Bytes. */
const LONGEST_RECORDED = 2_048;

/** `name`: the API's public name. `onBug`: told when the answers cannot be recorded anew. */
export async function createMcpAnswers(
  mirror: Mirror,
  resources: readonly Resource[],
  { name, onBug }: { name: string; onBug: (bug: unknown) => void },
): Promise<McpAnswers> {
  const askWith = async (facts: Facts): Promise<Ask> => {
    const server = await createMcpServer(facts, resources, name);
    return (era, request) =>
      era === "stateless" ? askStateless(server, request, name) : server(inSpokenVersion(request));
  };
  const uris = resources.map(({ uri }) => uri);
  const recordings = new Recordings(mirror, askWith, uris);
  await recordings.start(onBug);
  const ask = await askWith(mirror);
  return {
    recorded(era, request, length) {
      const text = length <= LONGEST_RECORDED ? recordings.find(era, inSpokenVersion(request)) : undefined;
      return text === undefined ? undefined : { status: 200, text };
    },
    async live(era, request) {
      const response = await ask(era, request);
      const isUnknown = "error" in response && response.error.code === METHOD_NOT_FOUND;
      return { status: isUnknown && era === "stateless" ? 404 : 200, text: byteText(JSON.stringify(response)) };
    },
  };
}

/** Who greets in a version that is not spoken is answered in the newest one. */
function inSpokenVersion(request: McpRequest): McpRequest {
  const { method, params } = request;
  const version = params?.protocolVersion;
  if (method !== "initialize" || typeof version !== "string") return request;
  if (HANDSHAKE_VERSIONS.some((spoken) => spoken === version)) return request;
  return { ...request, params: { ...params, protocolVersion: HANDSHAKE_VERSIONS[0] } };
}
