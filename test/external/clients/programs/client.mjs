// Makes the same requests through a real client, and prints the results as JSON. Usage: client.mjs URL KIND WORD
const [url, kind, word] = process.argv.slice(2);
const INFO = { name: "vitrine-clients", version: "1.0.0" };

const CALLS = [
  ["get_pricing", {}],
  ["get_latest_version", {}],
  ["get_latest_version", { platform: "macos" }],
  ["get_latest_version", { platform: "windows" }],
];
const RESOURCES = ["product://overview", "product://faq"];

/** Each resolves to a client. `tools` and `resources` return names and URIs; `call` and `read` return MCP results, as far as the
 * client exposes them; `protocol` returns the negotiated revision, if the client reports it. */
const KINDS = {
  /** The official SDK's first generation. `word`: the package name of a version. */
  async sdk() {
    const { Client } = await import(`${word}/client/index.js`);
    const { StreamableHTTPClientTransport } = await import(`${word}/client/streamableHttp.js`);
    const client = new Client(INFO);
    const transport = new StreamableHTTPClientTransport(new URL(url));
    await client.connect(transport);
    await client.ping();
    return { ...ofSdk(client), protocol: () => transport.protocolVersion };
  },

  /** Its second generation. `word`: "legacy" by initialize, "auto" with the newest revision first, or a fixed revision. */
  async "sdk-2"() {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const mode = word === "legacy" || word === "auto" ? word : { pin: word };
    const client = new Client(INFO, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return { ...ofSdk(client), protocol: () => client.getNegotiatedProtocolVersion() };
  },

  /** The AI SDK. `word`: the package name of a version. Tools are called as an agent does: created and executed. */
  async "ai-sdk"() {
    const { createMCPClient } = await import(word);
    const client = await createMCPClient({ transport: { type: "http", url } });
    const tools = await client.tools();
    const call = (name, input) => tools[name].execute(input, { toolCallId: "1", messages: [] });
    return { ...ofSdk(client), tools: () => Object.keys(tools), call };
  },

  /** mcp-remote between Vitrine and a client that supports stdio only. */
  async "mcp-remote"() {
    const { Client } = await import("sdk-1.32/client/index.js");
    const { StdioClientTransport } = await import("sdk-1.32/client/stdio.js");
    const bridge = new URL("../../node_modules/mcp-remote/dist/proxy.js", import.meta.url).pathname;
    const args = [bridge, url, "--transport", "http-only"];
    const client = new Client(INFO);
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: process.env }));
    return ofSdk(client);
  },
};

/** The requests through a client of the official SDK, of either generation. */
function ofSdk(client) {
  return {
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: (name, input) => client.callTool({ name, arguments: input }),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: (uri) => client.readResource({ uri }),
    close: () => client.close(),
  };
}

const { tools, call, resources, read, protocol, close } = await KINDS[kind]();
const told = { tools: await tools(), calls: [], resources: await resources(), texts: [] };
for (const [name, input] of CALLS) {
  const { content, structuredContent, isError } = await call(name, input);
  told.calls.push({ name, input, text: content?.[0]?.text, structured: structuredContent, isError });
}
for (const uri of RESOURCES) told.texts.push({ uri, text: (await read(uri)).contents[0].text });
told.protocol = protocol?.();
await close();
process.stdout.write(JSON.stringify(told), () => process.exit());
