// POST /mcp at the edge, answered by the SDK itself.
import type { Posting } from "../../door/responder.ts";
import { originPolicy, postingOf } from "./http.ts";
import { identityOf } from "./identity.ts";
import type { McpOptions } from "./posting.ts";
import type { McpAnswers } from "./respond.ts";
import { resourcesOf } from "./resources.ts";

/** Sets the SDK up at the first message: its schemas take a tenth of the start at the edge. */
export function liveMcp(options: McpOptions): Posting {
  const { api, base, logo, texts, mirror, reportBug } = options;
  let answers: Promise<McpAnswers> | undefined;
  const load = async () => {
    const { createLiveAnswers } = await import("./sdk-server.ts");
    return createLiveAnswers(mirror, resourcesOf(api, texts, options), identityOf(api, base, logo));
  };
  return postingOf({
    answers: () => (answers ??= load()),
    loadedAnswers: () => undefined,
    isAllowed: originPolicy(api.origins, base),
    reportBug,
  });
}
