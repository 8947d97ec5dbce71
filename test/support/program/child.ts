// A Node process that runs one of the test scripts, controlled line by line, and killed after the test.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { builtScript } from "./built.ts";

const ROOT = join(import.meta.dirname, "../../..");

type Script = Parameters<typeof builtScript>[0];

/** Gives a command process numbers of its own, as a container does. Needs root, and Linux. */
export const UNSHARE = ["unshare", "--pid", "--fork", "--kill-child"] as const;

/** Runs a script with these arguments. */
export function startChild(script: Script, ...args: string[]) {
  return controlled(script, [process.execPath, builtScript(script), ...args]);
}

/** Runs a script as the first process of a container, without a container. */
export function startContained(script: Script) {
  return controlled(script, [...UNSHARE, process.execPath, builtScript(script)]);
}

function controlled(script: Script, [command = "", ...words]: string[]) {
  const child = spawn(command, words, {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  onTestFinished(() => void child.kill("SIGKILL"));

  /** The next line that it prints. @throws Error if it has ended. */
  async function line(): Promise<string> {
    const next = await lines.next();
    if (next.done) throw new Error(`${script} ended before it answered`);
    return next.value;
  }
  return {
    line,
    /** Sends a line and returns the answer. */
    ask(question: string): Promise<string> {
      child.stdin.write(`${question}\n`);
      return line();
    },
    /** Sends SIGKILL. Resolves to the remaining lines once the process has ended. */
    async kill(): Promise<string[]> {
      child.kill("SIGKILL");
      await closed;
      const rest: string[] = [];
      for await (const text of lines) rest.push(text);
      return rest;
    },
  };
}
