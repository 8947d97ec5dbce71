// Hostile bytes against the running program: a JSON error or a closed connection, and the next request is answered.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, type TestContext } from "vitest";
import { startProgram, type Program } from "./_program.ts";
import { converse, dial, replies } from "./_raw.ts";
import { ask, until } from "./_server.ts";

const directory = await mkdtemp(join(tmpdir(), "vitrine-"));
afterAll(() => rm(directory, { recursive: true }));
const program = await startProgram(["serve"], { directory, whenOver: afterAll });

/** A program of the test's own. */
const ownProgram = ({ onTestFinished: whenOver }: TestContext) => startProgram(["serve"], { directory, whenOver });

const isAnswered = async ({ get }: Program) => expect((await get("/healthz")).text).toBe('{"status":"ok"}');

/** Nothing of a request may come back, and nothing of our insides. */
const GIVEAWAYS = /marker|\bat .+:\d+|node:|TypeError/;

const lines = (...all: string[]) => [...all, "X-Marker: marker", "Connection: close", "", ""].join("\r\n");
const get = (target: string, ...headers: string[]) => lines(`GET ${target} HTTP/1.1`, "Host: marker", ...headers);
const post = (body: string, ...headers: string[]) =>
  lines("POST /mcp HTTP/1.1", "Host: marker", "Content-Type: application/json", ...headers) + body;
const chunked = (body: string) => post(body, "Transfer-Encoding: chunked");

const REFUSED: [status: number, what: string, bytes: string][] = [
  [400, "a target and a host that are no URL together", "GET /{ HTTP/1.1\r\nHost: a:99999\r\n\r\n"],
  [400, "no Host", lines("GET /marker HTTP/1.1")],
  [400, "two Hosts", get("/healthz", "Host: marker")],
  [400, "an empty Host", lines("GET /healthz HTTP/1.1", "Host:")],
  [400, "a Host with a user name", lines("GET /healthz HTTP/1.1", "Host: marker@a")],
  [400, "a Host with a path", lines("GET /healthz HTTP/1.1", "Host: a/marker")],
  [400, "a Host with a space", lines("GET /healthz HTTP/1.1", "Host: a marker")],
  [400, "a Host with a port that is none", lines("GET /healthz HTTP/1.1", "Host: marker:x")],
  [400, "a Host that is a list", lines("GET /healthz HTTP/1.1", "Host: a:1:2")],
  [400, "garbage", "\x00\x01\xff marker\r\n\r\n"],
  [400, "a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03marker\r\n\r\n"],
  [400, "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  [400, "HTTP/2.0", lines("GET /healthz HTTP/2.0", "Host: a")],
  [400, "HTTP/0.9", lines("GET /healthz HTTP/0.9", "Host: a")],
  [400, "no version", "GET /marker\r\n\r\n"],
  [400, "an unknown method", lines("MARKER /healthz HTTP/1.1", "Host: a")],
  [400, "a target that is no path", get("marker")],
  [400, "a target of a scheme we do not speak", get("ftp://marker/healthz")],
  [400, "the target *", get("*")],
  [400, "OPTIONS *", lines("OPTIONS * HTTP/1.1", "Host: a")],
  [400, "a path that is not percent-encoded right", get("/marker%zz")],
  [400, "bytes that are not ASCII in the target", get("/marker\xff\xfe")],
  [400, "bytes that are not ASCII in the query", get("/api/v1/releases/latest?platform=marker\xff")],
  [400, "a NUL in the target", get("/marker\0")],
  [400, "a NUL in a header", get("/healthz", "X-Other: marker\0")],
  [400, "lines without carriage returns", get("/healthz").replaceAll("\r\n", "\n")],
  [400, "a folded header", get("/healthz", "X-Other: a", " marker")],
  [400, "a space before a header's colon", get("/healthz", "X-Other : marker")],
  [400, "two Content-Lengths", post("{}", "Content-Length: 2", "Content-Length: 2")],
  [400, "a list of Content-Lengths", post("{}", "Content-Length: 2, 2")],
  [400, "a negative Content-Length", post("{}", "Content-Length: -2")],
  [400, "a length and chunks", post("2\r\n{}\r\n0\r\n\r\n", "Content-Length: 2", "Transfer-Encoding: chunked")],
  [400, "a transfer coding that is none", post("{}", "Transfer-Encoding: marker")],
  [400, "a chunk of bad length", chunked("marker\r\n{}\r\n0\r\n\r\n")],
  [400, "a chunk that is longer than it says", chunked("2\r\n{}marker\r\n0\r\n\r\n")],
  [405, "CONNECT", lines("CONNECT marker:443 HTTP/1.1", "Host: marker:443")],
  [405, "TRACE", lines("TRACE /healthz HTTP/1.1", "Host: marker")],
  [413, "20 KB beside a chunk's length", chunked(`2;${"marker".repeat(3_500)}\r\n{}\r\n0\r\n\r\n`)],
  [414, "a target of 2 KiB and a bit", get(`/${"marker".repeat(342)}`)],
  [417, "an expectation that nobody knows", get("/healthz", "Expect: marker")],
  [431, "a header of 20 KB", get("/healthz", `X-Other: ${"marker".repeat(3_500)}`)],
  [431, "3,000 headers", get("/healthz", ...Array.from({ length: 3_000 }, (_, index) => `X-${index}: marker`))],
];

describe("is refused, and the next request answered:", () => {
  test.for(REFUSED)("%d %s", async ([status, , bytes]) => {
    const received = await converse(program.port, bytes);
    const [reply, ...more] = replies(received);
    expect(reply?.status).toBe(status);
    expect(more).toEqual([]);
    expect(JSON.parse(reply?.body ?? "")).toEqual({ error: expect.stringMatching(/\w.*\.$/) });
    expect(reply?.headers).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
      ...(status === 405 && { allow: expect.any(String) }),
    });
    expect(received).not.toMatch(GIVEAWAYS);
    await isAnswered(program);
  });
});

const ACCEPTED: [what: string, bytes: string, status?: number][] = [
  ["HTTP/1.0 without Host", lines("GET /healthz HTTP/1.0")],
  ["empty lines before the request", `\r\n\r\n${get("/healthz")}`],
  ["the absolute form", get("http://marker.example/healthz")],
  ["the absolute form in capitals and with a port", get("HTTP://MARKER:81/healthz")],
  ["a path with dots", get("/marker/../healthz")],
  ["a path with encoded dots", get("/marker/%2e%2e/healthz")],
  ["an encoded letter", get("/he%61lthz")],
  ["two slashes, which are no host", get("//marker/healthz"), 404],
  ["a path that a URL would change", get("/{marker}|^`"), 404],
  ["a Host that looks like an address", lines("GET /{ HTTP/1.1", "Host: 1.2.3.999"), 404],
  ["a Host that looks like an address of version 6", lines("GET /{ HTTP/1.1", "Host: [:::]"), 404],
  ["a Host that is bad Punycode", lines("GET /a/../{ HTTP/1.1", "Host: xn--a"), 404],
  ["a GET with a body", `${get("/healthz", "Content-Length: 6")}marker`],
  [
    "an upgrade to web sockets",
    get("/healthz", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
  ],
  [
    "an upgrade to HTTP/2",
    get("/healthz", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMA"),
  ],
];

describe("is answered as if there were nothing about it:", () => {
  test.for(ACCEPTED)("%s", async ([, bytes, status = 200]) => {
    const received = await converse(program.port, bytes);
    expect(replies(received)).toMatchObject([{ status }]);
    expect(received).not.toMatch(GIVEAWAYS);
    await isAnswered(program);
  });
});

test("a client that asks whether to go on with its body is told to, and answered", async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const connection = dial(program.port);
  connection.send(post("", "Expect: 100-continue", `Content-Length: ${body.length}`));
  await connection.untilReceived("100 Continue");
  connection.send(body);
  expect(replies(await connection.untilEnded())).toMatchObject([{ status: 100 }, { status: 200 }]);
});

test("requests that are sent all at once are answered in their order", async () => {
  const keep = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const bytes = keep("/api/v1") + keep("/nothing") + keep("/api/v1/releases/latest?platform=x") + get("/healthz");
  expect(replies(await converse(program.port, bytes)).map(({ status }) => status)).toEqual([200, 404, 400, 200]);
});

const KEPT = "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n";
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

test("what cannot be read is refused after the answers to what could", async () => {
  const ping = post(PING, `Content-Length: ${PING.length}`).replace("Connection: close\r\n", "");
  const bad = chunked("marker\r\n");
  for (const end of ["marker\r\n\r\n", bad, `${bad}marker`]) {
    const statuses = replies(await converse(program.port, KEPT + ping + KEPT + end)).map(({ status }) => status);
    expect(statuses).toEqual([404, 200, 404, 400]);
  }
});

test("a request that cannot be read to its end, and is answered all the same, is answered once", async () => {
  const bad = chunked("marker\r\n").replace("application/json", "text/plain");
  const ping = post(PING, `Content-Length: ${PING.length}`).replace("Connection: close\r\n", "");
  const statuses = replies(await converse(program.port, ping + bad)).map(({ status }) => status);
  expect(statuses).toEqual([200, 415]);
});

describe("after the last request of a connection nothing is answered:", () => {
  const LAST = {
    "one that said so": [200, get("/healthz")],
    "one whose answer takes longer": [200, post(PING, `Content-Length: ${PING.length}`)],
    "one that was refused": [400, KEPT.replace("\r\n", "\r\nHost: a\r\n")],
  } as const;
  for (const [what, [status, last]] of Object.entries(LAST)) {
    test.for([get("/healthz"), "marker\r\n\r\n", "\r\n\0"])(`${what}, and %j`, async (more) => {
      expect(replies(await converse(program.port, last + more))).toMatchObject([{ status }]);
    });
  }
});

test("what follows a request that was not understood is not taken for a request", async () => {
  const bytes = `POST /mcp HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 0\r\n\r\n${get("/healthz")}`;
  expect(replies(await converse(program.port, bytes))).toMatchObject([{ status: 400 }]);
});

test.for([
  ["another request", get("/healthz")],
  ["garbage", "marker\r\n\r\n"],
] as const)(
  "after an upgrade that was asked for in vain nothing follows, and the client knows it: %s",
  async ([, more]) => {
    const upgrade = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
    const heard = replies(await converse(program.port, upgrade + more));
    expect(heard).toMatchObject([{ status: 200, headers: { connection: "close" } }]);
  },
);

test("a client that leaves in the middle of its request disturbs nobody", async () => {
  for (const leave of ["reset", "close"] as const) {
    const connection = dial(program.port);
    connection.send(post('{"jsonrpc"', "Expect: 100-continue", "Content-Length: 100"));
    await connection.untilReceived("100 Continue");
    connection[leave]();
  }
  await isAnswered(program);
});

describe("a client that takes its time is let go:", { concurrent: true, timeout: 15_000 }, () => {
  const SLOW: [what: string, seconds: number, status: number, first: string, drops?: string][] = [
    ["with its headers", 12, 408, "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ", "x"],
    ["with its body", 17, 408, post("", "Content-Length: 9999"), "x"],
    ["after saying nothing", 12, 408, ""],
    ["after an answer", 12, 200, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"],
  ];

  for (const [what, seconds, status, first, drops] of SLOW) {
    test(`${what}, within ${seconds} s`, { timeout: seconds * 1_000 }, async ({ onTestFinished }) => {
      const connection = dial(program.port, onTestFinished);
      connection.send(first);
      if (drops !== undefined) connection.drip(drops, 500);
      expect(replies(await connection.untilEnded())).toMatchObject([{ status }]);
    });
  }
});

const CONNECT = "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n";

// Where the system shows how many sockets a process holds.
describe.skipIf(process.platform !== "linux")(
  "a client that never closes its side is dropped",
  { concurrent: true, timeout: 20_000 },
  () => {
    test.for([
      ["after an answer", get("/healthz")],
      ["after a refusal", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
      ["after garbage", "garbage\r\n\r\n"],
      ["after CONNECT", CONNECT],
      ["after having taken its time", "GET /healthz HTTP/1.1\r\n"],
    ] as const)("%s", async ([, bytes], context) => {
      const own = await ownProgram(context);
      await isAnswered(own);
      const openFiles = async () => (await readdir(`/proc/${own.pid}/fd`)).length;
      const before = await openFiles();
      const connections = Array.from({ length: 20 }, () => dial(own.port, context.onTestFinished));
      for (const connection of connections) connection.send(bytes);
      await Promise.all(connections.map((connection) => connection.untilEnded()));
      await until(openFiles, (count) => count <= before);
    });
  },
);

describe("the program outlives", { concurrent: true, timeout: 15_000 }, () => {
  test("clients that reset their connection at once, whatever they asked", async (context) => {
    const own = await ownProgram(context);
    for (const bytes of [...REFUSED.map(([, , bytes]) => bytes), ...ACCEPTED.map(([, bytes]) => bytes)]) {
      const connection = dial(own.port, context.onTestFinished);
      await connection.connected();
      connection.send(bytes);
      connection.reset();
    }
    await isAnswered(own);
  });

  test("a client that resets its connection when CONNECT is refused", async (context) => {
    const own = await ownProgram(context);
    for (let count = 0; count < 20; count++) {
      const connection = dial(own.port, context.onTestFinished);
      connection.send(CONNECT);
      await connection.untilReceived("405");
      connection.reset();
    }
    await isAnswered(own);
  });

  test("messages that are too long", async (context) => {
    const own = await ownProgram(context);
    const message = { method: "POST", headers: { "content-type": "application/json" }, body: "x".repeat(100_000) };
    for (let count = 0; count < 3; count++) expect((await ask(own.port, "/mcp", message)).status).toBe(413);
    await isAnswered(own);
  });
});

test("nothing of all this was a bug of ours", async () => {
  program.signal("SIGTERM");
  expect(await program.exited).toBe(0);
  expect(program.errors()).not.toContain("bug");
});
