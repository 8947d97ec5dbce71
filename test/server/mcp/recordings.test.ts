// A recorded answer equals the SDK's own, in both eras and every state of the facts. A message over 2 KiB is never
// looked up in the recordings, so the same request with padding must get the same bytes.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JSON_TYPE, META, post, statelessHeaders } from "../../support/serving/mcp.ts";
import { noRelease, startServer, pollUntil, type TestServer } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

interface Asked {
  method: string;
  params: Record<string, unknown> | undefined;
  id: string | number;
  isStateless: boolean;
}

async function answer({ port }: TestServer, { method, params, id, isStateless }: Asked, padding = ""): Promise<string> {
  const sent = isStateless ? { ...params, _meta: META } : params;
  const message = { padding, jsonrpc: "2.0", id, method, params: sent };
  const headers = isStateless ? statelessHeaders({ method, params }) : JSON_TYPE;
  const { status, text } = await post(port, JSON.stringify(message), headers);
  return `${status} ${text}`;
}

async function expectSame(server: TestServer, asked: Asked): Promise<void> {
  expect(await answer(server, asked)).toBe(await answer(server, asked, "x".repeat(2_048)));
}

const CLIENT = { capabilities: {}, clientInfo: { name: "test", version: "1" } };
const PLATFORMS = ["macos", "windows", "", null, undefined, "beos", 7];
/** Every recorded request, in every form, and some that are not recorded. */
const REQUESTS: [method: string, params?: Record<string, unknown>][] = [
  ["ping"],
  ["ping", {}],
  ["server/discover"],
  ...["tools/list", "resources/list", "resources/templates/list", "prompts/list"].flatMap((method): typeof REQUESTS => [
    [method],
    [method, {}],
    [method, { cursor: "x" }],
    [method, { other: 1 }],
  ]),
  ...["product://overview", "product://faq", "product://nothing"].map((uri): (typeof REQUESTS)[number] => [
    "resources/read",
    { uri },
  ]),
  ["tools/call", { name: "get_pricing" }],
  ["tools/call", { name: "get_pricing", arguments: {} }],
  ["tools/call", { name: "get_pricing", arguments: null }],
  ["tools/call", { name: "get_pricing", arguments: { currency: "EUR" } }],
  ["tools/call", { arguments: {}, name: "get_latest_version" }],
  ["tools/call", { arguments: { platform: "windows" }, name: "get_latest_version" }],
  ["tools/call", { name: "get_latest_version" }],
  ...PLATFORMS.map((platform): (typeof REQUESTS)[number] => [
    "tools/call",
    { name: "get_latest_version", arguments: { platform } },
  ]),
  ["tools/call", { name: "nothing" }],
  ["tools/call", { name: "get_pricing", task: { ttl: 1 } }],
  ...["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2024-10-07", "2099-01-01"].map(
    (protocolVersion): (typeof REQUESTS)[number] => ["initialize", { protocolVersion, ...CLIENT }],
  ),
  ["initialize", { protocolVersion: "2025-06-18", ...CLIENT, capabilities: { roots: { listChanged: true } } }],
  ["initialize", { protocolVersion: "2025-06-18", ...CLIENT, capabilities: 7 }],
  ["initialize", { protocolVersion: "2025-06-18" }],
  ["nothing/here"],
];
const IDS = [1, 0, -7, 2.5, "one", "", 'quotes " and \\ and ü', "\u0000\ud83d\ude00"];
const asked = (method: string, params: Asked["params"], id: Asked["id"] = 1) =>
  [false, true].map((isStateless): Asked => ({ method, params, id, isStateless }));

describe("recorded or not, the bytes are the same", () => {
  test("for every request and every kind of id", async () => {
    const server = await startServer({ snapshots: [plansSnapshot(), releaseSnapshot("macos"), noRelease("windows")] });
    for (const [method, params] of REQUESTS) for (const each of asked(method, params)) await expectSame(server, each);
    for (const id of IDS) for (const each of asked("tools/list", undefined, id)) await expectSame(server, each);
    expect(server.warnings).toEqual([]);
  });

  test("while facts appear, change, become stale and are renewed", async () => {
    const server = await startServer({ snapshots: [] });
    const everySame = async () => {
      for (const [method, params] of REQUESTS.filter(([method]) => method === "tools/call")) {
        for (const each of asked(method, params)) await expectSame(server, each);
      }
    };
    const published = async (revision: number) => {
      const { wall } = server.clock;
      await server.publish(plansSnapshot({ revision, confirmedAt: wall() }));
      await pollUntil(
        () => answer(server, asked("tools/call", { name: "get_pricing" })[0]!),
        (text) => text.includes(`"monthlyPrice":${revision},`),
      );
    };
    await everySame();
    await published(1);
    await everySame();
    await published(2);
    await everySame();
    server.clock.pass(24 * 60 * 60_000);
    expect(await answer(server, asked("tools/call", { name: "get_pricing" })[0]!)).toContain('"isError":true');
    await everySame();
    await published(3);
    await everySame();
  });

  test("for random other requests", { timeout: 60_000 }, async () => {
    const server = await startServer();
    const params = fc.dictionary(
      fc.constantFrom(
        "name",
        "uri",
        "cursor",
        "arguments",
        "protocolVersion",
        "capabilities",
        "clientInfo",
        "task",
        "x",
      ),
      fc.oneof(
        fc.constantFrom<unknown>("get_pricing", "get_latest_version", "product://faq", "2025-06-18", {}, null),
        fc.constantFrom<unknown>({ platform: "windows" }, { platform: "macos", x: 1 }, { name: "a", version: "1" }),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    );
    const methods = fc.constantFrom(...new Set(REQUESTS.map(([method]) => method)));
    await fc.assert(
      fc.asyncProperty(methods, params, fc.boolean(), async (method, given, isStateless) => {
        // Headers hold only printable characters.
        const names = [given.name, given.uri].filter((name) => typeof name === "string");
        fc.pre(names.every((name) => /^[!-~]*$/.test(name)) && names.length < 2);
        await expectSame(server, { method, params: given, id: 1, isStateless });
      }),
      { numRuns: 500 },
    );
  });
});
