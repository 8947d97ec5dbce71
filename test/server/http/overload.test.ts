// Clients that send more than they need to or read less than they should: each costs a bounded amount of memory, and other
// clients are answered.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { get, keep, message, PING, post } from "../../support/serving/hostile-requests/build.ts";
import { openRawConnection, parseReplies, sendRaw } from "../../support/serving/raw-connection.ts";
import { serverSocket, untilRead } from "../../support/serving/server-sockets.ts";
import { call, JSON_TYPE } from "../../support/serving/mcp.ts";
import { plansSnapshot } from "../../support/snapshot.ts";
import { ask, pollUntil, startServer } from "../../support/serving/server.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
// Visits every object of the heap, which takes a second or more.
const countBuffers = () => Number(queryObjects(Buffer, { format: "count" }));

/** Opens a connection, sends the bytes, and waits until the server has read them. */
async function sendAndStay(port: number, bytes: string) {
  const connection = openRawConnection(port);
  await connection.connected();
  const end = await serverSocket(connection.ports());
  connection.send(bytes);
  await untilRead(end, bytes.length);
  return { connection, end };
}

/** The number of answers in a text that is too long to be parsed recursively. */
const countReplies = (text: string) => text.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0;

const inBytes = (body: string) => [...body].map((byte) => `1\r\n${byte}\r\n`).join("");
const CHUNKED = "Transfer-Encoding: chunked";

test("a body in chunks of one byte is kept in one buffer, on every way to the SDK", async () => {
  const { port } = await startServer();
  await call(port, "ping");
  const before = countBuffers();
  const body = inBytes(PING + " ".repeat(1_000 - PING.length));
  const senders = await Promise.all(
    ["/mcp", "/%6dcp"].map((path) => sendAndStay(port, post("", CHUNKED).replace("/mcp", path) + body)),
  );
  expect(countBuffers() - before).toBeLessThan(200);
  for (const { connection } of senders) {
    connection.send("0\r\n\r\n");
    expect(parseReplies(await connection.untilEnded())).toMatchObject([{ status: 200 }]);
  }
});

test.for([
  ["a message", post("", CHUNKED)],
  ["a read", get("/api/v1/plans", CHUNKED)],
])("a connection that sends thousands of chunks of one byte is closed: %s", async ([, head]) => {
  const { port, get } = await startServer();
  expect(await sendRaw(port, head + inBytes("x".repeat(20_000)))).toBe("");
  expect((await get("/healthz")).status).toBe(200);
});

test("large chunks of a body are only counted", async () => {
  const { port } = await startServer();
  const chunks = `80\r\n${"x".repeat(128)}\r\n`.repeat(5_000);
  const bytes = `${keep("/api/v1/plans", CHUNKED)}${chunks}0\r\n\r\n${get("/healthz")}`;
  expect(parseReplies(await sendRaw(port, bytes)).map(({ status }) => status)).toEqual([200, 200]);
});

const own = (body: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${body}}`;
const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":""`).join()}}`;

test.for([
  ["too many keys", 400, own(keys(5_000))],
  ["too many keys in many objects", 400, own(`{"x":[${'{"a":1},'.repeat(2_000)}{}]}`)],
  ["as many keys as permitted", 200, own(keys(996))],
  ["a text that looks like many keys", 200, own(`{"x":"${'{\\":['.repeat(2_000)}"}`)],
] as const)("a message with %s is answered with %d", async ([, status, body]) => {
  const { port } = await startServer();
  const reply = await ask(port, "/mcp", { method: "POST", headers: JSON_TYPE, body });
  expect(reply.status).toBe(status);
  if (status === 400) expect(reply.text).toContain("more than 1000 keys");
});

test.for([true, false])("a pipeline of any length is answered in order, express lane %j", async (expressLane) => {
  const { port } = await startServer({ expressLane });
  const bytes = (keep("/nothing") + keep("/api/v1/plans") + keep("/healthz")).repeat(700) + message(PING);
  const statuses = (await sendRaw(port, bytes)).match(/(?<=HTTP\/1\.1 )\d{3}/g);
  expect(statuses).toEqual([...Array.from({ length: 700 }, () => ["404", "200", "200"]).flat(), "200"]);
});

test.for([true, false])("of a pipeline that nobody reads, little is parsed, express lane %j", async (expressLane) => {
  const server = await startServer({ expressLane, snapshots: [plansSnapshot({ plans: 1_000 })] });
  const { port } = server;
  const connection = openRawConnection(port);
  await connection.connected();
  const end = await serverSocket(connection.ports());
  connection.pause();
  const bytes = keep("/api/v1/plans", "Unknown: header").repeat(1_000) + get("/healthz");
  let parsed = 0;
  const count = () => parsed++;
  subscribe("http.server.request.start", count);
  connection.send(bytes);
  await pollUntil(
    async () => end.writableNeedDrain && end.isPaused(),
    (isWaiting) => isWaiting,
  );
  expect((await server.get("/healthz")).status).toBe(200);
  unsubscribe("http.server.request.start", count);
  // Those that were answered before the system's buffers were full, and those that wait.
  expect(parsed).toBeLessThan(150);
  connection.resume();
  expect(countReplies(await connection.untilEnded())).toBe(1_001);
});

test("a client that reads nothing is not read from, and gets every answer once it reads", async () => {
  const { port } = await startServer({ snapshots: [plansSnapshot({ plans: 1_000 })] });
  const count = 300;
  const bytes = keep("/api/v1/plans").replace("\r\n\r\n", "\r\nAccept: */*\r\n\r\n").repeat(count);
  const connection = openRawConnection(port);
  await connection.connected();
  const end = await serverSocket(connection.ports());
  connection.pause();
  connection.send(bytes);
  await untilRead(end, bytes.length);
  await pollUntil(
    async () => end.isPaused() && end.writableNeedDrain,
    (isWaiting) => isWaiting,
  );
  // One answer at most: the others are not made before the client reads.
  expect(end.writableLength).toBeLessThan(300_000);
  connection.send(get("/healthz"));
  connection.resume();
  expect(countReplies(await connection.untilEnded())).toBe(count + 1);
});

test("clients that do not read their long MCP answers share them", async () => {
  const { port } = await startServer({ snapshots: [plansSnapshot({ plans: 1_000 })] });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_pricing" } });
  const asked = message(body).replace("Connection: close\r\n", "");
  await call(port, "ping");
  const { text } = await ask(port, "/mcp", { method: "POST", headers: JSON_TYPE, body });
  const memory = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = memory();
  for (let client = 0; client < 30; client++) {
    const connection = openRawConnection(port);
    await connection.connected();
    const end = await serverSocket(connection.ports());
    connection.pause();
    connection.send(asked.repeat(20));
    await untilRead(end, 20 * asked.length);
  }
  // Less than one copy for each client.
  expect(memory() - before).toBeLessThan(15 * text.length);
});

test("while long bodies are parsed, other clients have their turn", async () => {
  const { port } = await startServer({ expressLane: false });
  const body = `80\r\n${"x".repeat(128)}\r\n`.repeat(450);
  const long = keep("/api/v1/plans", CHUNKED) + body + "0\r\n\r\n" + get("/healthz");
  const senders = Array.from({ length: 10 }, () => openRawConnection(port));
  const other = openRawConnection(port);
  await Promise.all([...senders, other].map((connection) => connection.connected()));
  await Promise.all([...senders, other].map((connection) => serverSocket(connection.ports())));
  const parsed: (string | undefined)[] = [];
  const note = (event: unknown) => parsed.push((event as { request: IncomingMessage }).request.url);
  subscribe("http.server.request.start", note);
  for (const sender of senders) sender.send(long);
  other.send(get("/readyz"));
  await Promise.all([...senders, other].map((connection) => connection.untilEnded()));
  unsubscribe("http.server.request.start", note);
  expect(parsed.indexOf("/readyz")).toBeLessThan(parsed.indexOf("/healthz"));
});
