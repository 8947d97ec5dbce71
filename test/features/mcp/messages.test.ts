// The MCP endpoint's answers to messages: codes, refusals, and ids, which are returned exactly and never invented.
import { afterAll, describe, expect, test } from "vitest";
import { call, JSON_TYPE, post } from "../../support/serving/mcp.ts";
import { ask, noRelease, startServer } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const snapshots = [plansSnapshot(), releaseSnapshot("macos"), noRelease("windows")];
const server = await startServer({ snapshots, onFinished: afterAll });

describe("impossible requests get the right code (server/features/mcp/respond.ts):", () => {
  test.for([
    ["an unknown method", "nothing/here", undefined, -32601],
    ["a method called __proto__", "__proto__", undefined, -32601],
    ["a method for logging", "logging/setLevel", { level: "debug" }, -32601],
    ["a notification sent as a request", "notifications/cancelled", { requestId: 1 }, -32601],
    ["an unknown tool", "tools/call", { name: "nothing" }, -32602],
    ["a tool called constructor", "tools/call", { name: "constructor" }, -32602],
    ["a tool without a name", "tools/call", {}, -32602],
    ["a tool call without parameters", "tools/call", undefined, -32602],
    ["a name that is a number", "tools/call", { name: 7 }, -32602],
    ["a URI that is a number", "resources/read", { uri: 7 }, -32602],
    ["a cursor that is a number", "tools/list", { cursor: 7 }, -32602],
    ["initialize without a version", "initialize", {}, -32602],
    ["arguments that are text", "tools/call", { name: "get_pricing", arguments: "windows" }, -32602],
    ["arguments that are an empty text", "tools/call", { name: "get_pricing", arguments: "" }, -32602],
    ["arguments in a list", "tools/call", { name: "get_pricing", arguments: [] }, -32602],
    ["arguments that are a number", "tools/call", { name: "get_latest_version", arguments: 7 }, -32602],
    ["arguments that are true", "tools/call", { name: "get_latest_version", arguments: true }, -32602],
  ] as const)("%s", async ([, method, params, code]) => {
    const answer = await call(server.port, method, params);
    expect(answer).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      error: { code, message: expect.stringMatching(/^[\w ,.:()-]+$/) },
    });
  });

  test.for(["product://nothing", "product://OVERVIEW", "file:///etc/passwd", "product://overview/..", ""])(
    "an unknown resource, with its URI: %j",
    async (uri) => {
      const message = expect.stringContaining("product://overview, product://faq");
      const error = { code: -32002, message, data: { uri } };
      expect(await call(server.port, "resources/read", { uri })).toEqual({ jsonrpc: "2.0", id: 1, error });
    },
  );
});

describe("invalid messages are refused, with their id if they have one:", () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const MAX = 64 * 1024;
  const long = (length: number) => ping.replace("{", `{"x":"${"x".repeat(length - ping.length - 7)}",`);

  const REFUSED: [
    what: string,
    status: number,
    code: number,
    body: string | Uint8Array,
    headers?: Record<string, string>,
  ][] = [
    ["another content type", 415, -32600, ping, { "content-type": "text/plain" }],
    ["a content type with the same beginning", 415, -32600, ping, { "content-type": "application/jsonp" }],
    ["a form", 415, -32600, "a=b", { "content-type": "application/x-www-form-urlencoded" }],
    ["no content type", 415, -32600, ping, {}],
    ["64 KiB and a byte", 413, -32600, long(MAX + 1)],
    ["64 KiB and a byte in chunks", 413, -32600, long(MAX + 1), { ...JSON_TYPE, "transfer-encoding": "chunked" }],
    ["an empty body", 400, -32700, ""],
    ["invalid JSON", 400, -32700, "{jsonrpc}"],
    ["half a message", 400, -32700, ping.slice(0, -1)],
    ["bad UTF-8", 400, -32700, Buffer.from(ping.replace("ping", "p\xff"), "latin1")],
    ["UTF-16", 400, -32700, Buffer.from(ping, "utf16le")],
    ["unclosed brackets", 400, -32700, "[".repeat(MAX)],
    ["an empty batch", 400, -32600, "[]"],
    ["a number", 400, -32600, "7"],
    ["null", 400, -32600, "null"],
    ["no version", 400, -32600, '{"id":1,"method":"ping"}'],
    ["another version", 400, -32600, '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ["neither a method nor a result", 400, -32600, '{"jsonrpc":"2.0","id":1}'],
    ["a method that is not a string", 400, -32600, '{"jsonrpc":"2.0","id":1,"method":7}'],
    ["parameters in a list", 400, -32600, '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}'],
    ["an id that is null", 400, -32600, '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ["an id that is an object", 400, -32600, '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ["an id that is true", 400, -32600, '{"jsonrpc":"2.0","id":true,"method":"ping"}'],
  ];

  test.for(REFUSED)("%s", async ([, status, code, body, headers = JSON_TYPE]) => {
    const reply = await post(server.port, body, headers);
    expect(reply).toMatchObject({
      status,
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    });
    const id = code === -32600 && /^\{.*"id":1[,}]/.test(String(body).slice(0, 99)) && status === 400 ? { id: 1 } : {};
    expect(reply.json()).toEqual({ jsonrpc: "2.0", ...id, error: { code, message: expect.stringMatching(/\w.*\.$/) } });
  });

  test("parameters that are null are accepted, as none", async () => {
    const reply = await post(server.port, ping.replace("}", ',"params":null}'), JSON_TYPE);
    expect([reply.status, reply.json()]).toEqual([200, { jsonrpc: "2.0", id: 1, result: {} }]);
  });

  test("64 KiB are accepted, in one piece and in chunks", async () => {
    expect((await post(server.port, long(MAX))).status).toBe(200);
    expect((await post(server.port, long(MAX), { ...JSON_TYPE, "transfer-encoding": "chunked" })).status).toBe(200);
  });

  test("the deepest possible nesting does no harm", async () => {
    const brackets = await post(server.port, "[".repeat(MAX / 2) + "]".repeat(MAX / 2));
    expect(brackets.json()).toMatchObject([{ error: { code: -32600 } }]);
    const deep = "[".repeat(30_000) + "]".repeat(30_000);
    const params = `{"name":"get_pricing","arguments":{"x":${deep}}}`;
    const reply = await post(server.port, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
    expect(reply.json()).toMatchObject({ id: 1, result: { structuredContent: {} } });
  });

  test.for(["GET", "HEAD", "PUT", "DELETE", "PATCH"])("%s, with the allowed methods", async (method) => {
    const reply = await ask(server.port, "/mcp", { method, headers: { accept: "text/event-stream" } });
    expect(reply).toMatchObject({ status: 405, headers: { allow: "POST, OPTIONS" } });
  });
});

describe("a message that expects no answer gets none:", () => {
  test.for([
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    '{"jsonrpc":"2.0","method":"anything","params":7}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
  ])("%s", async (body) => {
    expect(await post(server.port, body)).toMatchObject({ status: 202, text: "" });
  });
});

describe("the id", () => {
  const withId = (id: string, method: string) => post(server.port, `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`);

  test.for([
    "0",
    "-1",
    "1.5",
    "9007199254740991",
    '""',
    '"0"',
    '"null"',
    '"__proto__"',
    '"\u00e4\ud83d\ude00\\n\\"\\\\"',
    `"${"x".repeat(10_000)}"`,
  ])("is returned exactly as sent: %s", async (id) => {
    for (const method of ["ping", "nothing"]) {
      const reply = await withId(id, method);
      expect(reply.text).toContain(`"id":${id}`);
      expect(reply.json()).toMatchObject({ id: JSON.parse(id) });
    }
  });

  // 64-bit numbers as other languages write them; JavaScript rounds them.
  test.for(["9007199254740993", "18446744073709551615", "1e400"])(
    "is returned exactly or refused, never changed: %s",
    async (id) => {
      const { status, text } = await withId(id, "ping");
      if (status === 200) expect(text).toContain(`"id":${id}`);
      else expect(text).not.toContain('"id"');
    },
  );

  test("is returned with the right answer when a hundred concurrent callers use the same one", async () => {
    const platforms = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? "macos" : "windows"));
    const paramsFor = (platform: string) => ({ name: "get_latest_version", arguments: { platform } });
    const answers = await Promise.all(
      platforms.map((platform) => call(server.port, "tools/call", paramsFor(platform))),
    );
    answers.forEach((answer, index) => {
      const hasUpdate = platforms[index] === "macos";
      expect(answer).toMatchObject({ id: 1, result: { structuredContent: { hasUpdate } } });
    });
  });
});

test("no bug was reported", () => {
  expect(server.warnings).toEqual([]);
});
