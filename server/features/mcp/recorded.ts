// POST /mcp of a server, answered from recordings of the SDK's own answers. Loads the SDK.
import type { OnCall, Posting } from "../../door/responder.ts";
import { postingOf, type McpOptions } from "./http.ts";
import { identityOf } from "./identity.ts";
import type { McpRequest } from "./json-rpc.ts";
import { createMcpAnswers, isKnown } from "./recordings.ts";
import { resourcesOf } from "./resources.ts";
import type { McpAnswers } from "./respond.ts";
import { TOOLS } from "./tools.ts";

export async function recordedMcp(options: McpOptions): Promise<Posting> {
  const { api, base, logo, texts, mirror, reportBug, onCall } = options;
  const identity = identityOf(api, base, logo);
  const recorded = await createMcpAnswers(mirror, resourcesOf(api, texts, options), { identity, reportBug });
  const answers = onCall ? counted(recorded, onCall) : recorded;
  return postingOf(options, () => Promise.resolve(answers), answers);
}

/** Calls back for each request, once. */
function counted({ recorded, answer }: McpAnswers, onCall: OnCall): McpAnswers {
  return {
    recorded(call) {
      const found = recorded(call);
      if (found) onCall(labelsOf(call.request));
      return found;
    },
    answer(call) {
      onCall(labelsOf(call.request));
      return answer(call);
    },
  };
}

/** Any other method or tool counts as this, so that no client can add a series. */
const OTHER = "other";

function labelsOf({ method, params }: McpRequest): { method: string; tool: string } {
  const name = typeof params?.name === "string" && Object.hasOwn(TOOLS, params.name) ? params.name : OTHER;
  return { method: isKnown(method) ? method : OTHER, tool: method === "tools/call" ? name : "" };
}
