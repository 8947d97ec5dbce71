// Runs a command of the program inside the test's process, a hundred times faster than in a separate one. Takes the words
// of the command line; returns the output, which has no colours, and the exit code.
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import { companions, invoke, readArguments } from "../../../cli/invoke.ts";
import { errorLine, type Terminal } from "../../../cli/output/terminal.ts";
import { ask, pollUntil } from "../serving/server.ts";
import type { RunResult } from "./process.ts";
import { PRINTED_BASE } from "./program.ts";

/** The words must name a command. @throws SettingsProblems, Refused */
export async function runInProcess(
  words: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  const output = { stdout: "", stderr: "" };
  const invocation = readArguments(words);
  if (typeof invocation === "string") throw new Error(`${words.join(" ")} runs no command`);
  const { command, operands, flags } = invocation;
  const { run } = await command.load();
  const terminal = writeTo(output);
  const code = await run({ operands, flags, terminal, companions, ...surroundings(directory, environment) });
  return { code, ...output };
}

interface Typed {
  /** The working directory. */
  directory: string;
  environment?: Readonly<Record<string, string>> | undefined;
}

/** Any words, as typed in this directory, with every message that the program prints. */
export async function typeInProcess(words: readonly string[], typed: Typed): Promise<RunResult> {
  const { output, exited } = begin(words, typed);
  const code = await exited;
  return { code, ...output };
}

interface StartOptions extends Typed {
  /** Whether it prints to a terminal. */
  isScreen?: boolean;
  onFinished?: (cleanUp: () => Promise<void>) => void;
}

/** Begins a service or a run that the test stops. `printed` resolves when its stdout matches; `stop` is SIGTERM to it. */
export function launchInProcess(words: readonly string[], { onFinished = onTestFinished, ...typed }: StartOptions) {
  const stopping = new AbortController();
  const { output, exited } = begin(words, typed, stopping.signal);
  const stop = async (): Promise<RunResult> => {
    stopping.abort();
    return { code: await exited, ...output };
  };
  onFinished(async () => void (await stop()));
  return {
    output,
    exited,
    stop,
    printed: (pattern: RegExp) =>
      pollUntil(
        async () => output.stdout,
        (text) => pattern.test(text),
      ),
  };
}

/** Starts `serve` or `start` as `startProgram` does. @throws Error if it ends without its addresses. */
export async function startInProcess(words: readonly string[], { environment, ...options }: StartOptions) {
  const defaults = { HOST: "127.0.0.1", PORT: "0", LOG_FORMAT: "text" };
  const program = launchInProcess(words, { ...options, environment: { ...defaults, ...environment } });
  const { output } = program;
  const ended = program.exited.then((code) => {
    throw new Error(`it ended with ${code}: ${output.stderr}`);
  });
  await Promise.race([program.printed(PRINTED_BASE), ended]);
  const [, base = ""] = PRINTED_BASE.exec(output.stdout) ?? [];
  const port = Number(new URL(base).port);
  return {
    base,
    port,
    get: (path: string, headers: Record<string, string> = {}) => ask(port, path, { headers }),
    output: () => output.stdout,
    errors: () => output.stderr,
    /** Resolves to its exit code. */
    stop: async () => (await program.stop()).code,
  };
}

/** An error that the program does not expect is a line and exit code 1, as in cli/run.ts. */
function begin(
  words: readonly string[],
  { directory, environment, isScreen }: StartOptions,
  stop = new AbortController().signal,
) {
  const output = { stdout: "", stderr: "" };
  const terminal = writeTo(output, isScreen);
  const exited = invoke([...words], terminal, () => ({ ...surroundings(directory, environment), stop }));
  const caught = exited.catch((error: unknown) => {
    terminal.err(errorLine(error));
    return 1;
  });
  return { output, exited: caught };
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

function writeTo(output: { stdout: string; stderr: string }, isScreen = false): Terminal {
  return {
    out: (line) => void (output.stdout += `${line}\n`),
    err: (line) => void (output.stderr += `${line}\n`),
    isScreen: { out: isScreen, err: isScreen },
    width: 80,
    style: (_, text) => text,
  };
}
