// Real cache daemons with the shipped settings, of which only ports and paths are replaced. They run as the current user in
// a temporary directory, and are stopped after the test.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/port.ts";
import { pollUntil } from "../../support/serving/server.ts";

// Debian installs the daemons in a directory that is not in every user's path.
const env = { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

interface DaemonAddresses {
  directory: string;
  /** The port of the daemon, and that of Vitrine. */
  port: number;
  origin: number;
}

interface DaemonProgram {
  name: "nginx" | "varnish";
  command: string;
  /** Writes the daemon's files into the directory; returns its arguments. */
  prepare: (place: DaemonAddresses) => Promise<string[]>;
}

const NGINX: DaemonProgram = {
  name: "nginx",
  command: "nginx",
  async prepare({ directory, port, origin }) {
    const settings = await shipped("nginx.conf", {
      "listen 80;": `listen 127.0.0.1:${port};`,
      "server 127.0.0.1:3000": `server 127.0.0.1:${origin}`,
      "http://127.0.0.1:3000": `http://127.0.0.1:${origin}`,
      "/var/cache/vitrine": join(directory, "cache"),
    });
    await writeFile(join(directory, "vitrine.conf"), settings);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);
    // If started as root, its workers would run as a user without access to the directory.
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const http = `access_log off; ${paths.join(" ")} include vitrine.conf;`;
    const main = `daemon off; pid nginx.pid; error_log stderr crit; ${user} events {} http { ${http} }`;
    await writeFile(join(directory, "nginx.conf"), main);
    return ["-e", "stderr", "-p", directory, "-c", "nginx.conf"];
  },
};

const VARNISH: DaemonProgram = {
  name: "varnish",
  command: "varnishd",
  async prepare({ directory, port, origin }) {
    const file = join(directory, "default.vcl");
    const settings = await shipped("default.vcl", { '.port = "3000"': `.port = "${origin}"` });
    await writeFile(file, settings);
    const listen = ["-a", `127.0.0.1:${port}`, "-f", file, "-n", join(directory, "work")];
    // The parameters that the file advises; no change of user, which needs root; no optimiser, which halves the start.
    const advised = [...settings.matchAll(/ -p (\S+)/g)].map(([, parameter = ""]) => parameter);
    const parameters = [...advised, "cc_command=exec cc -fpic -shared -Wl,-x -o %o %s"];
    return ["-F", "-j", "none", ...listen, "-s", "default,64m", ...parameters.flatMap((text) => ["-p", text])];
  },
};

/** `absence`: the reason for skipping the daemon's tests, also printed; undefined if it is installed. */
export const DAEMONS = [NGINX, VARNISH].map((daemon) => ({ ...daemon, absence: missingReason(daemon) }));
export type Daemon = (typeof DAEMONS)[number];

function missingReason({ name, command }: DaemonProgram): string | undefined {
  if (!spawnSync(command, ["-V"], { env }).error) return undefined;
  const reason = `${name} is not installed: its tests are skipped`;
  process.stdout.write(`${reason}\n`);
  return reason;
}

/** Starts a daemon in front of Vitrine; resolves to its port once it listens. @throws Error if it ends instead. */
export async function startCache(
  { name, command, prepare }: DaemonProgram,
  origin: number,
  onFinished: (cleanUp: () => Promise<void>) => void,
): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-"));
  onFinished(() => rm(directory, { recursive: true, force: true }));
  const port = await freePort();
  const child = spawn(command, await prepare({ directory, port, origin }), {
    cwd: directory,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const closed = once(child, "close");
  onFinished(async () => {
    // Not SIGKILL, which would leave the workers of nginx behind.
    child.kill("SIGTERM");
    await closed;
  });
  const state = async () => (child.exitCode === null ? isListening(port) : "ended");
  if ((await pollUntil(state, (seen) => seen !== false)) === "ended") throw new Error(`${name} ended: ${errors}`);
  return port;
}

/** A shipped file with some texts replaced. @throws Error if one of them is missing. */
async function shipped(name: string, replacements: Record<string, string>): Promise<string> {
  let text = await readFile(join(import.meta.dirname, "../../../examples/nginx", name), "utf8");
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    text = text.replace(from, to);
  }
  return text;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
  });
}
