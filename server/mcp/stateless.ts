// The era of 2026-07-28 on top of the SDK's server, which speaks the versions before it: the same results with what that
// era adds to them, its own greeting, `server/discover`, and its own codes and statuses of errors.
import { STATELESS_VERSION, VERSIONS } from "./protocol-version.ts";
import { INVALID_PARAMS, METHOD_NOT_FOUND, type McpRequest } from "./json-rpc.ts";
import { CAPABILITIES, INSTRUCTIONS, serverInfo } from "./identity.ts";
import { RESOURCE_NOT_FOUND, type McpResponse, type McpServer } from "./sdk-server.ts";

/** The methods that are answered, beside tools/call, and whose results say how long they may be kept. */
const CACHEABLE = new Set([
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** What does not change before the next restart may be kept for an hour, milliseconds. */
const CACHING = { ttlMs: 3_600_000, cacheScope: "public" };

/** Answers a request of the era. `name`: the API's public name. */
export async function askStateless(server: McpServer, request: McpRequest, name: string): Promise<McpResponse> {
  const { id, method } = request;
  if (method === "server/discover") return complete({ jsonrpc: "2.0", id, result: DISCOVERY }, method, name);
  if (method !== "tools/call" && !CACHEABLE.has(method)) {
    const error = { code: METHOD_NOT_FOUND, message: `Version ${STATELESS_VERSION} has no such method here.` };
    return { jsonrpc: "2.0", id, error };
  }
  return complete(await server(request), method, name);
}

const DISCOVERY = { supportedVersions: VERSIONS, capabilities: CAPABILITIES, instructions: INSTRUCTIONS };

function complete(response: McpResponse, method: string, name: string): McpResponse {
  if ("error" in response) {
    const { error } = response;
    return error.code === RESOURCE_NOT_FOUND ? { ...response, error: { ...error, code: INVALID_PARAMS } } : response;
  }
  const result = {
    ...response.result,
    resultType: "complete",
    ...(CACHEABLE.has(method) && CACHING),
    _meta: { "io.modelcontextprotocol/serverInfo": serverInfo(name) },
  };
  return { ...response, result };
}
