// Parses the command line into a command and its flags, or into a line that names the mistake.
import { parseArgs } from "node:util";
import { COMMANDS } from "./commands.ts";
import type { Command } from "./command.ts";
import { nearest } from "./did-you-mean.ts";
import { typed } from "./typed.ts";

export type Invocation =
  | {
      kind: "run";
      command: Command;
      operands: readonly string[];
      flags: Record<string, string | boolean | undefined>;
    }
  | { kind: "help"; text: string }
  | { kind: "version" }
  | { kind: "mistake"; text: string };

/** `words`: the arguments after the program's name. No command means `start`. */
export function readArguments(words: readonly string[]): Invocation {
  const [first, ...others] = words;
  const isNamed = first !== undefined && !first.startsWith("-");
  const name = isNamed ? first : "start";
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return unknownCommand(name);
  const rest = isNamed ? others : [...words];
  if (rest.includes("--version") || rest.includes("-v")) return { kind: "version" };
  if (rest.includes("--help") || rest.includes("-h")) {
    return { kind: "help", text: isNamed ? commandHelp(name, command) : generalHelp() };
  }
  return readOptions(name, command, rest);
}

function readOptions(name: string, command: Command, words: readonly string[]): Invocation {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [name, { type: value ? "string" : "boolean" } as const]),
  );
  const { values, tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const operands: string[] = [];
  const refuse = (problem: string, meant?: string) => mistake(problem, meant, typed(`${name} --help`));
  for (const token of tokens) {
    if (token.kind === "positional") {
      operands.push(token.value);
      const most = command.operands?.length ?? 0;
      if (operands.length > most) return refuse(`unexpected argument: ${name} takes ${most || "none"}`);
      continue;
    }
    if (token.kind === "option-terminator") continue;
    const { rawName } = token;
    const option = Object.hasOwn(command.options, token.name) ? command.options[token.name] : undefined;
    const known = Object.keys(command.options).map((option) => `--${option}`);
    if (!option) return refuse(`unknown option "${rawName}"`, nearest(rawName, known));
    if (option.value && !token.value) return refuse(`option ${rawName} needs a value: ${rawName} ${option.value}`);
    if (!option.value && token.value !== undefined) return refuse(`option ${rawName} takes no value`);
  }
  return { kind: "run", command, operands, flags: { ...values } };
}

/** Repeats only a word that resembles a command: any other may be a secret that slipped into the command line. */
function unknownCommand(word: string): Invocation {
  const meant = nearest(word, Object.keys(COMMANDS));
  return mistake(meant === undefined ? "unknown command" : `unknown command "${word}"`, meant, "--help");
}

function mistake(problem: string, meant: string | undefined, help: string): Invocation {
  return { kind: "mistake", text: `${problem}${meant ? `; did you mean ${meant}?` : ""} (see ${help})` };
}

function generalHelp(): string {
  const commands = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `Vitrine: a glass case for product facts

Usage: ${typed("[command] [options]")}

${commands.join("\n")}

${typed("COMMAND --help")} lists the options of a command.
Exit codes: 0 success, 1 failure, 2 invalid settings or command line, 3 stale or missing,
4 something is held, 75 another run is in progress.`;
}

function commandHelp(name: string, { summary, operands = [], options }: Command): string {
  const lines = Object.entries(options).map(([option, { value, help }]) => {
    return `  ${`--${option}${value ? ` ${value}` : ""}`.padEnd(20)} ${help}`;
  });
  return [`${typed([name, ...operands].join(" "))}: ${summary}`, ...(lines.length > 0 ? ["", ...lines] : [])].join(
    "\n",
  );
}
