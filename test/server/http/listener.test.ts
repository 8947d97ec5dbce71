// Connections to the running program: their order, their end, and clients that are slow, or leave, or never do.
import { ServerResponse } from "node:http";
import { queryObjects } from "node:v8";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test, type TestContext } from "vitest";
import { listen } from "../../../server/http/listen.ts";
import { HOSTILE_REQUESTS } from "../../support/serving/hostile-requests/hostile-requests.ts";
import { serverSocket, untilRead } from "../../support/serving/server-sockets.ts";
import { startProgram, type Program } from "../../support/program/program.ts";
import { sendRaw, openRawConnection, parseReplies } from "../../support/serving/raw-connection.ts";
import { ask, startServer, pollUntil } from "../../support/serving/server.ts";
import { get, keep, message, PING, post } from "../../support/serving/hostile-requests/build.ts";

const directory = await mkdtemp(join(tmpdir(), "vitrine-"));
afterAll(() => rm(directory, { recursive: true }));
const program = await startProgram(["serve"], { directory, onFinished: afterAll });

/** A program of the test's own. */
const ownProgram = ({ onTestFinished: onFinished }: TestContext) => startProgram(["serve"], { directory, onFinished });

const isAnswered = async ({ get }: Program) => expect((await get("/healthz")).text).toBe('{"status":"ok"}');

test("a client that asks whether to go on with its body is told to, and answered", async () => {
  const connection = openRawConnection(program.port);
  connection.send(post("", "Expect: 100-continue", `Content-Length: ${PING.length}`));
  await connection.untilReceived("100 Continue");
  connection.send(PING);
  expect(parseReplies(await connection.untilEnded())).toMatchObject([{ status: 100 }, { status: 200 }]);
});

test("requests that are sent all at once are answered in their order", async () => {
  const bytes = keep("/api/v1") + keep("/nothing") + keep("/api/v1/releases/latest?platform=x") + get("/healthz");
  expect(parseReplies(await sendRaw(program.port, bytes)).map(({ status }) => status)).toEqual([200, 404, 400, 200]);
});

test.for([
  ["of a known length", "Content-Length: 200000", "x".repeat(200_000)],
  ["in chunks", "Transfer-Encoding: chunked", `30d40\r\n${"x".repeat(200_000)}\r\n0\r\n\r\n`],
] as const)(
  "a read with a body %s that nobody wants is answered, and so is what follows it",
  async ([, length, body]) => {
    const { port } = await startServer();
    const bytes = keep("/api/v1/plans", length) + body + get("/api/v1/plans");
    expect(parseReplies(await sendRaw(port, bytes)).map(({ status }) => status)).toEqual([200, 200]);
  },
);

test("a client that leaves in the middle of its request disturbs nobody", async () => {
  for (const leave of ["reset", "close"] as const) {
    const connection = openRawConnection(program.port);
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
      const connection = openRawConnection(program.port, onTestFinished);
      connection.send(first);
      if (drops !== undefined) connection.drip(drops, 500);
      expect(parseReplies(await connection.untilEnded())).toMatchObject([{ status }]);
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
      const connections = Array.from({ length: 20 }, () => openRawConnection(own.port, context.onTestFinished));
      for (const connection of connections) connection.send(bytes);
      await Promise.all(connections.map((connection) => connection.untilEnded()));
      await pollUntil(openFiles, (count) => count <= before);
    });
  },
);

describe("the program outlives", { concurrent: true, timeout: 15_000 }, () => {
  test("clients that reset their connection at once, whatever they asked", async (context) => {
    const own = await ownProgram(context);
    for (const { bytes } of HOSTILE_REQUESTS) {
      const connection = openRawConnection(own.port, context.onTestFinished);
      await connection.connected();
      connection.send(bytes);
      connection.reset();
    }
    await isAnswered(own);
  });

  test("a client that resets its connection when CONNECT is refused", async (context) => {
    const own = await ownProgram(context);
    const ping = message(PING).replace("Connection: close\r\n", "");
    for (let count = 0; count < 20; count++) {
      const connection = openRawConnection(own.port, context.onTestFinished);
      // At first, and while another answer is under way.
      connection.send(count % 2 === 0 ? CONNECT : ping + CONNECT);
      await connection.untilReceived(count % 2 === 0 ? "405" : "200 OK");
      connection.reset();
    }
    await isAnswered(own);
  });

  test("messages that are too long", async (context) => {
    const own = await ownProgram(context);
    const tooLong = { method: "POST", headers: { "content-type": "application/json" }, body: "x".repeat(100_000) };
    for (let count = 0; count < 3; count++) expect((await ask(own.port, "/mcp", tooLong)).status).toBe(413);
    await isAnswered(own);
  });
});

test("nothing of all this was a bug of ours", async () => {
  program.signal("SIGTERM");
  expect(await program.exited).toBe(0);
  expect(program.errors()).not.toContain("bug");
});

test("requests whose connection breaks before their turn leave nothing behind", async () => {
  const server = await startServer();
  const responses = () => Number(queryObjects(ServerResponse, { format: "count" }));
  const before = responses();
  for (let count = 0; count < 20; count++) {
    const connection = openRawConnection(server.port, () => {});
    await connection.connected();
    await connection.sent("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(30));
    connection.reset();
  }
  await pollUntil(
    async () => {
      // To count them takes long, and a core.
      await sleep(500);
      return responses() - before;
    },
    (left) => left < 20,
  );
});

/** Listens, gives more than the system takes at once, and has a client that reads nothing of it until it is told to.
 * `bytes`: what it sends. */
async function unread({ onTestFinished }: TestContext, bytes: string) {
  const listening = await listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.stop());
  listening.serve({ listener: (_, response) => void response.end(Buffer.alloc(32 * 1024 * 1024, "x")) });
  const connection = openRawConnection(listening.port);
  await connection.connected();
  const end = await serverSocket(connection.ports());
  connection.pause();
  connection.send(bytes);
  await untilRead(end, bytes.length);
  expect(end.writableLength).toBeGreaterThan(0);
  return { listening, connection, end };
}

const TUNNEL = "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n";

test("a connection with an answer to read may stand still for half a minute, and then no longer than any", async (context) => {
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
  [", one that asks for a tunnel included", TUNNEL],
])("it is let go after that%s", async ([, more], context) => {
  const { end } = await unread(context, keep("/") + more);
  expect(end.timeout).toBe(30_000);
  end.emit("timeout");
  expect(end.destroyed).toBe(true);
});

test("an answer that is being read when the server stops is finished", async (context) => {
  const { listening, connection } = await unread(context, keep("/"));
  const stopped = listening.stop();
  // Longer than idle connections are left.
  await sleep(1_500);
  connection.resume();
  await stopped;
  expect((await connection.untilEnded()).replace(/^.*?\r\n\r\n/s, "")).toHaveLength(32 * 1024 * 1024);
});

test("nobody keeps a server from stopping by asking for a tunnel behind an answer that is not read", async (context) => {
  const { listening, end } = await unread(context, keep("/") + TUNNEL);
  await listening.stop();
  expect(end.destroyed).toBe(true);
});

test("who asks between the beginning of listening and of serving is answered then", async ({ onTestFinished }) => {
  const listening = await listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.stop());
  const connection = openRawConnection(listening.port);
  await connection.sent(get("/healthz"));
  listening.serve({ listener: (_, response) => void response.end("well") });
  expect(parseReplies(await connection.untilEnded())).toMatchObject([{ status: 200, body: "well" }]);
});
