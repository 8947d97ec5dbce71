// A command of the program, run in the test's own process, which is a hundred times quicker than a process of its own: the
// words as they are typed go in, what it prints and its exit code come out.
import { readArguments } from "../../../cli/arguments.ts";
import type { RunResult } from "./run.ts";

/** Only for words that name a command; no colours. */
export async function runInProcess(
  words: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  const output = { stdout: "", stderr: "" };
  const invocation = readArguments(words);
  if (invocation.kind === "mistake") return { code: 2, ...output, stderr: invocation.text };
  if (invocation.kind !== "run") throw new Error(`${words.join(" ")} runs no command`);
  const { command, operands, flags } = invocation;
  const { run } = await command.load();
  const code = await run({
    operands,
    flags,
    environment,
    directory,
    pipes: () => ({ input: process.stdin, output: process.stdout }),
    stop: new AbortController().signal,
    terminal: {
      out: (line) => void (output.stdout += `${line}\n`),
      err: (line) => void (output.stderr += `${line}\n`),
      isScreen: { out: false, err: false },
      style: (_, text) => text,
    },
  });
  return { code, ...output };
}
