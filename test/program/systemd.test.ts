// The shipped systemd units: well-formed, with command lines that Vitrine understands, and a socket that it takes over.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readArguments } from "../../cli/arguments.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { freePort } from "../support/port.ts";
import { PROGRAM } from "../support/program/program.ts";
import { ask, pollUntil } from "../support/serving/server.ts";

const UNITS = join(import.meta.dirname, "../../cli/systemd");
const names = await readdir(UNITS);

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

test("systemd finds no fault with the units", (context) => {
  if (!isInstalled("systemd-analyze")) return context.skip("systemd-analyze is not installed");
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...names.map((name) => join(UNITS, name))]);
  expect({ status, said: stderr.toString() }).toEqual({ status: 0, said: "" });
});

test.for(names.filter((name) => name.endsWith(".service")))("%s starts an existing command", async (name) => {
  const unit = await readFile(join(UNITS, name), "utf8");
  const [, words = ""] = /^ExecStart=\/usr\/bin\/env vitrine (.*)$/m.exec(unit) ?? [];
  expect(readArguments(words.split(" "))).toMatchObject({ kind: "run" });
});

test("the server answers on a socket held by systemd", async (context) => {
  if (!isInstalled("systemd-socket-activate")) return context.skip("systemd-socket-activate is not installed");
  const port = await freePort();
  const program = [process.execPath, ...PROGRAM, "serve", "--demo"];
  const child = spawn("systemd-socket-activate", ["--listen", `127.0.0.1:${port}`, ...program], {
    cwd: await temporaryDirectory(),
    stdio: "ignore",
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "close");
  });
  // The first connection starts the program, which replaces the process that held the socket.
  await pollUntil(
    () => ask(port, "/healthz").catch(() => undefined),
    (reply) => reply?.status === 200,
  );
  expect((await ask(port, "/api/v1")).json()).toHaveProperty("endpoints");
});
