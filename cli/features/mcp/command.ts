// `vitrine mcp`: an MCP server on stdin and stdout. For a person whose agent starts its servers itself. Without the feature, agents
// read the REST API.
import type { Command } from "../../command.ts";
import { BASE_URL, COLLECTING, LAST_COPY, LOG, SETTINGS } from "../../options.ts";

export const mcpCommand: Command = {
  name: "mcp",
  summary: "answer one MCP host on stdin and stdout; fetches nothing without --collect",
  options: {
    collect: { help: "also collect now and on schedule" },
    ...SETTINGS,
    "base-url": BASE_URL,
    "last-copy": LAST_COPY,
    ...COLLECTING,
    log: { ...LOG, help: "text or json (default text)" },
  },
  load: () => import("./mcp.ts"),
};
