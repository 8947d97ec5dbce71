// Messages to /mcp in the express lane: the same request bytes get the same answer bytes with and without it. Small or large, they are
// the same through every door, and compressed for nobody.
import { beforeAll, describe, expect, test } from "vitest";
import { isIn } from "../../support/program/feature.ts";
import { CLIENTS, requestOf } from "../../support/serving/client-requests.ts";
import { countNodeHttpRequests } from "../../support/serving/server-sockets.ts";
import { LAST_REQUEST, responsesTo, startBothLanes } from "../../support/serving/both-lanes.ts";
import { JSON_TYPE, post as postMessage, statelessHeaders, statelessMessage } from "../../support/serving/mcp.ts";
import { parseReplies } from "../../support/serving/raw-connection.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

// Plans of 100 KB, which stay chunks of bytes, and a release that becomes text.
const snapshots = [plansSnapshot({ plans: 700 }), releaseSnapshot("macos")];
const { withLane, without, expectSame } = await startBothLanes(snapshots);

type Lines = Record<string, string>;

/** A client's POST. `lines`: header lines beside its own. */
function post(body: string, lines: Lines = JSON_TYPE, client = "fetch of Node"): string {
  const bytes = Buffer.from(body);
  const more = Object.entries({ ...lines, "content-length": bytes.length }).map(([name, value]) => `${name}: ${value}`);
  return requestOf(client, "/mcp", ...more).replace("GET", "POST") + bytes.toString("latin1");
}

const message = (method: string, params?: unknown, id: unknown = 1) =>
  JSON.stringify({ method, params, jsonrpc: "2.0", id });
const PING = post(message("ping"));
const HELLO = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
const REQUESTS: [method: string, params?: Record<string, unknown>][] = [
  ["initialize", HELLO],
  ["initialize", { ...HELLO, protocolVersion: "1999-01-01" }],
  ["ping"],
  ["server/discover"],
  ["tools/list"],
  ["tools/list", { cursor: "1" }],
  ["tools/list", { cursor: "" }],
  ["tools/call", { name: "get_pricing" }],
  ["tools/call", { name: "get_pricing", arguments: {} }],
  ["tools/call", { name: "get_latest_version", arguments: { platform: "macos" } }],
  ["tools/call", { name: "get_latest_version", arguments: { platform: "windows" } }],
  ["tools/call", { name: "get_latest_version", arguments: { platform: "beos" } }],
  ["tools/call", { name: "nothing" }],
  ["resources/list"],
  ["resources/read", { uri: "product://overview" }],
  ["resources/read", { uri: "product://faq" }],
  ["resources/read", { uri: "product://nothing" }],
  ["resources/read", { uri: `product://${"nothing".repeat(300)}` }],
  ["prompts/list"],
  ["nothing"],
];

// Loads the SDK: until then, the lane has no recorded answers.
beforeAll(async () => {
  for (const { port } of [withLane, without]) await postMessage(port, message("ping"));
});

test.runIf(isIn("mcp")).for(CLIENTS)("no message of %s reaches node:http", async (client) => {
  const messages = [message("ping"), "{", message("tools/list")].map((body) => post(body, JSON_TYPE, client));
  const seen = await countNodeHttpRequests(withLane.port, () => expectSame(...messages));
  expect(seen, LAST_REQUEST).toBe(1);
});

test.runIf(isIn("mcp"))(
  "no tool call reaches node:http, in any order of its parameters, with any beside them",
  async () => {
    const [name, given] = ["get_latest_version", { platform: "macos" }];
    const messages = [
      { name, arguments: given },
      { arguments: given, name },
      { name, arguments: { ...given, unlisted: 1 }, other: "x".repeat(3_000) },
      { name: "get_pricing", arguments: given },
    ].map((params) => post(message("tools/call", params), JSON_TYPE));
    const seen = await countNodeHttpRequests(withLane.port, () => expectSame(...messages));
    expect(seen, LAST_REQUEST).toBe(1);
  },
);

describe.runIf(isIn("mcp"))(
  "the same bytes, with and without the lane, for (server/features/express-lane/express-lane.ts)",
  () => {
    test.for(REQUESTS)("%s %j", async ([method, params]) => {
      const older = ["2025-06-18", "2025-11-25", "1999-01-01"].map((version) =>
        post(message(method, params), { ...JSON_TYPE, "mcp-protocol-version": version }),
      );
      const newer = post(statelessMessage({ method, params }), statelessHeaders({ method, params }));
      const encoded = ["br", "gzip;q=0.5, br;q=0", "identity"].map((accepted) =>
        post(message(method, params), { ...JSON_TYPE, "accept-encoding": accepted }, "curl"),
      );
      await expectSame(post(message(method, params)), ...older, newer, newer, ...encoded);
      for (const plain of [encoded[2] ?? "", newer]) await expectSameByAnySpelling(plain);
    });

    /** The request listener does not take the first, and only h3 the second. Neither compresses. */
    async function expectSameByAnySpelling(plain: string): Promise<void> {
      const requests = [
        plain,
        plain.replace("\r\n", "\r\nTE: trailers\r\n"),
        plain.replace("/mcp ", "/mcp/ "),
        plain.replace(/accept-encoding: .*/, "accept-encoding: br, gzip"),
      ];
      const [usual, ...others] = await Promise.all(
        requests.map(async (request) => parseReplies(await responsesTo(without.port, [request, LAST_REQUEST]))),
      );
      for (const other of others) expect(other).toEqual(usual);
      expect(usual?.[0]?.headers).toMatchObject({ vary: "Accept, Accept-Encoding", "cache-control": "no-store" });
      expect(usual?.[0]?.headers).not.toHaveProperty("content-encoding");
    }

    const bodies = {
      "a notification": JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
      "an unrequested response": JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} }),
      "a batch": `[${message("ping")},${message("tools/list")}]`,
      "a batch of notifications": '[{"jsonrpc":"2.0","method":"notifications/initialized"}]',
      "a batch of nothing": "[]",
      "invalid JSON": "{",
      "JSON other than a message": "7",
      "a body that is not UTF-8": "\xff",
      "a body with a byte order mark": `\ufeff${message("ping")}`,
      "a string id": message("ping", undefined, "\u{1f600} \u2028"),
      "an empty id": message("tools/list", undefined, ""),
      "a long id of many characters": message("tools/list", undefined, "\u{1f600}ü\n".repeat(2_000)),
      "a null id": message("ping", undefined, null),
      "a body of spaces": " ".repeat(20),
      "a long body": message("ping", { long: "x".repeat(3_000) }),
      "a longer body": message("ping", { long: "x".repeat(5_000) }),
      "a deep body": message("ping", { deep: 0 }).replace("0", "[".repeat(900) + "]".repeat(900)),
    };
    test.for(Object.entries(bodies))("%s", ([, body]) => expectSame(post(body), PING));

    const lines: Record<string, Lines> = {
      "no content type": {},
      "another content type": { "content-type": "text/plain" },
      "a content type with a character set": { "content-type": "application/json; charset=utf-8" },
      "a client that accepts only events": { ...JSON_TYPE, accept: "text/event-stream" },
      "a client that accepts only images": { ...JSON_TYPE, accept: "image/png" },
      "a page of another site": { ...JSON_TYPE, origin: "https://elsewhere.example" },
      "a page without an origin": { ...JSON_TYPE, origin: "null" },
      "a session": { ...JSON_TYPE, "mcp-session-id": "1", "last-event-id": "2" },
      "a token": { ...JSON_TYPE, authorization: "Bearer secret" },
      "a client that accepts Brotli": { ...JSON_TYPE, "accept-encoding": "br" },
      "an encoded body": { ...JSON_TYPE, "content-encoding": "gzip" },
      "an expectation": { ...JSON_TYPE, expect: "100-continue" },
      "Connection: close": { ...JSON_TYPE, connection: "close" },
    };
    test.for(Object.entries(lines))("%s", ([, given]) =>
      expectSame(post(message("ping"), given, "a program that sends only what it must")),
    );

    const length = String(message("ping").length);
    const withLength = (text: string) => PING.replace(`content-length: ${length}`, text);
    const odd: Record<string, string[]> = {
      "a message in two pieces": [PING.slice(0, -9), PING.slice(-9)],
      "a head and then its body": [PING.slice(0, -Number(length)), PING.slice(-Number(length))],
      "two messages at once": [PING + PING],
      "a message and a GET at once": [PING + requestOf("curl", "/api/v1/plans")],
      "a GET and a message at once": [requestOf("curl", "/api/v1/plans") + PING],
      "GETs and messages in turn": [PING, requestOf("curl", "/api/v1/plans"), PING, requestOf("curl", "/api/v1")],
      "an empty line after a message": [`${PING}\r\n`, PING],
      "a length that is too short": [withLength("content-length: 9")],
      "a length with a zero before it": [withLength(`content-length: 0${length}`)],
      "a length with a sign": [withLength(`content-length: +${length}`)],
      "a length in hexadecimal": [withLength("content-length: 0x28")],
      "a length of zero": [withLength("content-length: 0")],
      "a length that is a list": [withLength(`content-length: ${length}, ${length}`)],
      "a length sent twice": [withLength(`content-length: ${length}\r\ncontent-length: ${length}`)],
      "no length": [withLength("x-length: none")],
      "chunks and a length": [withLength(`content-length: ${length}\r\ntransfer-encoding: chunked`)],
      "a refused message with a broken chunk behind its answer": [
        post("", {}).replace("content-length: 0", "transfer-encoding: chunked"),
        "zz\r\n",
      ],
      "another spelling of the address": [PING.replace("/mcp", "/mcp/"), PING.replace("/mcp", "/%6dcp")],
      "the address with a query": [PING.replace("/mcp", "/mcp?")],
      "another method": [PING.replace("POST", "PUT")],
      "a GET with a length": [PING.replace("POST", "GET")],
      "HTTP/1.0": [PING.replace("HTTP/1.1", "HTTP/1.0")],
    };
    test.for(Object.entries(odd))("%s", ([, pieces]) => expectSame(...pieces));
  },
);
