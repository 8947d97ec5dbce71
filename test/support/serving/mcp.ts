// MCP messages as bytes, including those that the official client would not send.
import { expect } from "vitest";
import { ask, type Reply } from "./server.ts";

export const JSON_TYPE = { "content-type": "application/json" };

/** Posts a message, valid or not. */
export function post(
  port: number,
  body: string | Uint8Array,
  headers: Record<string, string> = JSON_TYPE,
): Promise<Reply> {
  return ask(port, "/mcp", { method: "POST", headers, body });
}

/** Sends a request with the id 1, expects status 200 and returns the parsed answer. */
export async function call(port: number, method: string, params?: unknown): Promise<unknown> {
  const reply = await post(port, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  expect(reply).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  return reply.json();
}

export const STATELESS = "2026-07-28";
const KEY = "io.modelcontextprotocol";
/** The `_meta` of a 2026-07-28 request. */
export const META = {
  [`${KEY}/protocolVersion`]: STATELESS,
  [`${KEY}/clientCapabilities`]: {},
  [`${KEY}/clientInfo`]: { name: "test", version: "1" },
};

interface StatelessRequest {
  method: string;
  params?: Record<string, unknown> | undefined;
  id?: string | number;
}

/** The headers of a 2026-07-28 request. */
export function statelessHeaders({ method, params }: StatelessRequest): Record<string, string> {
  const name = params?.name ?? params?.uri;
  return {
    ...JSON_TYPE,
    "mcp-protocol-version": STATELESS,
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": name }),
  };
}

/** The body of a 2026-07-28 request. */
export function statelessMessage({ method, params, id = 1 }: StatelessRequest): string {
  return JSON.stringify({ method, params: { ...params, _meta: META }, jsonrpc: "2.0", id });
}

/** Sends a 2026-07-28 request as its clients do. */
export function callStateless(port: number, method: string, params?: Record<string, unknown>): Promise<Reply> {
  return post(port, statelessMessage({ method, params }), statelessHeaders({ method, params }));
}
