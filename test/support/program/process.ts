// A process of a test: its output so far, and its end, at the latest with the test.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { isListening } from "../port.ts";

export interface RunResult {
  /** Null if a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

interface ProcessOptions {
  directory?: string | undefined;
  /** The whole environment. */
  environment: NodeJS.ProcessEnv;
  /** Registers clean-up for the end of the test. Concurrent tests pass `onTestFinished` of their context. */
  onFinished?: ((cleanUp: () => Promise<void>) => void) | undefined;
  /** Ends it after the test. */
  signal?: NodeJS.Signals;
  /** Gives it a process group of its own, which gets its signals, because it starts others. */
  isGroup?: boolean;
  /** Leaves its stdin open. */
  hasInput?: boolean;
}

export type TestProcess = ReturnType<typeof startProcess>;

/** Starts a command. */
export function startProcess(
  [command = "", ...words]: readonly string[],
  {
    directory,
    environment,
    onFinished = onTestFinished,
    signal = "SIGKILL",
    isGroup = false,
    hasInput = false,
  }: ProcessOptions,
) {
  const child = spawn(command, words, { cwd: directory, env: environment, detached: isGroup });
  const output = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      for (const look of waiting) look();
    });
  }
  // It may end before it has read all input.
  child.stdin.on("error", () => {});
  if (!hasInput) child.stdin.end();
  const ended = once(child, "close").then((): RunResult => ({ code: child.exitCode, ...output }));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const kill = (signal: NodeJS.Signals) => {
    if (hasEnded()) return;
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  };
  onFinished(async () => {
    kill(signal);
    await ended;
  });
  const endedWithout = (what: string) =>
    new Error(`${command} ended with ${child.exitCode} without ${what}: ${output.stderr}${output.stdout}`);

  /** Resolves to the first match in stdout. @throws Error if it ends without one. */
  function printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output.stdout);
        if (found && waiting.delete(look)) resolve(found);
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(endedWithout(String(pattern))), reject);
    });
  }
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    output,
    /** Resolves when the process has ended and its output is complete. */
    ended,
    hasEnded,
    kill,
    printed,
    /** Resolves when it, or another process, listens on the port. @throws Error if it ends before. */
    async listens(port: number): Promise<void> {
      while (!(await isListening(port))) {
        if (hasEnded()) throw endedWithout(`listening on ${port}`);
        await sleep(10);
      }
    },
    /** Sends the signal and waits for the end. */
    stop(signal: NodeJS.Signals): Promise<RunResult> {
      kill(signal);
      return ended;
    },
  };
}
