// What answers MCP requests behind every door, and its form without recordings: the SDK's server makes each answer for
// its request.
import { byteText } from "../answers/answer.ts";
import { compressText, type EncodedText, type Encoding } from "../answers/prepared.ts";
import type { Mirror } from "../mirror/mirror.ts";
import type { Identity } from "./identity.ts";
import { METHOD_NOT_FOUND, type McpRequest } from "./json-rpc.ts";
import type { Era } from "./protocol-version.ts";
import { factsOf } from "./results.ts";
import { createAnswerer, type Resource } from "./sdk-server.ts";

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

/** Without recordings. */
export async function createLiveAnswers(
  mirror: Mirror,
  resources: readonly Resource[],
  identity: Identity,
): Promise<McpAnswers> {
  const answer = await createAnswerer(factsOf(mirror, identity), resources, identity);
  return {
    recorded: () => undefined,
    async live(era, request, encodings) {
      const response = await answer(era, request);
      const isUnknown = "error" in response && response.error.code === METHOD_NOT_FOUND;
      const encoded = await compressText(byteText(JSON.stringify(response)), encodings);
      return { status: isUnknown && era === "stateless" ? 404 : 200, ...encoded };
    },
  };
}
