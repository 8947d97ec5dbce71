// The MCP server in the OpenAI Agents SDK, without a model.
import { MCPServerStreamableHttp } from "@openai/agents";
import { reportAll, url } from "../../programs/report.mjs";

const server = new MCPServerStreamableHttp({ url, name: "vitrine" });
await server.connect();
await reportAll({
  tools: async () => (await server.listTools()).map((tool) => tool.name),
  // It returns the content of a result only.
  call: async (name, input) => ({ content: await server.callTool(name, input) }),
  resources: async () => (await server.listResources()).resources.map(({ uri }) => uri),
  read: (uri) => server.readResource(uri),
  close: () => server.close(),
});
