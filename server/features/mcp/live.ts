// POST /mcp at the edge, answered by the SDK itself.
import type { Posting } from "../../door/responder.ts";
import { postingOf, type McpOptions } from "./http.ts";
import { identityOf } from "./identity.ts";
import type { McpAnswers } from "./respond.ts";
import { resourcesOf } from "./resources.ts";

/** Sets the SDK up at the first message: its schemas take a tenth of the start at the edge. */
export function liveMcp(options: McpOptions): Posting {
  const { api, base, logo, texts, mirror } = options;
  let answers: Promise<McpAnswers> | undefined;
  const load = async () => {
    const { createLiveAnswers } = await import("./sdk-server.ts");
    return createLiveAnswers(mirror, resourcesOf(api, texts, options), identityOf(api, base, logo));
  };
  return postingOf(options, () => (answers ??= load()));
}
