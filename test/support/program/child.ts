// A Node process that runs one of the test scripts, controlled line by line, and killed after the test.
import { createInterface } from "node:readline";
import { builtScript } from "./built.ts";
import { startProcess } from "./process.ts";

type Script = Parameters<typeof builtScript>[0];

/** Gives a command process numbers of its own, as a container does. Needs root, and Linux. */
export const UNSHARE = ["unshare", "--pid", "--fork", "--kill-child"] as const;

/** Runs a script with these arguments. */
export function startChild(script: Script, ...args: string[]) {
  return startTalking([process.execPath, builtScript(script), ...args]);
}

/** Runs a script as the first process of a container, without a container. */
export function startContained(script: Script) {
  return startTalking([...UNSHARE, process.execPath, builtScript(script)]);
}

/** Starts a command that answers lines with lines. */
export function startTalking(command: readonly string[], directory?: string) {
  const environment = { PATH: process.env.PATH, LOG_FORMAT: "text" };
  const { stdin, stdout, output, ended, stop } = startProcess(command, { directory, environment, hasInput: true });
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();

  /** The next line that it prints. @throws Error if it has ended. */
  async function line(): Promise<string> {
    const next = await lines.next();
    if (next.done) throw new Error(`${command.join(" ")} ended before it answered: ${output.stderr}`);
    return next.value;
  }
  return {
    line,
    /** Sends a line and returns the answer. */
    ask(question: string): Promise<string> {
      stdin.write(`${question}\n`);
      return line();
    },
    /** Ends its input, and waits for its own end. */
    async end(): Promise<void> {
      stdin.end();
      await ended;
    },
    /** Sends SIGKILL. Resolves to the remaining lines once the process has ended. */
    async kill(): Promise<string[]> {
      await stop("SIGKILL");
      const rest: string[] = [];
      for await (const text of lines) rest.push(text);
      return rest;
    },
  };
}
