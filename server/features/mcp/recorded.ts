// POST /mcp of a server, answered from recordings of the SDK's own answers. Loads the SDK.
import type { Posting } from "../../door/responder.ts";
import { originPolicy, postingOf } from "./http.ts";
import { identityOf } from "./identity.ts";
import { counted, type McpOptions } from "./posting.ts";
import { createMcpAnswers } from "./recordings.ts";
import { resourcesOf } from "./resources.ts";

export async function recordedMcp(options: McpOptions): Promise<Posting> {
  const { api, base, logo, texts, mirror, reportBug, onCall } = options;
  const identity = identityOf(api, base, logo);
  const recorded = await createMcpAnswers(mirror, resourcesOf(api, texts, options), { identity, reportBug });
  const answers = onCall ? counted(recorded, onCall) : recorded;
  return postingOf({
    answers: () => Promise.resolve(answers),
    loadedAnswers: () => answers,
    isAllowed: originPolicy(api.origins, base),
    reportBug,
  });
}
