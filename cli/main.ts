#!/usr/bin/env node
// The command line: the only file that reads arguments, environment and signals. Arguments in, exit code out; an
// unexpected error is one line and exit 1, never a stack trace.
import { SettingsProblems } from "../collector/settings/problems.ts";
import { readArguments } from "./arguments.ts";
import { EXIT } from "./command.ts";
import { VERSION } from "./package-files.ts";
import { errorLine, openTerminal, problemReport } from "./output/terminal.ts";

const { argv, env, stdout, stderr } = process;
const terminal = openTerminal(stdout, stderr, Boolean(env.NO_COLOR));

/** How long the exit waits for printed output to be read; a reader that has stopped must not delay it further. */
const FLUSH_MS = 1_000;

/** Exits once the printed output is written. */
function leave(code: number): void {
  process.exitCode = code;
  setTimeout(() => process.exit(code), FLUSH_MS);
  stdout.write("", () => stderr.write("", () => process.exit(code)));
}

function fail(error: unknown): void {
  terminal.err(errorLine(terminal, error));
  leave(EXIT.failed);
}

/** Aborted by the first SIGINT, SIGTERM or SIGHUP; the second exits at once. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.on(signal, () => (stopping.signal.aborted ? process.exit(code) : stopping.abort()));
  }
  return stopping.signal;
}

async function main(): Promise<number> {
  const invocation = readArguments(argv.slice(2));
  switch (invocation.kind) {
    case "help":
      terminal.out(invocation.text);
      return EXIT.ok;
    case "version":
      terminal.out(VERSION);
      return EXIT.ok;
    case "mistake":
      terminal.err(errorLine(terminal, invocation.text));
      return EXIT.settings;
    case "run": {
      const { command, operands, flags } = invocation;
      const { run } = await command.load();
      const pipes = () => ({ input: process.stdin, output: stdout });
      const context = { environment: env, directory: process.cwd(), terminal, pipes, stop: stopSignal() };
      return run({ operands, flags, ...context });
    }
  }
}

process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);
// A closed pipe (`| head`) or a full disk under the log costs lines, never the service.
for (const stream of [stdout, stderr]) stream.on("error", () => {});

main().then(leave, (error: unknown) => {
  if (!(error instanceof SettingsProblems)) return fail(error);
  terminal.err(problemReport(terminal, error.file, error.problems));
  leave(EXIT.settings);
});
