// LangChain's adapters: MCP tools as LangChain tools, invoked as an agent would.
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { reportAll, url } from "../../programs/report.mjs";

const client = new MultiServerMCPClient({
  mcpServers: { vitrine: { transport: "http", url } },
  prefixToolNameWithServerName: false,
});
const tools = await client.getTools();
await reportAll({
  tools: () => tools.map((tool) => tool.name),
  // It returns the content of a result only, and a single block without the list.
  call: async (name, input) => ({ content: [await tools.find((tool) => tool.name === name).invoke(input)].flat() }),
  resources: async () => (await client.listResources()).vitrine.map(({ uri }) => uri),
  read: async (uri) => ({ contents: await client.readResource("vitrine", uri) }),
  close: () => client.close(),
});
