// A real nginx with the shipped settings, of which only ports and paths are replaced. It runs as the current user in a temporary
// directory, and is stopped after the test.
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "../../support/directory.ts";
import { freePort } from "../../support/port.ts";
import { startProcess } from "../../support/program/process.ts";

// Debian installs it in a directory that is not in every user's path.
const env = { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

interface Addresses {
  directory: string;
  /** The port of nginx, and that of Vitrine. */
  port: number;
  origin: number;
}

/** The reason for skipping the tests, also printed; undefined if nginx is installed. */
export const NO_NGINX = missingReason();

function missingReason(): string | undefined {
  if (!spawnSync("nginx", ["-V"], { env }).error) return undefined;
  const reason = "nginx is not installed: its tests are skipped";
  process.stdout.write(`${reason}\n`);
  return reason;
}

/** Writes the files of nginx into the directory; returns its arguments. */
async function prepare({ directory, port, origin }: Addresses): Promise<string[]> {
  const settings = await shipped({
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
}

/** Starts nginx in front of Vitrine; resolves to its port once it listens. @throws Error if it ends instead. */
export async function startNginx(origin: number, onFinished: (cleanUp: () => Promise<void>) => void): Promise<number> {
  const directory = await temporaryDirectory(onFinished);
  const port = await freePort();
  const command = ["nginx", ...(await prepare({ directory, port, origin }))];
  // SIGKILL would leave the workers of nginx behind.
  await startProcess(command, { directory, environment: env, onFinished, signal: "SIGTERM" }).listens(port);
  return port;
}

/** The shipped settings with some texts replaced. @throws Error if one of them is missing. */
async function shipped(replacements: Record<string, string>): Promise<string> {
  let text = await readFile(join(import.meta.dirname, "../../../examples/nginx/nginx.conf"), "utf8");
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`nginx.conf has no ${from}`);
    text = text.replace(from, to);
  }
  return text;
}
