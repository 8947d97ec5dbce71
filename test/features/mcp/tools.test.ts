// The MCP endpoint through the official client, and byte by byte.
import { createHash } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { FAQ, OVERVIEW, TEXTS_CHANGED } from "../../../server/features/mcp/resources.ts";
import { openAjv } from "../../support/serving/ajv.ts";
import { call } from "../../support/serving/mcp.ts";
import { noRelease, startServer } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const snapshots = [plansSnapshot({ plans: 2 }), releaseSnapshot("macos"), noRelease("windows")];
const server = await startServer({ snapshots, api: { name: "Notes API" }, onFinished: afterAll });
const callTool = (name: string, args?: unknown, { port } = server) =>
  call(port, "tools/call", { name, arguments: args });

describe("the official client (server/features/mcp/tools.ts)", () => {
  async function connected(): Promise<Client> {
    const client = new Client({ name: "test", version: "1.0.0" });
    onTestFinished(() => client.close());
    // The SDK's type does not allow for exactOptionalPropertyTypes.
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${server.port}/mcp`));
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    return client;
  }

  test("lists both tools, each marked as read-only", async () => {
    const { tools } = await (await connected()).listTools();
    expect(tools.map(({ name }) => name)).toEqual(["get_pricing", "get_latest_version"]);
    for (const { annotations, inputSchema, description, title } of tools) {
      expect(annotations).toEqual({
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(Object.keys(inputSchema).toSorted()).toEqual(["properties", "type"]);
      expect(description).toContain("Call it when");
    }
  });

  test.for([
    ["get_pricing", {}, "/api/v1/plans"],
    ["get_latest_version", {}, "/api/v1/releases/latest"],
    ["get_latest_version", { platform: "macos" }, "/api/v1/releases/latest?platform=macos"],
    ["get_latest_version", { platform: "windows" }, "/api/v1/releases/latest?platform=windows"],
  ] as const)("calls %s with %j and gets the REST answer, valid against its schema", async ([name, args, path]) => {
    const client = await connected();
    const { tools } = await client.listTools();
    const result = await client.callTool({ name, arguments: args });
    const rest = await server.get(path);
    expect(result.isError).toBeFalsy();
    const structured = Object(result.structuredContent) as Record<string, unknown>;
    const note = expect.stringMatching(/^Source: Notes API, /);
    expect(result.content).toEqual([
      { type: "text", text: JSON.stringify(structured) },
      { type: "text", text: note },
    ]);
    expect(Object.keys(structured)[0]).toBe("about");
    const { about, ...facts } = structured;
    const { _meta: dates } = result;
    expect(about).toEqual({ ...dates, note });
    expect(JSON.stringify(facts)).toBe(rest.text);
    const schema = tools.find((tool) => tool.name === name)?.outputSchema ?? false;
    const validate = openAjv().compile(schema);
    expect(validate(structured), JSON.stringify(validate.errors)).toBe(true);
    for (const wrong of [facts, { ...structured, extra: 1 }, { ...structured, about: { ...Object(about), note: 1 } }]) {
      expect(validate(wrong), JSON.stringify(wrong)).toBe(false);
    }
  });

  test("lists and reads both resources", async () => {
    const client = await connected();
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([
      { uri: "product://overview", name: "notes-api-overview", title: "Overview of Notes API" },
      { uri: "product://faq", name: "notes-api-faq", title: "Questions and answers about Notes API" },
    ]);
    for (const { description } of resources) expect(description).toContain("about Notes API");
    for (const { uri, mimeType, size, annotations } of resources) {
      expect(mimeType).toBe("text/markdown");
      expect(annotations).toEqual({ lastModified: TEXTS_CHANGED });
      const { contents } = await client.readResource({ uri });
      expect(contents).toEqual([{ uri, mimeType, text: expect.stringMatching(/^# .*Notes API/) }]);
      expect(JSON.stringify(contents)).not.toMatch(/\{\{|\}\}/);
      expect(size).toBe(Buffer.byteLength(Object(contents[0]).text));
    }
    expect(await client.listResourceTemplates()).toEqual({ resourceTemplates: [] });
  });

  test("is given the day of the last change of the texts", () => {
    const hash = createHash("sha256").update(OVERVIEW).update(FAQ).digest("hex").slice(0, 16);
    expect([TEXTS_CHANGED, hash], "set TEXTS_CHANGED to today, and the hash here").toEqual([
      "2026-11-27T00:00:00Z",
      "403147dce07b8a35",
    ]);
  });
});

describe("a tool that cannot answer", () => {
  test.for(["linux", "MACOS", " macos", 7, true, {}, ["macos"], "__proto__"])(
    "reports an unsupported platform and the supported ones: %j",
    async (platform) => {
      expect(await callTool("get_latest_version", { platform })).toEqual({
        jsonrpc: "2.0",
        id: 1,
        result: { isError: true, content: [{ type: "text", text: expect.stringMatching(/macos.*windows/) }] },
      });
    },
  );

  test.for([
    ["Linux", "linux"],
    ["ios", "ios"],
    ["<b>amiga</b>", "others"],
  ])("lets nobody conclude that there is no other app: %s", async ([platform, named]) => {
    const text = expect.stringContaining(
      `Notes API: only macOS and Windows are covered here; this says nothing about ${named}. Call again with {`,
    );
    expect(await callTool("get_latest_version", { platform })).toMatchObject({ result: { content: [{ text }] } });
  });
});

describe("a platform in another argument", () => {
  test.for([
    { os: "windows" },
    { OS: "Microsoft Windows 11" },
    { platfrom: "windows" },
    { Platform: "windows" },
    { platforms: ["windows"] },
    { platform_name: "win" },
    { target: " Windows " },
    { system: "win32" },
    { windows: true },
    { platform: "", os: "macOS" },
    { platform: null, device: "Mac OS X" },
    { os: "linux" },
  ])("gets no release, but the argument to use: %j", async (args) => {
    const text = expect.stringContaining('Call again with {"platform":"macos"} or {"platform":"windows"}.');
    expect(await callTool("get_latest_version", args)).toMatchObject({
      result: { isError: true, content: [{ type: "text", text }] },
    });
  });

  test.for([{ platform: "windows" }, { os: "linux" }, { platfrom: 7 }])(
    "is no argument of get_pricing, whose facts come with a hint: %j",
    async (args) => {
      const plain = (await callTool("get_pricing")) as { result: { content: object[] } };
      const hint = { type: "text", text: expect.stringContaining("get_pricing has no arguments") };
      const result = { ...plain.result, content: [...plain.result.content, hint] };
      expect(await callTool("get_pricing", args)).toEqual({ ...plain, result });
    },
  );

  test.for([
    { verbose: true, plan: "platinum", sessionId: "x" },
    { os: null, platfrom: "" },
    { chatInput: "Which is the newest version for windows?", action: "sendMessage" },
  ])("is not found where there is none: %j", async (args) => {
    for (const name of ["get_pricing", "get_latest_version"]) {
      expect(await callTool(name, args)).toEqual(await callTool(name));
    }
  });
});

describe("additional input from hosts is ignored:", () => {
  const windows = { result: { structuredContent: { hasUpdate: false } } };
  const macos = { result: { structuredContent: { latest: { platform: "macos" } } } };

  test.for([
    ["no platform", {}, macos],
    ["an empty platform", { platform: "" }, macos],
    ["a platform that is null", { platform: null }, macos],
    ["arguments that are null", null, macos],
    ["no arguments", undefined, macos],
    ["an unknown argument", { platform: "windows", verbose: true }, windows],
    ["an argument called __proto__", JSON.parse('{"platform":"windows","__proto__":{"platform":"macos"}}'), windows],
  ] as const)("%s", async ([, args, expected]) => {
    expect(await callTool("get_latest_version", args)).toMatchObject(expected);
  });

  test.for([
    ["null", null],
    ["a task", { name: "get_pricing", task: { ttl: 60_000 } }],
    ["an invalid task", { name: "get_pricing", task: "now" }],
    ["a progress token", { name: "get_pricing", _meta: { progressToken: 7 } }],
    ["an invalid progress token", { name: "get_pricing", _meta: { progressToken: {} } }],
    ["metadata that is null", { name: "get_pricing", _meta: null }],
    ["metadata that is a string", { name: "get_pricing", _meta: "x" }],
    ["a related task", { name: "get_pricing", _meta: { "io.modelcontextprotocol/related-task": { taskId: "x" } } }],
    ["an invalid related task", { name: "get_pricing", _meta: { "io.modelcontextprotocol/related-task": 7 } }],
    ["unknown fields", { name: "get_pricing", extra: { deep: [1] } }],
  ] as const)("parameters that are or have %s", { timeout: 5_000 }, async ([, params]) => {
    const method = params === null ? "tools/list" : "tools/call";
    expect(await call(server.port, method, params)).toMatchObject({ id: 1, result: {} });
  });
});

test("no bug was reported", () => {
  expect(server.warnings).toEqual([]);
});
