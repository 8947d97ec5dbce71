// Both eras of MCP at one address: versions, headers and codes, row by row.
import { afterAll, describe, expect, test } from "vitest";
import {
  call,
  callStateless,
  JSON_TYPE,
  META,
  post,
  STATELESS,
  statelessHeaders,
  statelessMessage,
} from "../../support/serving/mcp.ts";
import { allSnapshots, startServer } from "../../support/serving/server.ts";

const [plans, macos] = allSnapshots();
const server = await startServer({ snapshots: [plans!, macos!], onFinished: afterAll });
const { port } = server;
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const ALL_VERSIONS = [STATELESS, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

describe("until 2025-11-25 a client sends initialize (server/features/mcp/protocol-version.ts)", () => {
  const greet = (protocolVersion: string) =>
    call(port, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } });

  test.for([
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2024-10-07", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
    ["1.0", "2025-11-25"],
    ["", "2025-11-25"],
  ] as const)("and %j is answered with %s", async ([asked, answered]) => {
    expect(await greet(asked)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        protocolVersion: answered,
        capabilities: { tools: {}, resources: {} },
        serverInfo: {
          name: "product-information",
          title: "Product information",
          version: expect.any(String),
          websiteUrl: `${server.base}/`,
        },
        instructions: expect.stringContaining("never instructions"),
      },
    });
  });

  test.for([
    [200, "no version", {}],
    [200, "2025-03-26", { "mcp-protocol-version": "2025-03-26" }],
    [200, "2025-11-25, with headers of the other era", { "mcp-protocol-version": "2025-11-25", "mcp-method": "other" }],
    [400, "a future version", { "mcp-protocol-version": "2099-01-01" }],
    [400, "an invalid version", { "mcp-protocol-version": "newest" }],
    [400, "an empty header", { "mcp-protocol-version": "" }],
  ] as const)("and its version header is checked: %d for %s", async ([status, , headers]) => {
    const reply = await post(port, '{"jsonrpc":"2.0","id":7,"method":"ping"}', { ...JSON_TYPE, ...headers });
    expect(reply.status).toBe(status);
    if (status === 200) return;
    expect(reply.json()).toMatchObject({ id: 7, error: { code: -32022, data: { supported: ALL_VERSIONS } } });
  });

  test.for([
    [202, "2025-06-18"],
    [202, STATELESS],
    [400, "2099-01-01"],
    [400, "newest"],
  ] as const)("and so is that of notifications and responses: %d for %s", async ([status, version]) => {
    const headers = { ...JSON_TYPE, "mcp-protocol-version": version };
    for (const rest of ['"method":"notifications/initialized"', '"id":1,"result":{}']) {
      const reply = await post(port, `{"jsonrpc":"2.0",${rest}}`, headers);
      expect(reply.status).toBe(status);
      if (status === 202) expect(reply.text).toBe("");
      else {
        const error = {
          code: -32022,
          message: expect.any(String),
          data: { supported: ALL_VERSIONS, requested: version },
        };
        expect(reply.json()).toEqual({ jsonrpc: "2.0", error });
      }
    }
  });

  test("and the header of initialize is ignored", async () => {
    const greeting = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: greeting });
    expect((await post(port, message, { ...JSON_TYPE, "mcp-protocol-version": "newest" })).status).toBe(200);
  });

  test("and gets empty lists of prompts and templates", async () => {
    expect(await call(port, "prompts/list")).toEqual({ jsonrpc: "2.0", id: 1, result: { prompts: [] } });
    expect(await call(port, "resources/templates/list")).toMatchObject({ result: { resourceTemplates: [] } });
  });

  test.for(["tools/list", "resources/list", "resources/templates/list", "prompts/list"])(
    "and %s has one page",
    async (method) => {
      expect(await call(port, method, { cursor: "next" })).toMatchObject({ error: { code: -32602 } });
      // Some hosts send an empty text for what they leave out.
      for (const cursor of [null, ""]) expect(await call(port, method, { cursor })).toEqual(await call(port, method));
    },
  );
});

describe("from 2026-07-28 each request is independent:", () => {
  const identity = {
    "io.modelcontextprotocol/serverInfo": expect.objectContaining({ title: "Product information" }),
  };
  const complete = { resultType: "complete", _meta: identity };
  const cacheable = { ...complete, ttlMs: expect.any(Number), cacheScope: "public" };

  test("server/discover lists the supported versions", async () => {
    const reply = await callStateless(port, "server/discover");
    expect(reply.json()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        ...cacheable,
        supportedVersions: ALL_VERSIONS,
        capabilities: { tools: {}, resources: {} },
        instructions: expect.stringContaining("never instructions"),
      },
    });
  });

  test.for([
    ["tools/list", {}],
    ["resources/list", {}],
    ["resources/read", { uri: "product://faq" }],
  ] as const)("%s %j has the result of the older era, and its lifetime", async ([method, params]) => {
    const reply = await callStateless(port, method, params);
    const older = (await call(port, method, params)) as { result: object };
    expect(reply).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
    expect(reply.json()).toEqual({ jsonrpc: "2.0", id: 1, result: { ...older.result, ...cacheable } });
  });

  test.for([
    ["get_pricing", undefined],
    ["get_latest_version", { platform: "windows" }],
    ["get_latest_version", { platform: "beos" }],
  ])("%s with %j has the result of the older era", async ([name, given]) => {
    const params = { name, ...(given && { arguments: given }) } as Record<string, unknown>;
    const older = (await call(port, "tools/call", params)) as { result: { _meta?: object } };
    const reply = await callStateless(port, "tools/call", params);
    const { _meta: meta, ...own } = older.result;
    const result = { ...own, ...complete, _meta: { ...meta, ...identity } };
    expect(reply.json()).toEqual({ jsonrpc: "2.0", id: 1, result });
  });

  test.for([
    "ping",
    "initialize",
    "prompts/list",
    "logging/setLevel",
    "resources/subscribe",
    "subscriptions/listen",
    "x",
  ])("%s is unknown: 404", async (method) => {
    const reply = await callStateless(port, method);
    expect(reply.status).toBe(404);
    expect(reply.json()).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  test.for([
    ["an unknown tool", "tools/call", { name: "nothing" }, undefined],
    ["a tool without a name", "tools/call", {}, undefined],
    ["an unknown resource", "resources/read", { uri: "product://nothing" }, { uri: "product://nothing" }],
    ["another page", "tools/list", { cursor: "next" }, undefined],
  ] as const)("%s is -32602", async ([, method, params, data]) => {
    const reply = await callStateless(port, method, params);
    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({ id: 1, error: { code: -32602, ...(data && { data }) } });
  });

  const request = { method: "tools/call", params: { name: "get_pricing" }, id: "seven" };
  const HEADERS: [
    status: number,
    code: number | undefined,
    what: string,
    headers: Record<string, string | undefined>,
  ][] = [
    [200, undefined, "all that it wants", {}],
    [200, undefined, "a name in base64", { "mcp-name": "=?base64?Z2V0X3ByaWNpbmc=?=" }],
    [200, undefined, "spaces around a name", { "mcp-name": "  get_pricing  " }],
    [400, -32020, "no version", { "mcp-protocol-version": undefined }],
    [400, -32020, "an older version", { "mcp-protocol-version": "2025-06-18" }],
    [400, -32020, "no method", { "mcp-method": undefined }],
    [400, -32020, "another method", { "mcp-method": "tools/list" }],
    [400, -32020, "the method in capitals", { "mcp-method": "TOOLS/CALL" }],
    [400, -32020, "no name", { "mcp-name": undefined }],
    [400, -32020, "another name", { "mcp-name": "get_latest_version" }],
    [400, -32020, "another name in base64", { "mcp-name": "=?base64?Z2V0?=" }],
    [400, -32020, "bad base64", { "mcp-name": "=?base64?Z2V0X3ByaWNpbmc?=" }],
  ];
  test.for(HEADERS)("%d %s: headers with %s", async ([status, code, , changed]) => {
    const all: Record<string, string | undefined> = { ...statelessHeaders(request), ...changed };
    const headers = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]));
    const reply = await post(port, statelessMessage(request), headers);
    expect(reply.status).toBe(status);
    expect(reply.json()).toMatchObject(code ? { id: "seven", error: { code } } : { id: "seven", result: {} });
  });

  const METAS: [status: number, code: number | undefined, what: string, meta: unknown, version?: string][] = [
    [200, undefined, "no name of the client", { [VERSION_KEY]: STATELESS, [CAPABILITIES_KEY]: {} }],
    [200, undefined, "more than it must", { ...META, progressToken: 1, traceparent: "00-0-0-00" }],
    [400, -32602, "nothing", undefined],
    [400, -32602, "null", null],
    [400, -32602, "no version", { [CAPABILITIES_KEY]: {} }],
    [400, -32602, "a version that is a number", { ...META, [VERSION_KEY]: 7 }],
    [400, -32602, "no capabilities", { [VERSION_KEY]: STATELESS }],
    [400, -32602, "capabilities that are a number", { ...META, [CAPABILITIES_KEY]: 7 }],
    [400, -32020, "another version than the header", { ...META, [VERSION_KEY]: "2099-01-01" }],
    [400, -32022, "a future version", { ...META, [VERSION_KEY]: "2099-01-01" }, "2099-01-01"],
    [400, -32022, "a version of the older era", { ...META, [VERSION_KEY]: "2025-06-18" }, "2025-06-18"],
  ];
  test.for(METAS)("%d %s: _meta with %s", async ([status, code, , meta, version = STATELESS]) => {
    const message = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "tools/list", params: { _meta: meta } });
    const headers = { ...statelessHeaders({ method: "tools/list" }), "mcp-protocol-version": version };
    const reply = await post(port, message, headers);
    expect(reply.status).toBe(status);
    expect(reply.json()).toMatchObject(code ? { id: 0, error: { code } } : { id: 0, result: {} });
    if (code !== -32022) return;
    expect(reply.json()).toMatchObject({ error: { data: { supported: ALL_VERSIONS, requested: version } } });
  });

  test("initialize with its header is a contradiction", async () => {
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    const reply = await post(port, message, statelessHeaders({ method: "initialize" }));
    expect(reply).toMatchObject({ status: 400 });
    expect(reply.json()).toMatchObject({ error: { code: -32020 } });
  });

  test("a notification needs no header", async () => {
    const message = JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: { _meta: META } });
    expect(await post(port, message)).toMatchObject({ status: 202, text: "" });
  });
});
