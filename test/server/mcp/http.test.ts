// Who may ask /mcp, in what, and in what it is answered.
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

describe("of web pages,", () => {
  test.for([
    ["on this computer, those of this computer may ask", local, 200, "http://localhost:5173"],
    ["on this computer, those of 127.0.0.1 may ask", local, 200, "http://127.0.0.1:3000"],
    ["on this computer, those of [::1] may ask", local, 200, "http://[::1]:3000"],
    ["on this computer, others may not", local, 403, "https://evil.example"],
    ["on this computer, those that sound alike may not", local, 403, "http://localhost.evil.example"],
    ["on this computer, those without a name may not", local, 403, "null"],
    ["on this computer, what is no origin may not", local, 403, "localhost"],
    ["in public, all may ask", open, 200, "https://evil.example"],
    ["in public, those without a name may ask", open, 200, "null"],
    ["where the settings name some, those may ask", some, 200, "https://www.vendor.example"],
    ["where the settings name some, others may not", some, 403, "https://vendor.example"],
    ["where the settings name some, those of this computer may not", some, 403, "http://localhost:3000"],
  ] as const)("%s", async ([, { port }, status, origin]) => {
    // What Host says changes nothing.
    const reply = await post(port, PING, { ...JSON_TYPE, origin, host: "evil.example" });
    expect(reply).toMatchObject({ status, headers: { "access-control-allow-origin": "*" } });
    if (status === 200) expect(reply.json()).toEqual(PONG);
    else expect(reply.json()).toEqual({ jsonrpc: "2.0", error: { code: -32600, message: expect.any(String) } });
  });
});

describe("what a client accepts:", () => {
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
  ])("%j gets JSON", async (accept) => {
    const reply = await post(local.port, PING, { ...JSON_TYPE, ...(accept !== undefined && { accept }) });
    expect(reply).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
    expect(reply.json()).toEqual(PONG);
  });

  test("a stream of events alone gets one event", async () => {
    const reply = await post(local.port, PING, { ...JSON_TYPE, accept: "text/event-stream" });
    expect(reply).toMatchObject({
      status: 200,
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
    const [, message = ""] = /^event: message\ndata: (.*)\n\n$/.exec(reply.text) ?? [];
    expect(JSON.parse(message)).toEqual(PONG);
  });

  test.for(["text/html", "image/png, text/plain"])("%j gets 406", async (accept) => {
    const reply = await post(local.port, PING, { ...JSON_TYPE, accept });
    expect(reply).toMatchObject({ status: 406, headers: { "content-type": "application/json" } });
    expect(reply.json()).toMatchObject({ error: { code: -32600 } });
  });
});

test("/mcp/ is /mcp, and no redirect", async () => {
  const reply = await ask(local.port, "/mcp/", { method: "POST", headers: JSON_TYPE, body: PING });
  expect(reply.json()).toEqual(PONG);
});

test("a browser may send the headers that it asks for", async () => {
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
