// The SDK's own answers to MCP requests of both eras: its low-level Server, connected once to a transport inside the
// process, and independent of HTTP and stdio. Because they cost time and memory, a server loads them after its first facts are
// served, the edge at the first message.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type JSONRPCMessage,
  type JSONRPCResponse,
} from "@modelcontextprotocol/sdk/types.js";
import { sha256 } from "../../../snapshots/snapshot.ts";
import type { Resource } from "./resources.ts";
import { byteText } from "../../answers/answer.ts";
import { xml } from "../words/words.ts";
import { CARD } from "../widgets/built.ts";
import { CAPABILITIES, instructions, introduction, serverInfo, type Identity } from "./identity.ts";
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, type McpRequest } from "./json-rpc.ts";
import { inSupportedVersion, STATELESS_VERSION, VERSIONS } from "./protocol-version.ts";
import type { McpAnswer, McpCall } from "./respond.ts";
import type { Facts } from "./results.ts";
import { listedTools, TOOLS } from "./tools.ts";

/** Answers one request, whose tool call reads these facts. */
export type Answerer = (call: McpCall, facts: Facts) => Promise<JSONRPCResponse>;

export async function createAnswerer(resources: readonly Resource[], identity: Identity): Promise<Answerer> {
  const server = await createSdkServer(resources, identity);
  return ({ era, request }, facts) =>
    era === "stateless"
      ? answerStateless((sent) => server(sent, facts), request, identity)
      : server(inSupportedVersion(request), facts);
}

export function liveAnswer({ era }: McpCall, response: JSONRPCResponse): McpAnswer {
  const isUnknown = "error" in response && response.error.code === METHOD_NOT_FOUND;
  return { status: isUnknown && era === "stateless" ? 404 : 200, body: byteText(JSON.stringify(response)) };
}

type SdkServer = (request: McpRequest, facts: Facts) => Promise<JSONRPCResponse>;

const RESOURCE_NOT_FOUND = -32002;

async function createSdkServer(resources: readonly Resource[], identity: Identity): Promise<SdkServer> {
  const card = cardOf(identity);
  const meta = { ui: { resourceUri: card.uri } };
  const list = { tools: listedTools(identity.title).map((tool) => ({ ...tool, _meta: meta })) };
  const options = { capabilities: CAPABILITIES, instructions: instructions(identity) };
  const server = new Server(introduction(identity), options);
  const transport = new InProcessTransport();
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => onePage(params, list));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId }) => {
    const tool = Object.hasOwn(TOOLS, params.name) ? TOOLS[params.name] : undefined;
    if (!tool) throw rpcError(INVALID_PARAMS, `Unknown tool. Use one of: ${Object.keys(TOOLS).join(", ")}.`);
    return tool.call(transport.factsFor(requestId), params.arguments ?? {});
  });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    onePage(params, { resources: resources.map(({ text, ...resource }) => resource) }),
  );
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    if (isCard(uri)) {
      return { contents: [{ uri, mimeType: WIDGET_TYPE, text: card.text, _meta: { ui: { prefersBorder: true } } }] };
    }
    const resource = resources.find((candidate) => candidate.uri === uri);
    if (!resource) {
      const known = resources.map((candidate) => candidate.uri).join(", ");
      throw rpcError(RESOURCE_NOT_FOUND, `Resource not found. Use one of: ${known}.`, { uri });
    }
    return { contents: [{ uri, mimeType: resource.mimeType, text: resource.text }] };
  });
  // Some hosts consider a server broken if this list or the next is "method not found".
  server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }) =>
    onePage(params, { resourceTemplates: [] }),
  );
  server.fallbackRequestHandler = async ({ method, params }) => {
    if (method === "prompts/list") return onePage(params, { prompts: [] });
    throw rpcError(METHOD_NOT_FOUND, "Unknown method.");
  };
  await server.connect(transport);
  return (request, facts) => transport.ask(request, facts);
}

/** Every list has one page, so no cursor is valid. */
function onePage<T>(params: Record<string, unknown> | undefined, list: T): T {
  if (params?.cursor !== undefined) throw rpcError(INVALID_PARAMS, "Unknown cursor: every list has one page.");
  return list;
}

/** The SDK's McpError would prefix the message. */
function rpcError(code: number, message: string, data?: object): Error {
  return Object.assign(new Error(message), { code, data });
}

/** Passes requests to the server under ids of its own, so that clients' ids never collide. */
class InProcessTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  #lastId = 0;
  readonly #pending = new Map<unknown, { facts: Facts; resolve: (response: JSONRPCResponse) => void }>();

  async start(): Promise<void> {}
  async close(): Promise<void> {}

  /** The facts for a request, by the id that the server knows. */
  factsFor(id: unknown): Facts {
    const pending = this.#pending.get(id);
    if (!pending) throw new Error("a tool was called without a request");
    return pending.facts;
  }

  ask(request: McpRequest, facts: Facts): Promise<JSONRPCResponse> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, { facts, resolve: (response) => resolve({ ...response, id: request.id }) });
      this.onmessage?.({ ...request, id });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!("result" in message || "error" in message)) return;
    this.#pending.get(message.id)?.resolve(withPlainError(message));
    this.#pending.delete(message.id);
  }
}

const MISMATCH =
  "The parameters do not match this method. Where it has them, name, uri and cursor are strings, and arguments is an object.";

/** The SDK reports invalid parameters as internal errors, with a dump of its schema check. */
function withPlainError(message: JSONRPCResponse): JSONRPCResponse {
  if (!("error" in message) || message.error.code !== INTERNAL_ERROR) return message;
  return { ...message, error: { code: INVALID_PARAMS, message: MISMATCH } };
}

/** The supported methods besides tools/call; their results state for how long they may be cached. */
const CACHEABLE = new Set([
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** An hour, because these results change only with a restart. */
const CACHING = { ttlMs: 3_600_000, cacheScope: "public" };

/** Answers a request of the era of 2026-07-28, which the SDK's server does not support: the same results with that
 * era's additional fields, its `server/discover`, and its own error codes. */
async function answerStateless(
  server: (request: McpRequest) => Promise<JSONRPCResponse>,
  request: McpRequest,
  identity: Identity,
): Promise<JSONRPCResponse> {
  const { id, method } = request;
  if (method === "server/discover") {
    const discovery = { supportedVersions: VERSIONS, capabilities: CAPABILITIES, instructions: instructions(identity) };
    return complete({ jsonrpc: "2.0", id, result: discovery }, method, introduction(identity));
  }
  if (method !== "tools/call" && !CACHEABLE.has(method)) {
    const error = { code: METHOD_NOT_FOUND, message: `Unknown method in version ${STATELESS_VERSION}.` };
    return { jsonrpc: "2.0", id, error };
  }
  return complete(await server(request), method, serverInfo(identity));
}

function complete(response: JSONRPCResponse, method: string, info: object): JSONRPCResponse {
  if ("error" in response) {
    const { error } = response;
    return error.code === RESOURCE_NOT_FOUND ? { ...response, error: { ...error, code: INVALID_PARAMS } } : response;
  }
  const { _meta: meta, ...own } = response.result;
  const result = {
    ...own,
    resultType: "complete",
    ...(CACHEABLE.has(method) && CACHING),
    _meta: { ...meta, "io.modelcontextprotocol/serverInfo": info },
  };
  return { ...response, result };
}

const WIDGET_TYPE = "text/html;profile=mcp-app";

/** The card that a host with MCP Apps (SEP-1865, 2026-01-26) shows for a tool's result: a page that has no facts and makes no request;
 * the host sends it the result. `title`: the API's public name. */
export function cardOf({ title }: { title: string }) {
  const head = `<meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${xml(title)}</title>`;
  const text = `<!doctype html><html lang="en"><head>${head}</head><body><script>${CARD}</script></body></html>`;
  // Hosts cache a card by its address, so a changed card has another address.
  return { uri: `ui://vitrine/card-${sha256(text).slice(0, 16)}`, text };
}

/** True also for cards of earlier versions and of other replicas: hosts remember a tool for longer than a server runs. */
function isCard(uri: string): boolean {
  return /^ui:\/\/vitrine\/card-[0-9a-f]{16}$/.test(uri);
}
