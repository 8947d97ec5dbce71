// Shared by the programs here: each makes the same requests through its client and prints the results as JSON.
const CALLS = [
  ["get_pricing", {}],
  ["get_latest_version", {}],
  ["get_latest_version", { platform: "macos" }],
  ["get_latest_version", { platform: "windows" }],
];
const RESOURCES = ["product://overview", "product://faq"];

/** The address of the endpoint. */
export const url = process.argv[2];
/** The arguments after it. */
export const extraArguments = process.argv.slice(3);

export const CLIENT_INFO = { name: "vitrine-clients", version: "1.0.0" };

/** Makes all requests and prints the results. `tools` and `resources` return names and URIs; `call` and `read` return MCP
 * results, as far as the client exposes them; `protocol` returns the negotiated revision, if the client reports it. */
export async function reportAll({ tools, call, resources, read, protocol, close }) {
  const told = { tools: await tools(), calls: [], resources: await resources(), texts: [] };
  for (const [name, input] of CALLS) told.calls.push(inShort(name, input, await call(name, input)));
  for (const uri of RESOURCES) told.texts.push({ uri, text: (await read(uri)).contents[0].text });
  told.protocol = protocol?.();
  await close?.();
  print(told);
}

/** The requests through a client of the official SDK, of either generation. */
export function sdkAdapter(client) {
  return {
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: (name, input) => client.callTool({ name, arguments: input }),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: (uri) => client.readResource({ uri }),
    close: () => client.close(),
  };
}

export function print(told) {
  process.stdout.write(JSON.stringify(told), () => process.exit());
}

function inShort(name, input, { content, structuredContent, isError }) {
  return { name, input, text: content?.[0]?.text, structured: structuredContent, isError };
}
