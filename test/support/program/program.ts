// The real program as an operator starts it: a separate process with its own directory and environment.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { builtProgram } from "./built.ts";
import { ask } from "../serving/server.ts";

const MAIN = join(import.meta.dirname, "../../../cli/main.ts");
// Absolute, because Node resolves loaders from the working directory. Zod is loaded before tsx so that its many files are
// not compiled: a start then takes 0.4 s instead of 0.6 s.
export const LOADERS = ["zod", "tsx"].flatMap((loader) => ["--import", import.meta.resolve(loader)]);

/** Node's arguments before the words of a command: to run the sources, and to run the build if there is one. */
export const SOURCE: readonly string[] = [...LOADERS, MAIN];
export const PROGRAM: readonly string[] = [builtProgram() ?? SOURCE].flat();

interface ProgramOptions {
  /** The working directory, with the settings. */
  directory: string;
  environment?: Readonly<Record<string, string>>;
  /** Node's arguments before `args`. */
  program?: readonly string[];
  onFinished?: (cleanUp: () => Promise<void>) => void;
}

export type Program = Awaited<ReturnType<typeof startProgram>>;

/** Starts `serve` or `start` and waits for its printed addresses. @throws Error if it ends without them. */
export async function startProgram(
  args: string[],
  { directory, environment, program = PROGRAM, onFinished = onTestFinished }: ProgramOptions,
) {
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", NO_COLOR: "1", LOG_FORMAT: "text", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "close").then(([code]: unknown[]) => code);
  onFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const [output, errors] = [gather(child.stdout), gather(child.stderr)];
  const base = await printedBase(child.stdout, output);
  if (base === undefined) throw new Error(`the program ended with ${String(await exited)}: ${errors()}`);
  const port = Number(new URL(base).port);
  return {
    base,
    port,
    pid: child.pid,
    get: (path: string, headers: Record<string, string> = {}) => ask(port, path, { headers }),
    /** Its output so far, on stdout and on stderr. */
    output,
    errors,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves to its exit code; null if a signal ended it. */
    exited,
  };
}

function gather(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return () => text;
}

/** The base URL in the printed addresses; undefined if the output ends without one. */
export function printedBase(stream: Readable, output: () => string): Promise<string | undefined> {
  return new Promise((resolve) => {
    stream.on("data", () => {
      const base = /^ +API +(\S+)\/api\/v1$/m.exec(output())?.[1];
      if (base !== undefined) resolve(base);
    });
    stream.on("end", () => resolve(undefined));
  });
}
