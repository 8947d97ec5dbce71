// The MCP server itself, on the SDK's low-level Server, connected once to a transport inside the process. It knows
// nothing of HTTP: mcp-edge.ts does. Loaded at the first message, because the SDK takes its time and memory.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type JSONRPCMessage,
} from "@modelcontextprotocol/sdk/types.js";
import { CAPABILITIES, INSTRUCTIONS, serverInfo } from "./identity.ts";
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, type Id, type McpRequest } from "./json-rpc.ts";
import { listedTools, TOOLS, type Facts } from "./tools.ts";

export interface Resource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** Markdown. */
  text: string;
}

export interface RpcError {
  code: number;
  message: string;
  data?: object;
}

/** A JSON-RPC response, its id that of the request. */
export type McpResponse = { jsonrpc: "2.0"; id: Id } & ({ result: object } | { error: RpcError });
export type McpServer = (request: McpRequest) => Promise<McpResponse>;

export const RESOURCE_NOT_FOUND = -32002;

/** Makes the server; it looks for the facts at every tool call. `name`: the API's public name. */
export async function createMcpServer(facts: Facts, resources: readonly Resource[], name: string): Promise<McpServer> {
  const server = new Server(serverInfo(name), { capabilities: CAPABILITIES, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => onePage(params, { tools: listedTools() }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = Object.hasOwn(TOOLS, params.name) ? TOOLS[params.name] : undefined;
    if (!tool) throw rpcError(INVALID_PARAMS, `Unknown tool. There are: ${Object.keys(TOOLS).join(", ")}.`);
    return tool.call(facts, params.arguments ?? {});
  });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    onePage(params, { resources: resources.map(({ text, ...resource }) => resource) }),
  );
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const resource = resources.find((candidate) => candidate.uri === uri);
    if (!resource) throw rpcError(RESOURCE_NOT_FOUND, "Resource not found.", { uri });
    return { contents: [{ uri, mimeType: resource.mimeType, text: resource.text }] };
  });
  // Some hosts take "method not found" to these two for a broken server.
  server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }) =>
    onePage(params, { resourceTemplates: [] }),
  );
  server.fallbackRequestHandler = async ({ method, params }) => {
    if (method === "prompts/list") return onePage(params, { prompts: [] });
    throw rpcError(METHOD_NOT_FOUND, "There is no such method here.");
  };
  const transport = new InProcessTransport();
  await server.connect(transport);
  return (request) => transport.ask(request);
}

/** Every list has one page: a cursor to another was never given to anybody. */
function onePage<T>(params: Record<string, unknown> | undefined, list: T): T {
  if (params?.cursor !== undefined) throw rpcError(INVALID_PARAMS, "There is no such cursor: every list has one page.");
  return list;
}

/** Carries requests to the server under ids of its own, so that clients' ids never meet. */
class InProcessTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  #lastId = 0;
  readonly #waiting = new Map<unknown, (response: McpResponse) => void>();

  async start(): Promise<void> {}
  async close(): Promise<void> {}

  ask(request: McpRequest): Promise<McpResponse> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, (response) => resolve({ ...response, id: request.id }));
      this.onmessage?.({ ...request, id });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!("result" in message || "error" in message)) return;
    this.#waiting.get(message.id)?.(inOurWords(message as McpResponse));
    this.#waiting.delete(message.id);
  }
}

/** The SDK reports parameters of the wrong shape as internal errors, with a dump of its schema check. */
function inOurWords(message: McpResponse): McpResponse {
  if (!("error" in message) || message.error.code !== INTERNAL_ERROR) return message;
  return { ...message, error: { code: INVALID_PARAMS, message: "The parameters are not those of this method." } };
}

// Not the SDK's McpError, which puts its own words before the message.
function rpcError(code: number, message: string, data?: object): Error {
  return Object.assign(new Error(message), { code, data });
}
