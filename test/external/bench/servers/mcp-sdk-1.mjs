// The first-generation SDK, as in its example of a stateless server: a new server for each request.
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { SERVER, texts, TOOLS } from "./mcp-tools.mjs";
import { report } from "./peer.mjs";

function getServer() {
  const server = new McpServer(SERVER);
  for (const [name, { input, output, call, ...tool }] of Object.entries(TOOLS)) {
    server.registerTool(name, { ...tool, inputSchema: input, outputSchema: output }, call);
  }
  for (const [uri, text] of Object.entries(texts)) {
    server.registerResource(uri, uri, { mimeType: "text/markdown" }, () => ({ contents: [{ uri, text }] }));
  }
  return server;
}

const app = createMcpExpressApp();
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 awaits the promise
app.post("/mcp", async (request, response) => {
  const server = getServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
  response.on("close", () => {
    transport.close();
    server.close();
  });
});
const listening = app.listen(0, "127.0.0.1", () => report(listening.address().port));
