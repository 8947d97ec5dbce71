// Runs a program as a real process with its own environment, keeps its output, and kills it after the test.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { LOADERS, PROGRAM } from "./program.ts";

const ROOT = join(import.meta.dirname, "../../..");

interface LaunchOptions {
  /** Working directory. */
  directory?: string;
  /** The whole environment except PATH. */
  environment?: Record<string, string>;
  /** Registers clean-up for the end of the test. Concurrent tests pass `onTestFinished` of their context. */
  onFinished?: (cleanUp: () => void) => void;
}

export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the built `vitrine ...words`, `node <script>.mjs ...words`, or `node --import tsx <script>.ts ...words`. */
export function launch(
  script: string,
  words: readonly string[],
  { directory = ROOT, environment = {}, onFinished = onTestFinished }: LaunchOptions = {},
) {
  const path = resolve(ROOT, script);
  const program = script === "vitrine" ? PROGRAM : script.endsWith(".mjs") ? [path] : [...LOADERS, path];
  const child = spawn(process.execPath, [...program, ...words], {
    cwd: directory,
    env: { PATH: process.env.PATH, LOG_FORMAT: "text", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      for (const look of waiting) look();
    });
  }
  const closed = once(child, "close").then((): RunResult => ({ code: child.exitCode, ...output }));
  return {
    output,
    /** Resolves when the process has ended and its output is complete. */
    ended: closed,
    /** Resolves to the first match in stdout. @throws Error if it ends without one. */
    printed: (pattern: RegExp): Promise<RegExpExecArray> =>
      Promise.race([
        new Promise<RegExpExecArray>((resolve) => {
          const look = () => {
            const found = pattern.exec(output.stdout);
            if (found && waiting.delete(look)) resolve(found);
          };
          waiting.add(look);
          look();
        }),
        closed.then(({ stdout, stderr }) => {
          const found = pattern.exec(stdout);
          if (!found) throw new Error(`${script} ended without ${pattern}\n${stdout}${stderr}`);
          return found;
        }),
      ]),
    /** Sends the signal and waits for the process to end. */
    stop(signal: NodeJS.Signals): Promise<RunResult> {
      child.kill(signal);
      return closed;
    },
  };
}

/** Runs the command line to its end. */
export function vitrine(words: readonly string[], wanted?: LaunchOptions): Promise<RunResult> {
  return launch("vitrine", words, wanted).ended;
}
