// POST /mcp, as a server and the edge have it. For agents that ask with the Model Context Protocol. Without it, there is no /mcp, and
// the documents name no tools.
// after: widgets, words
import type { Site } from "../../answers/addition.ts";
import type { OnCall } from "../../door/responder.ts";
import type { Texts } from "./resources.ts";

export interface McpOptions extends Pick<Site, "api" | "base" | "logo" | "mirror" | "hasFeeds" | "reportBug"> {
  texts: Texts;
  onCall?: OnCall | undefined;
}
