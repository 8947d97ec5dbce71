// A server under measurement: a separate process that reports its port, CPU time and memory.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundle } from "../../../cli/build/bundle.ts";
import { nextMessageOf } from "./child.ts";

export interface Usage {
  /** User and system time since the start, in µs. */
  cpu: number;
  /** Resident memory in bytes. */
  rss: number;
}

export interface BenchServer {
  name: string;
  port: number;
  usage(): Promise<Usage>;
  stop(): void;
}

/** Starts a script in `servers/`, or at an absolute path. */
export async function startNodeServer(name: string, script: string, args: readonly string[]): Promise<BenchServer> {
  const child = fork(resolve(import.meta.dirname, "servers", script), args, { execArgv: [] });
  const next = nextMessageOf(child, name);
  const { port } = (await next()) as { port: number };
  const usage = () => {
    child.send("usage");
    return next() as Promise<Usage>;
  };
  return { name, port, usage, stop: () => child.kill() };
}

const BUILT = mkdtempSync(join(tmpdir(), "vitrine-built-"));
process.on("exit", () => rmSync(BUILT, { recursive: true, force: true }));
const built = bundle({ vitrine: "test/external/bench/servers/vitrine.ts" }, BUILT);

/** Starts Vitrine, built as for publication, over the store in a directory. */
export async function startVitrine(directory: string, mode?: "no-lane"): Promise<BenchServer> {
  await built;
  const name = mode === "no-lane" ? "Vitrine, no express lane" : "Vitrine";
  return startNodeServer(name, join(BUILT, "vitrine.mjs"), [directory, mode ?? ""]);
}
