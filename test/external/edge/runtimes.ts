// The runtimes, each as a process that serves a module with a default export of `fetch` on a loopback port.
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PACKAGES } from "../../support/install.ts";
import { freePort } from "../../support/port.ts";
import { startProcess } from "../../support/program/process.ts";

export const RUNTIMES = ["Node", "Bun", "Deno", "workerd"] as const;
export type RuntimeName = (typeof RUNTIMES)[number];

export interface Running {
  name: RuntimeName;
  port: number;
  /** What the process has printed. */
  log(): string;
  hasEnded(): boolean;
}

/** Starts a runtime; resolves when it listens. `file`: of the module, beside `node.mjs`. @throws Error with what it has printed. */
export async function start(
  name: RuntimeName,
  file: string,
  onFinished: (cleanUp: () => Promise<void>) => void,
): Promise<Running> {
  const port = await freePort();
  const command = await COMMANDS[name](file, port);
  const directory = dirname(file);
  const environment = { PATH: process.env.PATH, HOME: directory, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const { output, hasEnded, listens } = startProcess(command, { directory, environment, onFinished });
  await listens(port);
  return { name, port, log: () => output.stdout + output.stderr, hasEnded };
}

type Command = [command: string, ...words: string[]];

const COMMANDS: Readonly<Record<RuntimeName, (file: string, port: number) => Command | Promise<Command>>> = {
  Node: (file, port) => [process.execPath, join(dirname(file), "node.mjs"), file, String(port)],
  Bun: async (file, port) => {
    // It takes host and port from the module.
    const entry = `${file}.${port}.mjs`;
    const served = `{ ...worker, hostname: "127.0.0.1", port: ${port} }`;
    await writeFile(entry, `import worker from "./${basename(file)}";\nexport default ${served};\n`);
    return [join(PACKAGES, "@oven/bun-linux-x64/bin/bun"), "run", entry];
  },
  Deno: (file, port) => {
    const permissions = ["--no-config", "--no-prompt", "--allow-net", "--allow-env"];
    const address = ["--host", "127.0.0.1", "--port", String(port)];
    return [join(PACKAGES, "@deno/linux-x64-glibc/deno"), "serve", ...permissions, ...address, file];
  },
  workerd: async (file, port) => {
    const config = `${file}.${port}.capnp`;
    await writeFile(config, workerdConfig(basename(file), port));
    return [join(PACKAGES, "@cloudflare/workerd-linux-64/bin/workerd"), "serve", config];
  },
};

function workerdConfig(file: string, port: number): string {
  const module = (name: string) => `(name = "${name}", esModule = embed "${name}")`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "loopback", network = (allow = ["local"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [${module(file)}, ${module("edge.mjs")}],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["nodejs_compat"],
  globalOutbound = "loopback",
);
`;
}
