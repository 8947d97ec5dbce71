// Batches, which the revision 2025-03-26 has and later ones have not.
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { call, JSON_TYPE, META, post, STATELESS } from "../../support/serving/mcp.ts";
import { ask, pollUntil, startServer } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

// Facts of 100 KB, which all clients share.
const snapshots = [plansSnapshot({ plans: 700 }), releaseSnapshot("macos")];
const server = await startServer({ snapshots, onFinished: afterAll });
const { port } = server;

const request = (id: unknown, method: string, params?: object) => ({ jsonrpc: "2.0", id, method, params });
const PING = request(1, "ping");
const PONG = { jsonrpc: "2.0", id: 1, result: {} };
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const CANCELLED = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };

const postBatch = (messages: unknown[], headers: Record<string, string> = {}) =>
  post(port, JSON.stringify(messages), { ...JSON_TYPE, ...headers });

test("the official transport sends a batch and gets each response", async () => {
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
  const received: JSONRPCMessage[] = [];
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => received.push(message) });
  await transport.start();
  onTestFinished(() => transport.close());
  await transport.send([PING, INITIALIZED, request(2, "tools/list")] as JSONRPCMessage[]);
  await pollUntil(
    async () => received,
    ({ length }) => length === 2,
  );
  expect(received).toMatchObject([PONG, { id: 2, result: { tools: [{}, {}] } }]);
});

test("each message is answered as it would be alone, in order; those that expect no answer get none", async () => {
  const methods: [method: string, params?: object][] = [
    ["tools/list"],
    ["tools/call", { name: "get_pricing" }],
    ["tools/call", { name: "get_latest_version", arguments: { platform: "windows" } }],
    ["resources/read", { uri: "product://nothing" }],
    ["nothing"],
  ];
  const requests = methods.map(([method, params]) => request(1, method, params));
  const reply = await postBatch([
    requests[0],
    CANCELLED,
    ...requests.slice(1),
    INITIALIZED,
    request(null, "ping"),
    7,
    [PING],
  ]);
  expect(reply).toMatchObject({
    status: 200,
    headers: { "content-type": "application/json", "content-length": String(Buffer.byteLength(reply.text)) },
  });
  const alone = await Promise.all(methods.map(([method, params]) => call(port, method, params)));
  const refused = { jsonrpc: "2.0", error: { code: -32600, message: expect.any(String) } };
  expect(reply.json()).toEqual([...alone, refused, refused, refused]);
});

test("a batch that expects no answer gets none", async () => {
  expect(await postBatch([INITIALIZED, CANCELLED])).toMatchObject({ status: 202, text: "" });
});

test("one event holds all responses", async () => {
  const reply = await postBatch([PING, PING], { accept: "text/event-stream" });
  const [, data = ""] = /^event: message\ndata: (.*)\n\n$/.exec(reply.text) ?? [];
  expect(JSON.parse(data)).toEqual([PONG, PONG]);
});

test("twenty messages are accepted, as h3 accepts them, and 21 are not", async () => {
  const pings = Array.from({ length: 20 }, (_, id) => request(id, "ping"));
  const pongs = pings.map(({ id }) => ({ ...PONG, id }));
  const body = JSON.stringify(pings);
  expect((await post(port, body)).json()).toEqual(pongs);
  const other = await ask(port, "/mcp/", { method: "POST", headers: JSON_TYPE, body });
  expect(other.json()).toEqual(pongs);
  const refused = await postBatch([...pings, PING]);
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.json()).toEqual({ jsonrpc: "2.0", error: { code: -32600, message: expect.stringContaining("20") } });
});

describe("the version in the header decides (server/features/mcp/respond.ts):", () => {
  test.for([
    [200, undefined, "2025-03-26"],
    [400, -32600, "2024-11-05"],
    [400, -32600, "2025-06-18"],
    [400, -32600, "2025-11-25"],
    [400, -32600, STATELESS],
    [400, -32022, "2099-01-01"],
  ] as const)("%d %s for %s", async ([status, code, version]) => {
    const reply = await postBatch([PING], { "mcp-protocol-version": version });
    expect(reply.status).toBe(status);
    if (code === undefined) expect(reply.json()).toEqual([PONG]);
    else expect(reply.json()).toMatchObject({ jsonrpc: "2.0", error: { code } });
  });

  test("a message of the era without batches is refused in its place", async () => {
    const stateless = request("new", "tools/list", { _meta: META });
    expect((await postBatch([stateless, PING])).json()).toMatchObject([{ id: "new", error: { code: -32020 } }, PONG]);
  });
});

test("no bug was reported", () => {
  expect(server.warnings).toEqual([]);
});

test("a batch gets about 4 MB at most: the messages after that are refused one by one", async () => {
  const large = await startServer({ snapshots: [plansSnapshot({ plans: 1_000 }), releaseSnapshot("macos")] });
  const pricing = Array.from({ length: 19 }, (_, index) => request(index, "tools/call", { name: "get_pricing" }));
  const { text } = await post(large.port, JSON.stringify([...pricing, INITIALIZED]), JSON_TYPE);
  const one = (await post(large.port, JSON.stringify([pricing[0]]), JSON_TYPE)).text.length;
  expect(text.length).toBeLessThan(4 * 1024 * 1024 + 2 * one);
  const responses = JSON.parse(text) as { id: number; result?: object; error?: object }[];
  expect(responses.map(({ id }) => id)).toEqual(pricing.map(({ id }) => id));
  const answered = responses.filter(({ result }) => result).length;
  expect(answered).toBe(Math.min(19, Math.floor((4 * 1024 * 1024) / one) + 1));
  expect(responses.at(-1)).toMatchObject({
    error: { code: -32600, message: expect.stringContaining("fewer messages") },
  });
});
