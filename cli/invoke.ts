// One invocation: the words of a command line go in, its output and exit code come out. A registry of the commands, those of features
// included; the file of a command is loaded only when the command runs. A mistake is one line, and problems of the settings are a list;
// any other error is the caller's. With --json, stdout has all three as JSON, too.
import { parseArgs } from "node:util";
import { SettingsProblems } from "../collector/settings-problems.ts";
import { typed } from "./command-hints.ts";
import { EXIT, Refused, type Command, type Companion, together, type Context, type Mode } from "./command.ts";
import { collectCommand, serveCommand, startCommand } from "./commands/commands.ts";
import { crossMode } from "./features/check-cross/mode.ts";
import { checkCommand } from "./features/check/command.ts";
import { rightCommand } from "./features/check/right-commands.ts";
import { dryRunMode } from "./features/dry-run/mode.ts";
import { buildEdgeCommand } from "./features/edge/command.ts";
import { diffCommand, historyCommand } from "./features/history/commands.ts";
import { initCommand } from "./features/init/command.ts";
import { manyCollected, manyShown } from "./features/many/modes.ts";
import { mcpCommand } from "./features/mcp/command.ts";
import { trialMode } from "./features/notify/mode.ts";
import { previewMode } from "./features/preview/mode.ts";
import { keygenCommand, verifyCommand } from "./features/signatures/commands.ts";
import { statusCommand } from "./features/status/command.ts";
import { errorLine, messageOf, problemReport, type Terminal } from "./output/terminal.ts";
import { VERSION } from "./package-files.ts";

/** In the order of the help. */
const COMMAND_LIST: readonly Command[] = [
  // A line for each.
  startCommand,
  collectCommand,
  serveCommand,
  mcpCommand,
  statusCommand,
  historyCommand,
  diffCommand,
  checkCommand,
  verifyCommand,
  buildEdgeCommand,
  keygenCommand,
  initCommand,
];

const MODES: readonly Mode[] = [
  // A line for each. Those of operands come first.
  manyCollected,
  manyShown,
  dryRunMode,
  crossMode,
  previewMode,
  trialMode,
];

/** End a message about an unknown command, or an option with its hyphens. */
const WORDS: readonly ((typed: string, known: readonly string[]) => string)[] = [
  // At most one.
  rightCommand,
];

/** In the order of their remarks. */
const COMPANIONS: readonly (() => Promise<Companion>)[] = [
  // A line for each.
  async () => (await import("./features/init/sample-facts.ts")).samples,
  async () => (await import("./features/edited/edited.ts")).edits,
  async () => (await import("./features/lost-runs/lost-runs.ts")).lostRuns,
  async () => (await import("./features/follow/last-copy.ts")).lastCopy,
];
export const companions = async () => together(await Promise.all(COMPANIONS.map((load) => load())));

/** By name, with their modes. */
export const COMMANDS: Readonly<Record<string, Command>> = Object.fromEntries(
  COMMAND_LIST.map((command) => [command.name, withModes(command)]),
);

function withModes(command: Command): Command {
  const modes = MODES.filter(({ of }) => of === command.name);
  const options = Object.entries(command.options).flatMap(([name, option]) => [
    [name, option],
    ...modes.filter(({ behind }) => behind === name).flatMap((mode) => Object.entries(mode.options ?? {})),
  ]);
  const run = async (context: Context) => {
    const { flags, operands = [] } = context;
    const found = [command, ...modes].flatMap((one) => one.conflicts?.(flags) ?? []).filter((text) => text !== false);
    if (found.length > 0) throw new SettingsProblems("the command line", found);
    const isChosen = (mode: Mode) =>
      mode.switch === undefined ? operands.length > 0 : flags[mode.switch] !== undefined;
    return (await (modes.find(isChosen) ?? command).load()).run(context);
  };
  const operands = [command, ...modes].flatMap((one) => one.operands ?? []);
  return { ...command, operands, options: Object.fromEntries(options), load: async () => ({ run }) };
}

type Environment = Context["environment"];

/** A command with what was typed behind it. */
type Invocation = Required<Pick<Context, "operands" | "flags">> & { command: Command };

/** The command to run, or the text that was asked for. `words`: the arguments after the program's name. No command means `start`.
 * `environment`: for the flags that npm did not pass on. @throws Refused */
export function readArguments(words: readonly string[], environment: Environment = process.env): Invocation | string {
  const [first = "-", ...others] = words;
  const isNamed = !first.startsWith("-");
  const name = isNamed ? first : "start";
  if (first === "help" || (!isNamed && words.some(isHelp))) return helpOf(words.find(isCommand));
  const command = isCommand(name) ? COMMANDS[name] : undefined;
  if (!command) throw unknownCommand(name);
  const rest = isNamed ? others : [...words];
  if (rest.includes("--version") || rest.includes("-v")) return VERSION;
  if (rest.some(isHelp)) return helpOf(name);
  const isValue = (at: number) => command.options[rest[at - 1]?.slice(2) ?? ""]?.value !== undefined;
  const later = isNamed ? undefined : rest.find((word, at) => isCommand(word) && !isValue(at));
  if (later !== undefined) throw new Refused(`the command comes first: ${typed(`${later} [options]`)}`);
  const kept = keptByNpm(command, rest, environment);
  if (kept.length === 0) return readOptions(name, command, rest);
  const flags = kept.map((option) => [`--${option}`, command.options[option]?.value].filter(Boolean).join(" "));
  throw new Refused(`npm kept ${flags.join(" and ")} for itself: ${typed([name, ...flags].join(" "))}`);
}

const isCommand = (word: string) => Object.hasOwn(COMMANDS, word);
const isHelp = (word: string) => word === "--help" || word === "-h";

/** The options before `--` in `npm run NAME`, which npm takes as its own: it passes on only their values, as operands. A run
 * without them could write where it should not. */
function keptByNpm({ options }: Command, words: readonly string[], environment: Environment): string[] {
  if (environment.npm_lifecycle_event === undefined) return [];
  const isGiven = (option: string) => words.some((word) => word === `--${option}` || word.startsWith(`--${option}=`));
  return Object.keys(options).filter(
    (option) => environment[`npm_config_${option.replaceAll("-", "_")}`] && !isGiven(option),
  );
}

function readOptions(name: string, command: Command, words: readonly string[]): Invocation {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [name, { type: value ? "string" : "boolean" } as const]),
  );
  const lenient = { strict: false, allowPositionals: true, tokens: true } as const;
  const { values, tokens, positionals: operands } = parseArgs({ args: [...words], options, ...lenient });
  const hintFor = (word: string) => WORDS[0]?.(word, optionsOf(command)) ?? "";
  const mistake = (problem: string) => new Refused(`${problem} (see ${typed(`${name} --help`)})`);
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { rawName } = token;
    const option = Object.hasOwn(command.options, token.name) ? command.options[token.name] : undefined;
    const others = Object.values(COMMANDS).flatMap((one) => (Object.hasOwn(one.options, token.name) ? one.name : []));
    const holders = `; ${others.join(" and ")} ${others.length > 1 ? "have" : "has"} it`;
    if (!option)
      throw mistake(`unknown option "${rawName}"${others.length > 0 ? holders : hintFor(`--${token.name}`)}`);
    // Another option is no value of this one: `--snapshots --dry-run`.
    const isWithout = !token.value || (!token.inlineValue && token.value.startsWith("--"));
    if (option.value && isWithout) throw mistake(`option ${rawName} needs a value: ${rawName} ${option.value}`);
    if (!option.value && token.value !== undefined) throw mistake(`option ${rawName} takes no value`);
    const isTwice = tokens.some((one) => one.kind === "option" && one !== token && one.name === token.name);
    if (option.value && isTwice) throw mistake(`option ${rawName} is given twice; leave one`);
  }
  // Last: it may be the value of an option that is not known.
  const { operands: takes = [] } = command;
  const tooMuch = takes.at(-1)?.endsWith("...]") ? undefined : operands[takes.length];
  if (tooMuch !== undefined)
    throw mistake(`unexpected argument: ${name} takes ${takes.length || "none"}${hintFor(tooMuch)}`);
  return { command, operands, flags: { ...values } };
}

function optionsOf({ options }: Command): string[] {
  return [...Object.keys(options), "help", "version"].map((option) => `--${option}`);
}

/** Repeats only a word that is plain or resembles a command: any other may be a secret that slipped into the command line. */
function unknownCommand(word: string): Refused {
  const remedy = WORDS[0]?.(word, [...Object.keys(COMMANDS), ...optionsOf(startCommand)]) ?? "";
  const isShown = remedy !== "" || /^[a-z]{1,20}$/.test(word);
  return new Refused(`unknown command${isShown ? ` "${word}"${remedy}` : ""} (see --help)`);
}

function generalHelp(): string {
  const commands = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `Vitrine: a glass case for product facts

Usage: ${typed("[command] [options]")}

${commands.join("\n")}

${typed("COMMAND --help")} lists the options of a command.
Exit codes: 0 success, 1 failure, 2 invalid settings or command line, 3 stale or missing,
4 something is held, 5 a page of yours disagrees, or a cross-check has for 12 hours, or a fact to verify is unsigned,
75 another run is in progress.`;
}

function helpOf(name = ""): string {
  const command = COMMANDS[name];
  if (!command) return generalHelp();
  const { summary, operands = [], options } = command;
  const lines = Object.entries(options).map(([option, { value, help }]) => {
    return `  ${`--${option}${value ? ` ${value}` : ""}`.padEnd(20)} ${help}`;
  });
  const head = `${typed([command.name, ...operands].join(" "))}: ${summary}`;
  return [head, ...(lines.length > 0 ? ["", ...lines] : [])].join("\n");
}

/** What a command gets beside its arguments and the terminal. */
type Surroundings = Omit<Context, "operands" | "flags" | "terminal" | "companions">;

/** Resolves to the exit code. `surroundings`: only called for a command that runs. */
export async function invoke(words: string[], terminal: Terminal, surroundings: () => Surroundings): Promise<number> {
  try {
    const invocation = readArguments(words);
    if (typeof invocation === "string") {
      terminal.out(invocation);
      return EXIT.ok;
    }
    const { command, operands, flags } = invocation;
    const { run } = await command.load();
    return await run({ operands, flags, terminal, companions, ...surroundings() });
  } catch (error) {
    const problems = error instanceof SettingsProblems ? error.problems : [messageOf(error)];
    if (words.some((word) => /^--json(=|$)/.test(word))) terminal.out(JSON.stringify({ problems }, null, 2));
    if (error instanceof SettingsProblems) {
      terminal.err(problemReport(error.file, problems));
      return EXIT.settings;
    }
    if (!(error instanceof Refused)) throw error;
    terminal.err(errorLine(error));
    return error.code;
  }
}
