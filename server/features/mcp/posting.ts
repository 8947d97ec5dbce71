// POST /mcp, as a server and the edge have it. For agents that ask with the Model Context Protocol. Without it, there is no /mcp, and
// the documents name no tools.
// after: widgets, words
import type { ReportBug } from "../../answers/answer.ts";
import type { ApiSettings } from "../../api-settings.ts";
import type { OnCall } from "../../door/responder.ts";
import type { Mirror } from "../../mirror/mirror.ts";
import type { McpRequest } from "./json-rpc.ts";
import type { McpAnswers } from "./respond.ts";
import type { Texts } from "./resources.ts";
import { TOOLS } from "./tools.ts";

export interface McpOptions {
  api: ApiSettings;
  /** The public base URL. */
  base: string;
  texts: Texts;
  /** A `data:` URI. */
  logo: string | undefined;
  mirror: Mirror;
  hasFeeds: boolean;
  reportBug: ReportBug;
  onCall?: OnCall | undefined;
}

/** Calls back for each request, once. */
export function counted({ recorded, answer }: McpAnswers, onCall: OnCall): McpAnswers {
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

/** Any other counts as `other`, so that no client can add a series. */
const METHODS = new Set([
  "initialize",
  "ping",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "server/discover",
  "tools/call",
  "tools/list",
]);
const OTHER = "other";

function labelsOf({ method, params }: McpRequest): { method: string; tool: string } {
  const name = typeof params?.name === "string" && Object.hasOwn(TOOLS, params.name) ? params.name : OTHER;
  return { method: METHODS.has(method) ? method : OTHER, tool: method === "tools/call" ? name : "" };
}
