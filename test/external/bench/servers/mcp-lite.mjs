// mcp-lite behind hono, as its documentation shows: one server for all requests.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { McpServer, StreamableHttpTransport } from "mcp-lite";
import * as z from "zod";
import { SERVER, texts, TOOLS } from "./mcp-tools.mjs";
import { report } from "./peer.mjs";

const mcp = new McpServer({ ...SERVER, schemaAdapter: (schema) => z.toJSONSchema(schema) });
for (const [name, { input, output, call, ...tool }] of Object.entries(TOOLS)) {
  mcp.tool(name, { ...tool, inputSchema: z.object(input), outputSchema: z.object(output), handler: call });
}
for (const [uri, text] of Object.entries(texts)) {
  mcp.resource(uri, { mimeType: "text/markdown" }, () => ({ contents: [{ uri, type: "text", text }] }));
}
const handle = new StreamableHttpTransport().bind(mcp);

const app = new Hono();
app.all("/mcp", (context) => handle(context.req.raw));
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => report(port));
