// The besieged: Vitrine, built and with a heap of 256 MB, and a well-behaved client of it.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundle } from "../../../cli/build/bundle.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { publish, type Snapshot } from "../../../snapshots/snapshot.ts";
import { releaseSnapshot, resealed, plansSnapshot } from "../../support/snapshot.ts";
import { openConnection, post, request, type Connection } from "../bench/connection.ts";
import { memoryOf } from "../bench/memory.ts";

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
  const confirmedAt = Date.now();
  const [macos, windows] = [releaseSnapshot("macos", { confirmedAt }), releaseSnapshot("windows", { confirmedAt })];
  const plans = plansSnapshot({ confirmedAt, plans: size === "small" ? 12 : 1_000 });
  const all = size === "small" ? [plans, macos, windows] : [plans, withLongChangelog(macos), windows];
  for (const snapshot of all) await publish(openStore(directory), snapshot, { version: undefined });
  return directory;
}

function withLongChangelog(snapshot: Snapshot): Snapshot {
  const { payload } = snapshot;
  if (!("latest" in payload) || payload.latest === null) return snapshot;
  const latest = { ...payload.latest, changelog: "- Faster. ".repeat(25_000) };
  return resealed(snapshot, { ...payload, latest }) as Snapshot;
}

export interface Besieged {
  port: number;
  /** Resident memory in MB: now, and at its highest. NaN if the process has ended. */
  memory(): { now: number; peak: number };
  isAlive(): boolean;
  stop(): void;
}

export async function startBesieged(directory: string): Promise<Besieged> {
  await built;
  const child = fork(join(SCRATCH, "built/vitrine.mjs"), [directory, "watch"], {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    stdio: ["ignore", "inherit", "ignore", "ipc"],
  });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const memory = () => (isAlive(child) ? memoryOf(child.pid ?? 0) : { now: NaN, peak: NaN });
  return { port, memory, isAlive: () => isAlive(child), stop: () => child.kill("SIGKILL") };
}

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

/** The longest wait of a client that reads a fact again and again until `signal` is aborted, in ms. */
export async function longestWait(port: number, signal: AbortSignal): Promise<number> {
  let longest = 0;
  let connection: Connection | undefined;
  while (!signal.aborted) {
    const start = performance.now();
    try {
      connection ??= await openConnection(port);
      const answer = await Promise.race([connection.ask(request("/api/v1/plans")), sleep(PATIENCE_MS)]);
      if (answer?.status !== 200) return Infinity;
    } catch {
      return Infinity;
    }
    longest = Math.max(longest, performance.now() - start);
    await sleep(PAUSE_MS);
  }
  connection?.close();
  return longest;
}
