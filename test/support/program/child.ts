// A real Node process running one of our scripts, spoken to in lines, and killed when the test is over.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { builtScript } from "./built.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** Runs a script with these arguments. */
export function startChild(script: Parameters<typeof builtScript>[0], ...args: string[]) {
  const child = spawn(process.execPath, [builtScript(script), ...args], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  onTestFinished(() => void child.kill("SIGKILL"));

  /** The next line it prints. @throws Error when it ended instead. */
  async function line(): Promise<string> {
    const next = await lines.next();
    if (next.done) throw new Error(`${script} ended before it answered`);
    return next.value;
  }
  return {
    line,
    /** Sends it a line and returns its answer. */
    ask(question: string): Promise<string> {
      child.stdin.write(`${question}\n`);
      return line();
    },
    /** SIGKILL. Resolves to the lines not yet taken, once the process is gone. */
    async kill(): Promise<string[]> {
      child.kill("SIGKILL");
      await closed;
      const rest: string[] = [];
      for await (const text of lines) rest.push(text);
      return rest;
    },
  };
}
