// How the running program stops: no request is lost, and no client can keep it from stopping.
import { join } from "node:path";
import { afterAll, describe, expect, test, type TestContext } from "vitest";
import { temporaryDirectory } from "../support/directory.ts";
import { freePort } from "../support/port.ts";
import { isIn } from "../support/program/feature.ts";
import { startProcess } from "../support/program/process.ts";
import { startProgram } from "../support/program/program.ts";
import { openRawConnection, parseReplies } from "../support/serving/raw-connection.ts";
import { pollUntil } from "../support/serving/server.ts";

const directory = await temporaryDirectory(afterAll);

/** A program of the test's own. */
const ownProgram = ({ onTestFinished: onFinished }: TestContext) =>
  startProgram(["serve", "--demo"], { directory, onFinished });

const POST = ["POST /mcp HTTP/1.1", "Host: a", "Content-Type: application/json"];

describe("asked to stop, the program", { concurrent: true, timeout: 15_000 }, () => {
  test.runIf(isIn("mcp"))("finishes the request in flight, takes no new one, and exits 0", async (context) => {
    const own = await ownProgram(context);
    const [head, tail] = ['{"jsonrpc":"2.0","id":1,', '"method":"ping"}'];
    const connection = openRawConnection(own.port, context.onTestFinished);
    const length = `Content-Length: ${head.length + tail.length}`;
    connection.send([...POST, "Expect: 100-continue", length, "", ""].join("\r\n"));
    await connection.untilReceived("100 Continue");
    connection.send(head);
    own.signal("SIGTERM");
    const isRefused = () =>
      own.get("/healthz").then(
        () => false,
        () => true,
      );
    await pollUntil(isRefused, Boolean);
    connection.send(tail);
    const [, reply] = parseReplies(await connection.untilEnded());
    expect(reply).toMatchObject({ status: 200, headers: { connection: "close" } });
    expect(JSON.parse(reply?.body ?? "")).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(await own.exited).toBe(0);
    expect(own.errors()).not.toContain("bug");
  });

  test("is not kept by clients that have sent nothing, half a request, garbage or CONNECT, and hold on", async (context) => {
    const own = await ownProgram(context);
    for (const bytes of [
      "",
      "GET /healthz HTTP/1.1\r\nHost: a\r\n",
      "garbage\r\n\r\n",
      "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
    ]) {
      const connection = openRawConnection(own.port, context.onTestFinished);
      await connection.connected();
      connection.send(bytes);
    }
    expect((await own.get("/healthz")).status).toBe(200);
    own.signal("SIGTERM");
    expect(await own.exited).toBe(0);
  });
});

test.concurrent("npm dies of the signal without passing it on, and the program ends with npm", async ({
  onTestFinished,
}) => {
  const port = await freePort();
  const npm = startProcess(["npm", "start", "--", "--demo", "--port", `${port}`, "--snapshots", directory], {
    directory: join(import.meta.dirname, "../.."),
    environment: { PATH: process.env.PATH },
    onFinished: onTestFinished,
  });
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await pollUntil(answers, Boolean);
  npm.kill("SIGTERM");
  await pollUntil(answers, (isUp) => !isUp);
});
