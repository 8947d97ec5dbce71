// MCP messages as bytes, for what the official client would not send.
import { expect } from "vitest";
import { ask, type Reply } from "./_server.ts";

export const JSON_TYPE = { "content-type": "application/json" };

/** Posts the body of a message, good or bad. */
export function post(
  port: number,
  body: string | Uint8Array,
  headers: Record<string, string> = JSON_TYPE,
): Promise<Reply> {
  return ask(port, "/mcp", { method: "POST", headers, body });
}

/** Sends a request with the id 1 and gives back what was answered, with status 200. */
export async function call(port: number, method: string, params?: unknown): Promise<unknown> {
  const reply = await post(port, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  expect(reply).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  return reply.json();
}
