// One invocation: the words of a command line go in, its output and exit code come out. The table of commands is here; the file of
// a command is loaded only when the command runs. A mistake is one line, and problems of the settings are a list; any other error
// is the caller's. With --json, stdout has all three as JSON, too.
import { parseArgs } from "node:util";
import { SettingsProblems } from "../collector/settings-problems.ts";
import { typed } from "./command-hints.ts";
import { EXIT, Refused, type Command, type Context, type Option } from "./command.ts";
import { didYouMean } from "./did-you-mean.ts";
import { errorLine, messageOf, problemReport, type Terminal } from "./output/terminal.ts";
import { VERSION } from "./package-files.ts";

/** These options choose the settings and the snapshots that a command works on. */
const SETTINGS: Record<string, Option> = {
  config: { value: "FILE", help: "settings file (default vitrine.config.json, or .jsonc)" },
  demo: { help: "the demo product, whatever the settings" },
  snapshots: { value: "WHERE", help: "directory of the snapshots, or URL of their store" },
};
const COLLECTING: Record<string, Option> = {
  schedule: { value: "CRON", help: 'when to collect, in UTC, such as "*/15 * * * *"' },
  "stale-after": { value: "TIME", help: "how long facts are served after they were last confirmed, such as 24h" },
};
const LOG: Option = { value: "FORMAT", help: "text or json (default: text on a terminal, JSON elsewhere)" };
const BASE_URL: Option = { value: "URL", help: "public base URL of all links" };
const JSON_OUTPUT: Option = { help: "print JSON" };
const LAST_COPY: Option = { value: "DIRECTORY", help: "where to keep the last good snapshots of a remote store" };
const SERVING: Record<string, Option> = {
  host: { value: "HOST", help: "address to listen on (default 127.0.0.1)" },
  port: { value: "PORT", help: "port to listen on (default 3000)" },
  "base-url": BASE_URL,
  "last-copy": LAST_COPY,
  metrics: { value: "WHERE", help: "Prometheus metrics: on (at /metrics), or an address such as 127.0.0.1:9464" },
};

export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    summary: "collect now and on schedule, and serve (default)",
    options: { ...SETTINGS, ...SERVING, ...COLLECTING, log: LOG },
    load: () => import("./commands/start.ts"),
  },
  collect: {
    summary: "collect once, or on schedule with --watch",
    options: {
      watch: { help: "keep collecting on schedule" },
      "dry-run": { help: "write nothing; show what would change and what would be held" },
      json: { help: "with --dry-run: print JSON" },
      accept: { value: "NAMES", help: "publish held snapshots: all, or some of plans, macos and windows" },
      now: {
        value: "NAMES",
        help: "ask these upstreams even if they asked for a pause: all, or some of plans, macos and windows",
      },
      ...SETTINGS,
      ...COLLECTING,
      log: { ...LOG, help: `with --watch: ${LOG.help}` },
    },
    load: () => import("./commands/collect.ts"),
  },
  serve: {
    summary: "serve only; fetches nothing",
    options: { ...SETTINGS, ...SERVING, log: LOG },
    load: () => import("./commands/serve.ts"),
  },
  mcp: {
    summary: "answer one MCP host on stdin and stdout; fetches nothing without --collect",
    options: {
      collect: { help: "also collect now and on schedule" },
      ...SETTINGS,
      "base-url": BASE_URL,
      "last-copy": LAST_COPY,
      ...COLLECTING,
      log: { ...LOG, help: "text or json (default text)" },
    },
    load: () => import("./features/mcp/mcp.ts"),
  },
  status: {
    summary: "state of every snapshot; exit 3 when one is stale or missing, 4 when held, 5 when cross-checks disagree",
    options: {
      json: JSON_OUTPUT,
      url: { value: "URL", help: "query a running server instead of the store" },
      ...SETTINGS,
    },
    load: () => import("./commands/status.ts"),
  },
  history: {
    summary: "the kept changes, newest first, of every snapshot or of NAME",
    operands: ["[NAME]"],
    options: {
      forget: { value: "NAME@TIME", help: "take one back, such as plans@2026-11-01T09:30:00.000Z (its changedAt)" },
      json: JSON_OUTPUT,
      ...SETTINGS,
    },
    load: () => import("./features/history/history.ts"),
  },
  diff: {
    summary: "the last change, or the difference since A or from A to B (revisions or dates), such as plans 3 5",
    operands: ["[NAME]", "[A]", "[B]"],
    options: { json: JSON_OUTPUT, ...SETTINGS },
    load: () => import("./features/history/diff.ts"),
  },
  check: {
    summary: "show the settings that differ from their defaults, and every problem; changes nothing",
    options: {
      all: { help: "show the settings with their defaults, too" },
      cross: {
        help: "ask the cross-checks instead: exit 5 when one differs from the facts, 1 when one cannot be read",
      },
      json: JSON_OUTPUT,
      ...SETTINGS,
      ...SERVING,
      ...COLLECTING,
    },
    load: () => import("./features/check/check.ts"),
  },
  verify: {
    summary:
      "check the signatures of any Vitrine's facts; exit 1 when disproved, 3 when expired or away, 5 when unsigned",
    operands: ["URL"],
    options: {
      key: {
        value: "KEY",
        help: "the public key that must have signed, or several: KEY,KEY (default: what the host shows)",
      },
      issuer: { value: "URL", help: "base URL that the facts must be signed for (default: the same)" },
    },
    load: () => import("./features/signatures/verify.ts"),
  },
  "build-edge": {
    summary: "write one file that answers as the server does, on platforms that run a function",
    options: {
      out: { value: "FILE", help: "file to write (default vitrine-edge.mjs)" },
      ...SETTINGS,
    },
    load: () => import("./features/edge/build-edge.ts"),
  },
  keygen: {
    summary: "print a new key to sign facts with, as a line for the environment",
    options: {},
    load: () => import("./features/signatures/keygen.ts"),
  },
  init: {
    summary: "write vitrine.config.json and sample facts; overwrites nothing",
    operands: ["[REPO]"],
    options: {
      from: {
        value: "KIND",
        help: "github, gitea or gitlab: use the releases of REPO, which is OWNER/REPO or a URL; or just the URL",
      },
    },
    load: () => import("./features/init/init.ts"),
  },
};

type Environment = Context["environment"];

/** A command with what was typed behind it. */
type Invocation = Required<Pick<Context, "operands" | "flags">> & { command: Command };

/** The command to run, or the text that was asked for. `words`: the arguments after the program's name. No command means `start`.
 * `environment`: for the flags that npm did not pass on. @throws Refused */
export function readArguments(words: readonly string[], environment: Environment = process.env): Invocation | string {
  const [first, ...others] = words;
  const isNamed = first !== undefined && !first.startsWith("-");
  const name = isNamed ? first : "start";
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw unknownCommand(name);
  const rest = isNamed ? others : [...words];
  if (rest.includes("--version") || rest.includes("-v")) return VERSION;
  if (rest.includes("--help") || rest.includes("-h")) return isNamed ? commandHelp(name, command) : generalHelp();
  const kept = keptByNpm(command, rest, environment);
  if (kept.length === 0) return readOptions(name, command, rest);
  const flags = kept.map((option) => [`--${option}`, command.options[option]?.value].filter(Boolean).join(" "));
  throw new Refused(`npm kept ${flags.join(" and ")} for itself: ${typed([name, ...flags].join(" "))}`);
}

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
  const { values, tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const operands: string[] = [];
  const given = new Set<string>();
  const mistake = (problem: string) => new Refused(`${problem} (see ${typed(`${name} --help`)})`);
  for (const token of tokens) {
    if (token.kind === "positional") {
      operands.push(token.value);
      const most = command.operands?.length ?? 0;
      if (operands.length > most) throw mistake(`unexpected argument: ${name} takes ${most || "none"}`);
      continue;
    }
    if (token.kind === "option-terminator") continue;
    const { rawName } = token;
    const option = Object.hasOwn(command.options, token.name) ? command.options[token.name] : undefined;
    const known = Object.keys(command.options).map((option) => `--${option}`);
    if (!option) throw mistake(`unknown option "${rawName}"${didYouMean(rawName, known)}`);
    if (option.value && !token.value) throw mistake(`option ${rawName} needs a value: ${rawName} ${option.value}`);
    if (!option.value && token.value !== undefined) throw mistake(`option ${rawName} takes no value`);
    if (option.value && given.has(token.name)) throw mistake(`option ${rawName} is given twice; leave one`);
    given.add(token.name);
  }
  return { command, operands, flags: { ...values } };
}

/** Repeats only a word that resembles a command: any other may be a secret that slipped into the command line. */
function unknownCommand(word: string): Refused {
  const meant = didYouMean(word, Object.keys(COMMANDS));
  return new Refused(`unknown command${meant && ` "${word}"${meant}`} (see --help)`);
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

function commandHelp(name: string, { summary, operands = [], options }: Command): string {
  const lines = Object.entries(options).map(([option, { value, help }]) => {
    return `  ${`--${option}${value ? ` ${value}` : ""}`.padEnd(20)} ${help}`;
  });
  return [`${typed([name, ...operands].join(" "))}: ${summary}`, ...(lines.length > 0 ? ["", ...lines] : [])].join(
    "\n",
  );
}

/** What a command gets beside its arguments and the terminal. */
type Surroundings = Omit<Context, "operands" | "flags" | "terminal">;

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
    return await run({ operands, flags, terminal, ...surroundings() });
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
