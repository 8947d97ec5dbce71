// POST /mcp, as a server and the edge have it. For agents that ask with the Model Context Protocol. Without it, there is no /mcp, and
// the documents name no tools.
// after: widgets, words
import type { ReportBug } from "../../answers/answer.ts";
import type { ApiSettings } from "../../api-settings.ts";
import type { OnCall } from "../../door/responder.ts";
import type { Mirror } from "../../mirror/mirror.ts";
import type { Texts } from "./resources.ts";

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
