// The second-generation SDK, as its documentation shows: a server from the factory for each request.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { SERVER, texts, TOOLS } from "./mcp-tools.mjs";
import { report } from "./peer.mjs";

function getServer() {
  const server = new McpServer(SERVER);
  for (const [name, { input, output, call, ...tool }] of Object.entries(TOOLS)) {
    server.registerTool(name, { ...tool, inputSchema: z.object(input), outputSchema: z.object(output) }, call);
  }
  for (const [uri, text] of Object.entries(texts)) {
    server.registerResource(uri, uri, { mimeType: "text/markdown" }, () => ({ contents: [{ uri, text }] }));
  }
  return server;
}

const server = createServer(toNodeHandler(createMcpHandler(getServer)));
server.listen(0, "127.0.0.1", () => report(server.address().port));
