// The besieged: Vitrine, built and with a heap of 256 MB, and a well-behaved client of it.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundle } from "../../../cli/build/bundle.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { publish } from "../../../snapshots/facts.ts";
import { type Snapshot } from "../../../snapshots/snapshot.ts";
import { allSnapshots } from "../../support/serving/server.ts";
import { resealed } from "../../support/snapshot.ts";
import { openConnection, post, request, type Connection } from "../bench/connection.ts";

const HEAP_MB = 256;
/** Between two requests of the client. */
const PAUSE_MS = 20;
/** After this the client counts the server as silent. */
const PATIENCE_MS = 15_000;

const SCRATCH = mkdtempSync(join(tmpdir(), "vitrine-siege-"));
process.on("exit", () => rmSync(SCRATCH, { recursive: true, force: true }));
const built = bundle({ vitrine: "test/external/bench/servers/vitrine.ts" }, join(SCRATCH, "built"));

/** Publishes facts, and returns their directory. */
export async function prepareFacts(size: "small" | "large"): Promise<string> {
  const directory = join(SCRATCH, size);
  await mkdir(directory);
  const facts = allSnapshots({ confirmedAt: Date.now(), plans: size === "small" ? 12 : 1_000 });
  const all =
    size === "small"
      ? facts
      : facts.map((snapshot) => (snapshot.name === "release-macos" ? withLongChangelog(snapshot) : snapshot));
  for (const snapshot of all) await publish(openStore(directory), snapshot, { version: undefined });
  return directory;
}

function withLongChangelog(snapshot: Snapshot): Snapshot {
  const { payload } = snapshot;
  if (!("latest" in payload) || payload.latest === null) return snapshot;
  const latest = { ...payload.latest, changelog: "- Faster. ".repeat(25_000) };
  return resealed(snapshot, { ...payload, latest });
}

export interface Besieged {
  port: number;
  /** Resident memory in MB: now, and at its highest. NaN if the process has ended. */
  memory(): { now: number; peak: number };
  /** The CPU time of the process so far, in ms, in steps of 10. */
  cpu(): number;
  /** What the system keeps of its answers because the clients have not read them, in MB. */
  unread(): number;
  isAlive(): boolean;
  stop(): void;
}

export async function startBesieged(directory: string): Promise<Besieged> {
  await built;
  const child = fork(join(SCRATCH, "built/vitrine.mjs"), [directory], {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    stdio: ["ignore", "inherit", "ignore", "ipc"],
  });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const memory = () => (isAlive(child) ? memoryOf(child.pid ?? 0) : { now: NaN, peak: NaN });
  return {
    port,
    memory,
    cpu: () => (isAlive(child) ? cpuOf(child.pid ?? 0) : NaN),
    unread: () => unreadOf(port),
    isAlive: () => isAlive(child),
    stop: () => child.kill("SIGKILL"),
  };
}

/** The resident memory of a process, in MB: now, and at its highest. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1_000;
  return { now: field("VmRSS"), peak: field("VmHWM") };
}

/** Linux counts in ticks of 10 ms. */
const TICK_MS = 10;

function cpuOf(pid: number): number {
  // Behind the name, which may contain anything: the times in user and system mode are the 12th and 13th value.
  const values = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return TICK_MS * (Number(values[11]) + Number(values[12]));
}

/** The transmit queues of the port's sockets. */
function unreadOf(port: number): number {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  let bytes = 0;
  for (const family of ["tcp", "tcp6"]) {
    for (const line of readFileSync(`/proc/net/${family}`, "latin1").split("\n")) {
      const [, local = "", , state, queues = ""] = line.trim().split(/ +/);
      // That of a listening socket is the length of its backlog.
      if (local.endsWith(end) && state !== LISTENING) bytes += Number.parseInt(queues, 16);
    }
  }
  return bytes / 1e6;
}

const LISTENING = "0A";

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

const CALL = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_pricing" } });

/** Asks for everything that is loaded or prepared at the first request. */
export async function warmUp(port: number): Promise<void> {
  const connection = await openConnection(port);
  for (let round = 0; round < 100; round++) {
    for (const target of ["/api/v1/plans", "/", "/healthz", "/openapi.json"]) await connection.ask(request(target));
    for (const target of ["/mcp", "/%6dcp"]) await connection.ask(post(target, CALL));
  }
  connection.close();
  await sleep(1_000);
}

export interface Wait {
  /** In ms. */
  wall: number;
  /** The CPU time of the server meanwhile, in ms. Other programs on the machine do not count. */
  cpu: number;
}

/** The longest waits of a client that reads a fact until `signal` is aborted: on a new connection, and on the same. */
export async function longestWait(server: Besieged, signal: AbortSignal): Promise<Wait> {
  const longest: Wait = { wall: 0, cpu: 0 };
  while (!signal.aborted) {
    let connection: Connection | undefined;
    for (let round = 0; round < 2; round++) {
      const start = performance.now();
      const cpu = server.cpu();
      const answer = await Promise.race([ask(), sleep(PATIENCE_MS)]).catch(() => undefined);
      longest.wall = Math.max(longest.wall, answer === 200 ? performance.now() - start : Infinity);
      longest.cpu = Math.max(longest.cpu, server.cpu() - cpu);
      if (!answer) return longest;
    }
    connection?.close();
    await sleep(PAUSE_MS);

    async function ask() {
      connection ??= await openConnection(server.port);
      return connection.ask(request("/api/v1/plans"));
    }
  }
  return longest;
}
