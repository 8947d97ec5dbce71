// nginx serving the same body from a file, as one process; undefined if it is not installed.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { untilAnswers } from "../connection.ts";
import { freePort } from "../../../support/port.ts";
import type { PeerAnswer, BenchServer } from "../server-process.ts";

// Set by nginx itself.
const OWN_HEADERS = new Set(["content-length", "content-type", "last-modified", "etag"]);

export async function startNginx(directory: string, { ok, text }: PeerAnswer): Promise<BenchServer | undefined> {
  if (spawnSync("nginx", ["-v"]).status !== 0) return undefined;
  const port = await freePort();
  await mkdir(join(directory, "api/v1"), { recursive: true });
  await writeFile(join(directory, "api/v1/plans"), text);
  await writeFile(join(directory, "nginx.conf"), configuration(directory, port, ok));
  const nginx = spawn("nginx", ["-p", directory, "-e", "stderr", "-c", "nginx.conf"], { stdio: "ignore" });
  const stop = () => nginx.kill();
  const ended = once(nginx, "exit").then(() => Promise.reject(new Error("nginx ended by itself")));
  // stop() ends the process too; the rejection matters only during the start.
  ended.catch(() => {});
  await Promise.race([untilAnswers(port), ended]);
  return { name: "nginx, static file", port, usage: () => usage(nginx.pid ?? 0), stop };
}

function configuration(directory: string, port: number, headers: readonly string[]): string {
  const added = headers.flatMap((name, index) =>
    index % 2 === 0 && !OWN_HEADERS.has(name) ? [`add_header ${name} "${headers[index + 1]}";`] : [],
  );
  const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory};`);
  return `
daemon off;
master_process off;
pid nginx.pid;
events {}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  default_type application/json;
  ${scratch.join(" ")}
  server {
    listen 127.0.0.1:${port};
    root ${directory};
    ${added.join(" ")}
  }
}
`;
}

/** From /proc: the CPU time of its one thread and its resident memory, in µs and bytes. */
async function usage(pid: number): Promise<{ cpu: number; rss: number }> {
  const [nanoseconds = ""] = (await readFile(`/proc/${pid}/schedstat`, "utf8")).split(" ");
  const resident = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
  return { cpu: Number(nanoseconds) / 1000, rss: Number(resident) * 1024 };
}
