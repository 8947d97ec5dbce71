// Failures in the express lane, over a bare server of node:http: no answer is lost, and nothing ends the process.
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openExpressLane } from "../../../server/features/express-lane/express-lane.ts";
import type { Posting, Responder } from "../../../server/door/responder.ts";
import type { Answer } from "../../../server/answers/answer.ts";
import { requestOf } from "../../support/serving/client-requests.ts";
import { serverSocket, untilRead } from "../../support/serving/server-sockets.ts";
import { openRawConnection } from "../../support/serving/raw-connection.ts";

/** `answerSync`: to messages. */
async function open({ read, answerSync }: Pick<Responder, "read"> & Pick<Posting, "answerSync">) {
  const posting = { path: "/mcp", answer: () => Promise.reject(new Error("not asked")), answerSync };
  const responder = { read, posting };
  const server: Server = createServer((_, response) => void response.end("node:http")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const lane = openExpressLane(server, { responder }, (socket) => setImmediate(() => socket.resume()));
  onTestFinished(() => {
    lane.destroy();
    server.close();
    server.closeAllConnections();
  });
  return { lane, server, port: (server.address() as AddressInfo).port };
}

const READ = requestOf("curl", "/");
const POST = READ.replace("GET /", "POST /mcp").replace(/\r\n$/, "content-length: 2\r\n\r\n{}");

describe("a failure in the express lane (server/features/express-lane/express-lane.ts)", () => {
  test.for([
    ["a GET", READ],
    ["a message", POST],
  ] as const)(
    "a bug in answering %s passes the request on to node:http, whose listener reports it",
    async ([, request]) => {
      const fail = () => {
        throw new Error("a bug");
      };
      const { port } = await open({ read: fail, answerSync: fail });
      const connection = openRawConnection(port);
      connection.send(request);
      await connection.untilReceived("node:http");
    },
  );

  /** More than the system buffers. */
  const LONG: Answer = { status: 200, headers: {}, body: Buffer.alloc(32 * 1024 * 1024, "x") };

  /** A connection that has asked for a long answer and does not read it, and the server's end of it. */
  async function askUnread(port: number) {
    const connection = openRawConnection(port);
    await connection.connected();
    const end = await serverSocket(connection.ports());
    connection.pause();
    connection.send(READ);
    await untilRead(end, READ.length);
    expect(end.writableLength).toBeGreaterThan(0);
    return { connection, end };
  }

  test("a connection that asks nothing more is closed when its announced time has passed", async () => {
    const answer = { ...LONG, body: "short" };
    const { server, port } = await open({ read: () => answer, answerSync: () => undefined });
    server.keepAliveTimeout = 1;
    const connection = openRawConnection(port);
    connection.send(READ);
    expect(await connection.untilEnded()).toMatch(/\r\n\r\nshort$/);
  });

  test("a connection dismissed during an answer gets all of it, and no answer to later requests", async () => {
    const { lane, port } = await open({ read: () => LONG, answerSync: () => undefined });
    const { connection, end } = await askUnread(port);
    lane.dismiss();
    connection.send(READ);
    await untilRead(end, 2 * READ.length);
    connection.resume();
    const heard = await connection.untilEnded();
    expect(heard.slice(heard.indexOf("\r\n\r\n") + 4)).toHaveLength(LONG.body.length);
  });

  test("a request behind an answer that has not been read is left to node:http, which answers after it", async () => {
    const { port } = await open({ read: () => LONG, answerSync: () => undefined });
    const { connection, end } = await askUnread(port);
    const last = requestOf("curl", "/", "Connection: close");
    connection.send(last);
    await untilRead(end, READ.length + last.length);
    connection.resume();
    const heard = await connection.untilEnded();
    expect(heard.lastIndexOf("HTTP/1.1")).toBeGreaterThan(LONG.body.length);
    expect(heard).toMatch(/\r\n\r\nnode:http$/);
  });
});
