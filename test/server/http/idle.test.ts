// Ten thousand idle connections: other clients are answered meanwhile, and the idle connections are closed.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../support/directory.ts";
import { startProgram } from "../../support/program/program.ts";

const WANTED = 10_000;
/** Files that each process needs for other purposes. */
const OTHER_FILES = 500;
/** Connections opened at a time; a server's backlog is 511. */
const AT_A_TIME = 200;

/** The limit of open files, of this process and its children. */
function mostFiles(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | "unlimited" } } };
  const limit = report.userLimits?.open_files?.soft;
  return typeof limit === "number" ? limit : Infinity;
}

function open(port: number): Socket {
  const socket = connect({ port, host: "127.0.0.1" }).on("error", () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

test(
  "ten thousand idle connections do not delay other clients, and are closed",
  { timeout: 60_000 },
  async (context) => {
    const count = Math.min(WANTED, mostFiles() - OTHER_FILES);
    if (count < WANTED) await context.annotate(`${count} connections only: the limit of open files is ${mostFiles()}`);
    const program = await startProgram(["serve", "--demo"], { directory: await temporaryDirectory() });
    const sockets: Socket[] = [];
    const ended: Promise<unknown>[] = [];
    while (sockets.length < count) {
      const some = Array.from({ length: Math.min(AT_A_TIME, count - sockets.length) }, () => open(program.port));
      await Promise.all(some.map((socket) => once(socket, "connect")));
      ended.push(...some.map((socket) => once(socket.resume(), "close")));
      sockets.push(...some);
    }
    // Every other connection has sent one request.
    for (const socket of sockets.filter(({ readyState }, index) => readyState === "open" && index % 2 === 0)) {
      socket.write("GET /api/v1 HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    const idle = sockets.filter(({ readyState }) => readyState === "open").length;
    if (idle < count) await context.annotate(`${count - idle} had ended before the last was opened`);
    expect(idle).toBeGreaterThan(0);
    for (const path of ["/healthz", "/api/v1", "/nothing"]) {
      expect((await program.get(path)).status).toBe(path === "/nothing" ? 404 : 200);
    }
    await Promise.all(ended);
    expect((await program.get("/healthz")).status).toBe(200);
    expect(program.errors()).not.toMatch(/bug|EMFILE/);
  },
);
