// Runs a command of the program inside the test's process, a hundred times faster than in a separate one. Takes the words
// of the command line; returns the output, which has no colours, and the exit code.
import { PassThrough } from "node:stream";
import { readArguments } from "../../../cli/invoke.ts";
import { invoke } from "../../../cli/invoke.ts";
import type { Terminal } from "../../../cli/output/terminal.ts";
import type { RunResult } from "./run.ts";

/** The words must name a command. @throws SettingsProblems */
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
  const code = await run({ operands, flags, terminal: writeTo(output), ...surroundings(directory, environment) });
  return { code, ...output };
}

interface Typed {
  /** The working directory. */
  directory: string;
  environment?: Readonly<Record<string, string>> | undefined;
}

/** Any words, as typed in this directory, with every message that the program prints. */
export async function typeInProcess(words: readonly string[], { directory, environment }: Typed): Promise<RunResult> {
  const output = { stdout: "", stderr: "" };
  const code = await invoke([...words], writeTo(output), () => surroundings(directory, environment));
  return { code, ...output };
}

/** Starts `vitrine mcp ...words` with pipes of its own. `output`: what it prints beside them, so far. */
export function converseInProcess(words: readonly string[], { directory, environment }: Typed) {
  const output = { stdout: "", stderr: "" };
  const [input, answers, stopping] = [new PassThrough(), new PassThrough(), new AbortController()];
  const exited = invoke(["mcp", ...words], writeTo(output), () => ({
    ...surroundings(directory, environment),
    pipes: () => ({ input, output: answers }),
    stop: stopping.signal,
  })).finally(() => answers.end());
  return { stdin: input, stdout: answers, output, exited, stop: () => stopping.abort() };
}

function surroundings(directory: string, environment: Readonly<Record<string, string>> = {}) {
  const pipes = () => ({ input: process.stdin, output: process.stdout });
  return { environment, directory, pipes, stop: new AbortController().signal };
}

function writeTo(output: { stdout: string; stderr: string }): Terminal {
  return {
    out: (line) => void (output.stdout += `${line}\n`),
    err: (line) => void (output.stderr += `${line}\n`),
    isScreen: { out: false, err: false },
    width: 80,
    style: (_, text) => text,
  };
}
