// Origins and media types at /mcp.
import { afterAll, describe, expect, test } from "vitest";
import { JSON_TYPE, post } from "../../support/serving/mcp.ts";
import { freePort } from "../../support/port.ts";
import { ask, startServer } from "../../support/serving/server.ts";

const PING = '{"jsonrpc":"2.0","id":"one","method":"ping"}';
const PONG = { jsonrpc: "2.0", id: "one", result: {} };

const local = await startServer({ onFinished: afterAll });
const api = { baseUrl: "https://api.vendor.example" };
const open = await startServer({ api, port: await freePort(), onFinished: afterAll });
const some = await startServer({
  api: { ...api, origins: ["https://www.vendor.example"] },
  port: await freePort(),
  onFinished: afterAll,
});

describe("web pages (server/features/mcp/http.ts):", () => {
  test.for([
    ["a local server allows localhost", local, 200, "http://localhost:5173"],
    ["a local server allows 127.0.0.1", local, 200, "http://127.0.0.1:3000"],
    ["a local server allows [::1]", local, 200, "http://[::1]:3000"],
    ["a local server refuses other origins", local, 403, "https://evil.example"],
    ["a local server refuses names that begin with localhost", local, 403, "http://localhost.evil.example"],
    ["a local server refuses the null origin", local, 403, "null"],
    ["a local server refuses an invalid origin", local, 403, "localhost"],
    ["a public server allows every origin", open, 200, "https://evil.example"],
    ["a public server allows the null origin", open, 200, "null"],
    ["a server with a list allows the listed origins", some, 200, "https://www.vendor.example"],
    ["a server with a list refuses other origins", some, 403, "https://vendor.example"],
    ["a server with a list refuses local origins", some, 403, "http://localhost:3000"],
  ] as const)("%s", async ([, { port }, status, origin]) => {
    // The Host header has no effect.
    const reply = await post(port, PING, { ...JSON_TYPE, origin, host: "evil.example" });
    expect(reply).toMatchObject({ status, headers: { "access-control-allow-origin": "*" } });
    if (status === 200) expect(reply.json()).toEqual(PONG);
    else expect(reply.json()).toEqual({ jsonrpc: "2.0", error: { code: -32600, message: expect.any(String) } });
  });
});

describe("Accept:", () => {
  test.for([
    undefined,
    "",
    "*/*",
    "application/json",
    "application/*",
    "application/json, text/event-stream",
    "text/event-stream, application/json;q=0.1",
    "text/html, */*;q=0.1",
    "APPLICATION/JSON",
    "application/json, */*;q=0",
  ])("%j gets JSON", async (accept) => {
    const reply = await post(local.port, PING, { ...JSON_TYPE, ...(accept !== undefined && { accept }) });
    expect(reply).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
    expect(reply.json()).toEqual(PONG);
  });

  test.for([
    "text/event-stream",
    "text/event-stream, application/json;q=0",
    "application/json; q=0.0, */*;q=0.5",
    "*/*;q=0, text/*",
  ])("%j gets one event, which proxies pass on at once", async (accept) => {
    const reply = await post(local.port, PING, { ...JSON_TYPE, accept });
    expect(reply).toMatchObject({
      status: 200,
      headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
    });
    const [, message = ""] = /^event: message\ndata: (.*)\n\n$/.exec(reply.text) ?? [];
    expect(JSON.parse(message)).toEqual(PONG);
  });

  test.for([
    "text/html",
    "image/png, text/plain",
    "application/json;q=0",
    "*/*;q=0",
    "application/*;q=0, text/*;Q=0.000, */*",
  ])("%j gets 406", async (accept) => {
    const reply = await post(local.port, PING, { ...JSON_TYPE, accept });
    expect(reply).toMatchObject({ status: 406, headers: { "content-type": "application/json" } });
    expect(reply.json()).toMatchObject({ error: { code: -32600 } });
  });
});

test("a preflight allows the requested headers", async () => {
  const headers = {
    origin: "https://inspector.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type, mcp-protocol-version, mcp-method, mcp-name",
  };
  const reply = await ask(local.port, "/mcp", { method: "OPTIONS", headers });
  expect(reply).toMatchObject({
    status: 204,
    headers: {
      "access-control-allow-headers": headers["access-control-request-headers"],
      "access-control-allow-methods": expect.stringContaining("POST"),
    },
  });
});
