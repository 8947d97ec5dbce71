// Connections to the running program: order, end, and clients that are slow, disconnect, or never close.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readdir } from "node:fs/promises";
import { setImmediate as aTurn, setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import { listen } from "../../../server/door/listen.ts";
import { isIn } from "../../support/program/feature.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { HOSTILE_REQUESTS } from "../../support/serving/hostile-requests/hostile-requests.ts";
import { collectGarbage } from "../../support/garbage.ts";
import { serverSocket, untilRead } from "../../support/serving/server-sockets.ts";
import { startProgram, type Program } from "../../support/program/program.ts";
import { isServed } from "../../support/serving/prepared-targets.ts";
import { sendRaw, openRawConnection, parseReplies } from "../../support/serving/raw-connection.ts";
import { ask, startServer, pollUntil } from "../../support/serving/server.ts";
import { get, keep, message, PING, post } from "../../support/serving/hostile-requests/build.ts";

const directory = await temporaryDirectory(afterAll);
const program = await startProgram(["serve", "--demo"], { directory, onFinished: afterAll });

/** A program that other tests do not use. */
const ownProgram = (onFinished: (cleanUp: () => Promise<void>) => void) =>
  startProgram(["serve", "--demo"], { directory, onFinished });

const isAnswered = async ({ get }: Program) => expect((await get("/healthz")).text).toBe('{"status":"ok"}');

test.runIf(isIn("mcp"))("a client that expects 100 Continue gets it, and its answer", async () => {
  const connection = openRawConnection(program.port);
  connection.send(post("", "Expect: 100-continue", `Content-Length: ${PING.length}`));
  await connection.untilReceived("100 Continue");
  connection.send(PING);
  expect(parseReplies(await connection.untilEnded())).toMatchObject([{ status: 100 }, { status: 200 }]);
});

test("pipelined requests are answered in order", async () => {
  const read = ["/api/v1", "/healthz"].find(isServed) ?? "";
  const bytes = keep(read) + keep("/nothing") + keep("/api/v1/releases/latest?platform=x") + get("/healthz");
  expect(parseReplies(await sendRaw(program.port, bytes)).map(({ status }) => status)).toEqual([200, 404, 400, 200]);
});

test.for([
  ["of a known length", "Content-Length: 200000", "x".repeat(200_000)],
  ["in chunks", "Transfer-Encoding: chunked", `30d40\r\n${"x".repeat(200_000)}\r\n0\r\n\r\n`],
] as const)("a GET with an unwanted body %s is answered, and so is the next request", async ([, length, body]) => {
  const { port } = await startServer();
  const bytes = keep("/api/v1/plans", length) + body + get("/api/v1/plans");
  expect(parseReplies(await sendRaw(port, bytes)).map(({ status }) => status)).toEqual([200, 200]);
});

test("a client that disconnects during its request does not affect others", async () => {
  for (const leave of ["reset", "close"] as const) {
    const connection = openRawConnection(program.port);
    connection.send(post('{"jsonrpc"', "Expect: 100-continue", "Content-Length: 100"));
    await connection.untilReceived("100 Continue");
    connection[leave]();
  }
  await isAnswered(program);
});

const CONNECT = "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n";

describe("a client is disconnected (server/door/in-flight.ts):", { concurrent: true, timeout: 15_000 }, () => {
  type Slow = [what: string, seconds: number, status: number, first: string, drops?: string];
  const SLOW: Slow[] = [
    ["during its headers", 12, 408, "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ", "x"],
    ...(isIn("mcp") ? [["during its body", 17, 408, post("", "Content-Length: 9999"), "x"] satisfies Slow] : []),
    ["after sending nothing", 12, 408, ""],
    ["after an answer", 12, 200, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"],
  ];

  for (const [what, seconds, status, first, drops] of SLOW) {
    test(`that is slow ${what}, within ${seconds} s`, { timeout: seconds * 1_000 }, async ({ onTestFinished }) => {
      const connection = openRawConnection(program.port, onTestFinished);
      connection.send(first);
      if (drops !== undefined) connection.drip(drops, 500);
      expect(parseReplies(await connection.untilEnded())).toMatchObject([{ status }]);
    });
  }

  // Only Linux shows how many sockets a process has open.
  test.skipIf(process.platform !== "linux")(
    "that never closes its side, after an answer, a refusal, garbage, CONNECT, a timeout and too much",
    { timeout: 30_000 },
    async ({ onTestFinished }) => {
      const own = await ownProgram(onTestFinished);
      await isAnswered(own);
      const openFiles = async () => (await readdir(`/proc/${own.pid}/fd`)).length;
      const before = await openFiles();
      const endings = [
        get("/healthz"),
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "garbage\r\n\r\n",
        CONNECT,
        "GET /healthz HTTP/1.1\r\n",
        keep("/healthz").repeat(20),
      ].flatMap((bytes) =>
        Array.from({ length: 20 }, () => {
          const connection = openRawConnection(own.port, onTestFinished);
          connection.send(bytes);
          return connection.untilEnded();
        }),
      );
      await Promise.all(endings);
      await pollUntil(openFiles, (count) => count <= before);
    },
  );
});

describe("the program outlives", () => {
  let own: Program;
  beforeAll(async () => {
    // Vitest would ignore an `afterAll` in here.
    let cleanUp = async () => {};
    own = await ownProgram((end) => (cleanUp = end));
    return cleanUp;
  });

  test("clients that reset their connection right after any request", async (context) => {
    for (const { bytes } of HOSTILE_REQUESTS) {
      const connection = openRawConnection(own.port, context.onTestFinished);
      await connection.connected();
      connection.send(bytes);
      connection.reset();
    }
    await isAnswered(own);
  });

  test("a client that resets its connection when CONNECT is refused", async (context) => {
    const answered = isIn("mcp") ? message(PING).replace("Connection: close\r\n", "") : keep("/healthz");
    for (let count = 0; count < 20; count++) {
      const connection = openRawConnection(own.port, context.onTestFinished);
      // Alone, and during another answer.
      connection.send(count % 2 === 0 ? CONNECT : answered + CONNECT);
      await connection.untilReceived(count % 2 === 0 ? "405" : "200 OK");
      connection.reset();
    }
    await isAnswered(own);
  });

  test.runIf(isIn("mcp"))("oversized messages", async () => {
    const tooLong = { method: "POST", headers: { "content-type": "application/json" }, body: "x".repeat(100_000) };
    for (let count = 0; count < 3; count++) expect((await ask(own.port, "/mcp", tooLong)).status).toBe(413);
    await isAnswered(own);
  });
});

test("no bug was reported", async () => {
  program.signal("SIGTERM");
  expect(await program.exited).toBe(0);
  expect(program.errors()).not.toContain("bug");
});

test("queued requests of a broken connection leave nothing in memory", async ({ onTestFinished }) => {
  const server = await startServer();
  const responses: WeakRef<object>[] = [];
  const note = (event: unknown) => void responses.push(new WeakRef((event as { response: object }).response));
  subscribe("http.server.request.start", note);
  onTestFinished(() => void unsubscribe("http.server.request.start", note));
  for (let count = 0; count < 20; count++) {
    const connection = openRawConnection(server.port, () => {});
    await connection.connected();
    await connection.sent("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(30));
    connection.reset();
  }
  await pollUntil(
    async () => {
      // Collecting takes a whole core.
      await sleep(200);
      collectGarbage();
      return responses.filter((response) => response.deref() !== undefined).length;
    },
    (left) => left < 20,
  );
  expect(responses.length).toBeGreaterThan(100);
});

/** A server whose answer exceeds the system's buffers, and a client that has not read it. `bytes`: the request. */
async function unread({ onTestFinished }: TestContext, bytes: string) {
  const listening = await listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.stop());
  listening.serve({ listener: (_, response) => void response.end(Buffer.alloc(32 * 1024 * 1024, "x")) });
  const connection = openRawConnection(listening.port, onTestFinished);
  await connection.connected();
  const end = await serverSocket(connection.ports());
  connection.pause();
  connection.send(bytes);
  await untilRead(end, bytes.length);
  expect(end.writableLength).toBeGreaterThan(0);
  return { listening, connection, end };
}

test("a connection with an unread answer may stall for 30 s, afterwards only as long as any other", async (context) => {
  const { connection, end } = await unread(context, keep("/"));
  expect(end.timeout).toBe(30_000);
  connection.resume();
  await pollUntil(
    async () => end.timeout ?? 0,
    (timeout) => timeout >= 5_000 && timeout < 10_000,
  );
});

test.for([
  ["", ""],
  [", even with a CONNECT request", CONNECT],
])("it is closed after that%s", async ([, more], context) => {
  const { end } = await unread(context, keep("/") + more);
  expect(end.timeout).toBe(30_000);
  end.emit("timeout");
  expect(end.destroyed).toBe(true);
});

test("a connection that node:http has paused itself is resumed by node:http alone", async (context) => {
  const { connection, end } = await unread(context, keep("/"));
  // node:http pauses at the second request, and has received only a part of the third.
  const more = keep("/") + keep("/", `X-Long: ${"x".repeat(10_000)}`);
  connection.send(more);
  await untilRead(end, keep("/").length + more.length);
  await aTurn();
  await aTurn();
  expect(end.isPaused()).toBe(true);
  connection.resume();
  expect((await connection.untilEnded()).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});

test("the body of a request behind an unread answer is not collected", async (context) => {
  const { connection, end } = await unread(context, keep("/"));
  connection.send(keep("/", "Content-Length: 1000000") + "x".repeat(1_000_000));
  for (let turn = 0; turn < 1_000; turn++) await aTurn();
  expect(end.bytesRead).toBeLessThan(300_000);
});

test.concurrent("an answer in progress when the server stops is finished", async (context) => {
  const { expect } = context;
  const { listening, connection } = await unread(context, keep("/"));
  const stopped = listening.stop();
  // Longer than idle connections are kept.
  await sleep(1_500);
  connection.resume();
  await stopped;
  expect((await connection.untilEnded()).replace(/^.*?\r\n\r\n/s, "")).toHaveLength(32 * 1024 * 1024);
});

test.concurrent("a CONNECT behind an unread answer does not keep the server from stopping", async (context) => {
  const { expect } = context;
  const { listening, end } = await unread(context, keep("/") + CONNECT);
  await listening.stop();
  expect(end.destroyed).toBe(true);
});

test("a request between listening and serving is answered once the server serves", async ({ onTestFinished }) => {
  const listening = await listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.stop());
  const connection = openRawConnection(listening.port);
  await connection.sent(get("/healthz"));
  listening.serve({ listener: (_, response) => void response.end("well") });
  expect(parseReplies(await connection.untilEnded())).toMatchObject([{ status: 200, body: "well" }]);
});
