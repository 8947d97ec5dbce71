#!/usr/bin/env node
// The command line: the only file that reads arguments, environment and signals. Arguments in, exit code out; an error that nobody expected
// is one line and exit 1, never a stack over the operator's screen.
import { SettingsProblems } from "../collector/settings/problems.ts";
import { readArguments } from "./arguments.ts";
import { EXIT } from "./command.ts";
import { VERSION } from "./package-files.ts";
import { openTerminal, problemReport } from "./output/terminal.ts";

const { argv, env, stdout, stderr } = process;
const terminal = openTerminal(stdout, stderr, Boolean(env.NO_COLOR));

/** How long a reader may take for what has been printed, milliseconds: one that has stopped reading keeps nobody. */
const PATIENCE = 1_000;

/** Writes what has been printed before the process ends. */
function leave(code: number): void {
  process.exitCode = code;
  setTimeout(() => process.exit(code), PATIENCE);
  stdout.write("", () => stderr.write("", () => process.exit(code)));
}

function fail(error: unknown): void {
  terminal.err(`${terminal.style("red", "✖")} ${error instanceof Error ? error.message : String(error)}`);
  leave(EXIT.failed);
}

/** Aborted by the first SIGINT, SIGTERM or SIGHUP; the second leaves at once. */
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
      terminal.err(`${terminal.style("red", "✖")} ${invocation.text}`);
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
// A reader that went away (`| head`) or a full disk under the log costs lines, never the service.
for (const stream of [stdout, stderr]) stream.on("error", () => {});

main().then(leave, (error: unknown) => {
  if (!(error instanceof SettingsProblems)) return fail(error);
  terminal.err(problemReport(terminal, error.file, error.problems));
  leave(EXIT.settings);
});
