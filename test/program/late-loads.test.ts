// What the server loads after its first answers: all of it soon, or the process ends. An update in place and a lack of
// descriptors must not leave parts that fail for good.
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { builtProgram } from "../support/program/built.ts";
import { isIn } from "../support/program/feature.ts";
import { startProcess, type TestProcess } from "../support/program/process.ts";
import { PRINTED_BASE } from "../support/program/program.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { call } from "../support/serving/mcp.ts";
import { isServed } from "../support/serving/prepared-targets.ts";
import { ask, pollUntil, publishOver } from "../support/serving/server.ts";
import { openRawConnection } from "../support/serving/raw-connection.ts";
import { plansSnapshot } from "../support/snapshot.ts";

/** Writes a line to stderr for each import that is resolved, which is the last that an import needs of the file system. */
const LOG_IMPORTS = `
import { writeSync } from "node:fs";
import { basename } from "node:path";
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  writeSync(2, "resolved " + basename(context.parentURL ?? "") + " " + basename(specifier) + "\\n");
  return resolved;
}`;

/** A copy of the built program, which a test may damage. */
async function copyProgram(): Promise<string> {
  const home = await temporaryDirectory();
  await cp(join(builtProgram() ?? "", "../.."), home, { recursive: true });
  return home;
}

/** Every import of the program's part that is loaded last, and of what it imports: `importing imported`. */
async function importsOf(dist: string, prefix: string): Promise<string[]> {
  const names = new Set((await readdir(dist)).filter((name) => name.startsWith(prefix)));
  const imports: string[] = [];
  for (const name of names) {
    const text = await readFile(join(dist, name), "utf8");
    for (const [, imported = ""] of text.matchAll(/^(?:import|\} from|import .* from) "\.\/([^"]+)";$/gm)) {
      names.add(imported);
      imports.push(`${name} ${imported}`);
    }
  }
  return imports;
}

/** Starts the program under a command of the shell. */
function startUnder(shell: string, program: readonly string[], directory: string) {
  const environment = { PATH: process.env.PATH, PORT: "0", LOG_FORMAT: "text" };
  const command = ["bash", "-c", `${shell}; exec "$0" "$@"`, process.execPath, ...program];
  return startProcess(command, { directory, environment });
}

/** The port in its printed address. */
async function portOf({ printed }: TestProcess): Promise<number> {
  const [, base = ""] = await printed(PRINTED_BASE);
  return Number(new URL(base).port);
}

/** Starts a copy of the program on a directory; resolves when all that a server loads is loaded. */
async function startLogged() {
  const home = await copyProgram();
  await writeFile(join(home, "log-imports.mjs"), LOG_IMPORTS);
  const register = `data:text/javascript,import{register}from"node:module";register(${JSON.stringify(`file://${home}/log-imports.mjs`)})`;
  const program = ["--import", register, join(home, "dist/vitrine.mjs"), "serve", "--demo"];
  const started = startUnder(":", program, await temporaryDirectory());
  const { output } = started;
  const port = await portOf(started);
  const needed = await importsOf(join(home, "dist"), "deferred-");
  expect(needed.length).toBeGreaterThan(5);
  await pollUntil(
    async () => needed.filter((line) => !output.stderr.includes(`resolved ${line}\n`)),
    (missing) => missing.length === 0,
  );
  return { home, output, port };
}

test("a server on a directory loads nothing of remote stores, and after an update in place it answers all that was never asked", async () => {
  const { home, output, port } = await startLogged();
  const dist = join(home, "dist");
  const names = await readdir(dist);
  const texts = await Promise.all(names.map((name) => readFile(join(dist, name), "utf8")));
  const remote = names.filter((_, at) =>
    /^(async )?function (openRedisStore|openS3Store|roleCredentials|openHttpsReader)\(/m.test(texts[at] ?? ""),
  );
  expect(remote).toHaveLength(["redis", "s3", "s3", "follow"].filter((feature) => isIn(feature)).length);
  for (const name of remote) expect(output.stderr).not.toContain(` ${name}\n`);

  await rm(dist, { recursive: true });
  if (isIn("mcp")) expect(await call(port, "tools/list")).toHaveProperty("result.tools");
  for (const path of ["/status", "/", "/openapi.json", "/api/v1/plans?x=1"].filter(isServed)) {
    const { status } = await ask(port, path);
    expect([200, 502], path).toContain(status);
  }
  expect((await ask(port, "/api//v1")).status).toBe(404);
});

test("if a part cannot be loaded, the process ends with exit code 1", async () => {
  const home = await copyProgram();
  const missing = (await readdir(join(home, "dist"))).filter((name) => name.startsWith("deferred-"));
  expect(missing).toHaveLength(1);
  await rm(join(home, "dist", missing[0] ?? ""));
  const program = [join(home, "dist/vitrine.mjs"), "serve", "--demo"];
  const { code, stderr } = await startUnder(":", program, await temporaryDirectory()).ended;
  expect(code).toBe(1);
  expect(stderr).toContain("a part of the server cannot be loaded");
});

test("more connections than descriptors keep neither the store nor a client from being served", async () => {
  const source = { from: "file", path: "facts.json" };
  const directory = await settingsDirectory({ plans: source, releases: source });
  const store = openStore(join(directory, "facts"));
  const program = [builtProgram() ?? "", "serve"];
  const started = startUnder("ulimit -n 128", program, directory);
  const port = await portOf(started);
  const client = openRawConnection(port, onTestFinished);
  await client.connected();
  const flood = await Promise.all(Array.from({ length: 300 }, () => open(port)));
  await publishOver(store, plansSnapshot({ confirmedAt: Date.now() }));
  const answers = () => Promise.resolve(client.received().split("HTTP/1.1 ").length);
  // One request at a time: the server cuts off clients that send ahead.
  const follow = async () => {
    const before = await answers();
    client.send("GET /api/v1/plans HTTP/1.1\r\nHost: a\r\n\r\n");
    await pollUntil(answers, (count) => count > before);
    return client.received();
  };
  await pollUntil(follow, (text) => text.includes("200 OK"));
  expect(started.output.stderr).not.toContain("EMFILE");
  for (const socket of flood) socket.destroy();
  // Until the server has noticed that they are gone, it refuses others.
  if (!isIn("mcp")) return;
  const tools = await pollUntil(() => call(port, "tools/list").catch(() => undefined), Boolean);
  expect(tools).toHaveProperty("result.tools");
});

/** Resolves when the connection is open or refused. */
function open(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const done = () => resolve(socket);
    socket.on("connect", done).on("error", done).on("close", done);
  });
}
