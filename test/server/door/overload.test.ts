// Clients that send more than they need to or read less than they should: each costs a bounded amount of memory, and other
// clients are answered.
import { spawnSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { setImmediate as aTurn } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { describe, expect, test } from "vitest";
import { isIn } from "../../support/program/feature.ts";
import { collectGarbage } from "../../support/garbage.ts";
import { get, keep, message, PING, post } from "../../support/serving/hostile-requests/build.ts";
import { openRawConnection, parseReplies, sendRaw } from "../../support/serving/raw-connection.ts";
import { serverSocket, untilRead } from "../../support/serving/server-sockets.ts";
import { call, JSON_TYPE } from "../../support/serving/mcp.ts";
import { plansSnapshot } from "../../support/snapshot.ts";
import { MCP } from "../../support/serving/prepared-targets.ts";
import { ask, pollUntil, startServer } from "../../support/serving/server.ts";

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

const countAnswers = (text: string) => text.match(/HTTP\/1\.1 \d/g)?.length ?? 0;

const inBytes = (body: string) => [...body].map((byte) => `1\r\n${byte}\r\n`).join("");
const CHUNKED = "Transfer-Encoding: chunked";

describe("a client that sends too much or reads too little (server/door/in-flight.ts)", () => {
  test.runIf(isIn("mcp"))("a body in chunks of one byte is kept in one buffer, on every way to the SDK", async () => {
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

  test.runIf(isIn("mcp")).for([
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

  const LANES = [true, false];

  /** What a client may send: plain reads, what only h3 answers, and messages. */
  const REQUESTS = [keep("/api/v1/plans"), keep("/nothing"), message(PING).replace("Connection: close\r\n", "")];
  const STATUSES = [200, 404, isIn("mcp") ? 200 : 404];

  test.for(LANES)("of requests sent ahead nine are answered, in order, express lane %j", async (expressLane) => {
    const { port } = await startServer({ expressLane });
    const answers = parseReplies(await sendRaw(port, REQUESTS.join("").repeat(700)));
    expect(answers.map(({ status }) => status)).toEqual([...STATUSES, ...STATUSES, ...STATUSES]);
    const connections = answers.map(({ headers }) => headers.connection);
    expect(connections).toEqual([...Array<string>(8).fill("keep-alive"), "close"]);
  });

  test.for(LANES)(
    "a client that sends eight requests and waits is never cut off, express lane %j",
    async (expressLane) => {
      const { port } = await startServer({ expressLane });
      const connection = openRawConnection(port);
      for (let round = 0; round < 24; round++) {
        connection.send((REQUESTS[Math.floor(round / 8)] ?? "").repeat(8));
        await pollUntil(
          async () => countAnswers(connection.received()),
          (count) => count === 8 * (round + 1),
        );
      }
      expect(connection.received()).not.toContain("Connection: close");
    },
  );

  test.for(LANES)("nor is one that always waits for eight answers, express lane %j", async (expressLane) => {
    const { port } = await startServer({ expressLane });
    const connection = openRawConnection(port);
    for (let sent = 0; sent < 240; await aTurn()) {
      const end = Math.min(countAnswers(connection.received()) + 8, 240);
      for (; sent < end; sent++) connection.send(REQUESTS[Math.floor(sent / 80)] ?? "");
    }
    connection.send(get("/healthz"));
    expect(countAnswers(await connection.untilEnded())).toBe(241);
  });

  test.for(LANES)("a client that closes its side gets all eight answers, express lane %j", async (expressLane) => {
    const { port } = await startServer({ expressLane });
    for (const request of REQUESTS) {
      const connection = openRawConnection(port);
      connection.send(request.repeat(8));
      connection.close();
      expect(countAnswers(await connection.untilEnded())).toBe(8);
    }
  });

  const PRICING = message(
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_pricing" } }),
  ).replace("Connection: close\r\n", "");

  test.for(
    LANES.flatMap((expressLane) => [
      [expressLane, "plans", keep("/api/v1/plans")] as const,
      ...MCP.map(() => [expressLane, "messages", PRICING] as const),
      ...MCP.map((path) => [expressLane, "messages by another spelling", PRICING.replace(path, "/%6dcp")] as const),
    ]),
  )(
    "answers to requests sent ahead end at 256 KB, and arrive though the client does not stop: express lane %j, %s",
    async ([expressLane, , request]) => {
      const { port } = await startServer({ expressLane, snapshots: [plansSnapshot({ plans: 1_000 })] });
      const connection = openRawConnection(port);
      await connection.connected();
      const end = await serverSocket(connection.ports());
      connection.pause();
      let parsed = 0;
      const note = () => parsed++;
      subscribe("http.server.request.start", note);
      const bytes = request.repeat(8) + keep("/healthz").repeat(10_000);
      connection.send(bytes);
      await untilRead(end, bytes.length);
      unsubscribe("http.server.request.start", note);
      expect(parsed).toBeLessThan(100);
      connection.resume();
      const heard = await connection.untilEnded();
      const answers = parseReplies(heard);
      const connections = answers.map(({ headers }) => headers.connection);
      expect(connections).toEqual([...connections.slice(1).map(() => "keep-alive"), "close"]);
      // Those before the last one are longer; without one of them they are not.
      const before = heard.length * (1 - 1 / answers.length);
      expect(before).toBeGreaterThan(256 * 1024);
      expect(before - heard.length / answers.length).toBeLessThanOrEqual(256 * 1024);
      for (const { body, headers } of answers) expect(body).toHaveLength(Number(headers["content-length"]));
    },
  );

  test.runIf(isIn("mcp"))("clients that do not read their long MCP answers share them", async () => {
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

  const somaxconn = () => Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"));

  test.skipIf(process.platform !== "linux" || somaxconn() < 4_096)(
    "while a server is busy, 2,000 connections wait for it",
    async () => {
      const { port } = await startServer();
      const client = `
      let left = 2000;
      const done = () => --left === 0 && process.exit();
      for (let count = left; count > 0; count--) require("node:net").connect(${port}, "127.0.0.1", done);`;
      // Keeps this process busy, and with it the server. What does not fit into the queue is tried again after a second.
      const { status } = spawnSync(process.execPath, ["-e", client], { timeout: 10_000, killSignal: "SIGKILL" });
      expect(status).toBe(0);
    },
  );

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
});
