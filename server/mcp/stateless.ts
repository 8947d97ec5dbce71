// The era of 2026-07-28 on top of the SDK's server, which supports the earlier versions: the same results with that
// era's additional fields, its `server/discover`, and its own error codes.
import { STATELESS_VERSION, VERSIONS } from "./protocol-version.ts";
import { INVALID_PARAMS, METHOD_NOT_FOUND, type McpRequest } from "./json-rpc.ts";
import { CAPABILITIES, instructions, introduction, serverInfo, type Identity } from "./identity.ts";
import { RESOURCE_NOT_FOUND, type McpResponse, type McpServer } from "./sdk-server.ts";

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

/** Answers a request of that era. */
export async function answerStateless(
  server: McpServer,
  request: McpRequest,
  identity: Identity,
): Promise<McpResponse> {
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

function complete(response: McpResponse, method: string, info: object): McpResponse {
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
