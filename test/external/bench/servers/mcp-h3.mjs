// A bare h3 route: reads and parses the message, and answers with a prepared Buffer in the fastest response of srvx, on which
// h3 is built. The lower bound for every answer.
import { createServer } from "node:http";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { FastResponse } from "srvx";
import { answers } from "./mcp-tools.mjs";
import { report } from "./peer.mjs";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const HEADERS = { "content-type": "application/json", "cache-control": "no-store" };
const bodies = new Map(Object.entries(answers).map(([task, text]) => [task, Buffer.from(text)]));

const app = new H3();
app.post("/mcp", async ({ req }) => {
  const { method, params } = await req.json();
  const { _meta: client } = params ?? {};
  const body = bodies.get(`${method} ${client?.[VERSION] ?? "2025-06-18"}`);
  return new FastResponse(body ?? null, { status: body ? 200 : 404, headers: HEADERS });
});
const server = createServer(toNodeHandler(app));
server.listen(0, "127.0.0.1", () => report(server.address().port));
