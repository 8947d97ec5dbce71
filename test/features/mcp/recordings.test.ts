// A recorded answer equals the SDK's own, in both eras and every state of the facts: the same message is answered by the
// server, and by the SDK's server over the same store.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { identityOf } from "../../../server/features/mcp/identity.ts";
import { parseMessage, METHOD_NOT_FOUND, type McpRequest } from "../../../server/features/mcp/json-rpc.ts";
import { eraOf, HANDSHAKE_VERSIONS } from "../../../server/features/mcp/protocol-version.ts";
import { resourcesOf } from "../../../server/features/mcp/resources.ts";
import { readTexts } from "../../../server/features/api-files/api-files.ts";
import { factsOf } from "../../../server/features/mcp/results.ts";
import { cardOf, createAnswerer } from "../../../server/features/mcp/sdk-server.ts";
import { Mirror } from "../../../server/mirror/mirror.ts";
import { serverSettings } from "../../../server/settings.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { isIn } from "../../support/program/feature.ts";
import { JSON_TYPE, META, post, statelessHeaders } from "../../support/serving/mcp.ts";
import { noRelease, startServer, type TestServer } from "../../support/serving/server.ts";
import { factsIn, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";
import { SEED } from "../../support/random.ts";

interface Asked {
  method: string;
  params: Record<string, unknown> | undefined;
  id: string | number;
  isStateless: boolean;
}

const messageOf = ({ method, params, id, isStateless }: Asked) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params: isStateless ? { ...params, _meta: META } : params });

async function answer({ port }: TestServer, asked: Asked): Promise<string> {
  const { status, text } = await post(port, messageOf(asked), asked.isStateless ? statelessHeaders(asked) : JSON_TYPE);
  return `${status} ${text}`;
}

/** The SDK's servers by the servers that they are compared with. */
const sdks = new WeakMap<TestServer, ReturnType<typeof createSdk>>();

function startSdk(server: TestServer): ReturnType<typeof createSdk> {
  const started = createSdk(server);
  sdks.set(server, started);
  return started;
}

/** Over a mirror of its own. */
async function createSdk(server: TestServer) {
  const api = serverSettings.api.parse({});
  const identity = identityOf(api, server.base);
  const mirror = new Mirror(factsIn(openStore(server.directory), { clock: server.clock }), { warn: () => {} });
  const sdk = await createAnswerer(
    resourcesOf(api, readTexts(api), { base: server.base, hasFeeds: isIn("history") }),
    identity,
  );
  return { mirror, sdk, facts: factsOf(mirror, identity) };
}

/** The SDK's answer, in an HTTP answer's status and text; undefined where the message is refused before it. */
async function answerOfSdk(server: TestServer, asked: Asked): Promise<string | undefined> {
  const message = parseMessage(Buffer.from(messageOf(asked)));
  if (message.kind !== "request") return undefined;
  const { request, meta } = message;
  const era = eraOf(request, meta, new Headers(asked.isStateless ? statelessHeaders(asked) : JSON_TYPE));
  if (typeof era === "object") return undefined;
  const { mirror, sdk, facts } = await (sdks.get(server) ?? startSdk(server));
  await mirror.refresh();
  const response = await sdk({ era, request: era === "stateless" ? request : supported(request) }, facts);
  const isUnknown = "error" in response && response.error.code === METHOD_NOT_FOUND && era === "stateless";
  return `${isUnknown ? 404 : 200} ${JSON.stringify(response)}`;
}

/** `initialize` with an unknown version counts as one with the newest. */
function supported(request: McpRequest): McpRequest {
  const version = request.params?.protocolVersion;
  if (request.method !== "initialize" || typeof version !== "string") return request;
  const isKnown = HANDSHAKE_VERSIONS.some((known) => known === version);
  return isKnown ? request : { ...request, params: { ...request.params, protocolVersion: HANDSHAKE_VERSIONS[0] } };
}

async function expectSame(server: TestServer, asked: Asked): Promise<void> {
  const expected = await answerOfSdk(server, asked);
  if (expected !== undefined) expect(await answer(server, asked), JSON.stringify(asked)).toBe(expected);
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
    [method, { cursor: "" }],
    [method, { other: 1 }],
  ]),
  ...["product://overview", "product://faq", "product://nothing", cardOf({ title: "Product information" }).uri].map(
    (uri): (typeof REQUESTS)[number] => ["resources/read", { uri }],
  ),
  ["tools/call", { name: "get_pricing" }],
  ["tools/call", { name: "get_pricing", arguments: {} }],
  ...[null, "windows", "", 7, true, ["windows"]].flatMap((given): typeof REQUESTS => [
    ["tools/call", { name: "get_pricing", arguments: given }],
    ["tools/call", { name: "get_latest_version", arguments: given }],
  ]),
  ["tools/call", { name: "get_pricing", arguments: { currency: "EUR" } }],
  ["tools/call", { name: "get_pricing", arguments: { platform: "windows" }, other: 1 }],
  ...[{ os: "windows" }, { platfrom: "x" }, { platform: "", mac: 1 }, { os: "" }].flatMap((given): typeof REQUESTS => [
    ["tools/call", { name: "get_pricing", arguments: given }],
    ["tools/call", { name: "get_latest_version", arguments: given }],
  ]),
  ["tools/call", { name: 'get_latest_version" arguments="windows' }],
  ["tools/call", { name: "get_latest_version", arguments: { platform: "windows", x: [1] } }],
  ["tools/call", { name: "get_latest_version", arguments: { __proto__: null, constructor: 1 } }],
  ["resources/read", { uri: "product://faq", other: 1 }],
  ["resources/read", {}],
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

describe("recorded or not, the bytes are the same (server/features/mcp/recordings.ts)", () => {
  test("for every request and every kind of id", async () => {
    const plans = { ...plansSnapshot(), names: { "plan-0": { title: 'Pro "plus"', buy: "https://acme.com/buy" } } };
    const server = await startServer({ snapshots: [plans, releaseSnapshot("macos"), noRelease("windows")] });
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
    const publish = async (snapshot: Snapshot) => {
      await server.publish(snapshot);
      await server.refresh();
    };
    const pricing = () => answer(server, asked("tools/call", { name: "get_pricing" })[0]!);
    await everySame();
    await publish(plansSnapshot({ revision: 1 }));
    await everySame();
    server.clock.pass(60_000);
    const { changedAt } = plansSnapshot();
    await publish({ ...plansSnapshot({ revision: 1, confirmedAt: server.clock.wall() }), changedAt });
    expect(await pricing()).toContain('"confirmedAt":"2026-03-01T12:01:00.000Z"');
    await everySame();
    await publish(plansSnapshot({ revision: 2, confirmedAt: server.clock.wall() }));
    await everySame();
    server.clock.pass(24 * 60 * 60_000);
    expect(await pricing()).toContain('"isError":true');
    await everySame();
    await publish(plansSnapshot({ revision: 3, confirmedAt: server.clock.wall() }));
    expect(await pricing()).toContain('"monthlyPrice":3,');
    await everySame();
    await publish(releaseSnapshot("windows", { confirmedAt: server.clock.wall() }));
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
      { numRuns: 500, seed: SEED },
    );
  });
});
