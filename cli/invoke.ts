// One invocation: the words of a command line go in, its output and exit code come out. A mistake is one line, and
// problems of the settings are a list; any other error is the caller's. With --json, stdout has all three as JSON, too.
import { SettingsProblems } from "../collector/settings-problems.ts";
import { readArguments } from "./arguments.ts";
import { EXIT, Refused, type Context } from "./command.ts";
import { errorLine, messageOf, problemReport, problemsJson, warningLine, type Terminal } from "./output/terminal.ts";
import { ENGINES, VERSION } from "./package-files.ts";

/** What a command gets beside its arguments and the terminal. */
type Surroundings = Omit<Context, "operands" | "flags" | "terminal">;

/** Resolves to the exit code. `surroundings`: only called for a command that runs. */
export async function invoke(words: string[], terminal: Terminal, surroundings: () => Surroundings): Promise<number> {
  const invocation = readArguments(words);
  const printJson = (problems: readonly string[]) => {
    if (words.some((word) => /^--json(=|$)/.test(word))) terminal.out(problemsJson(problems));
  };
  switch (invocation.kind) {
    case "help":
      terminal.out(invocation.text);
      return EXIT.ok;
    case "version":
      terminal.out(VERSION);
      return EXIT.ok;
    case "mistake":
      printJson([invocation.text]);
      terminal.err(errorLine(invocation.text));
      return EXIT.settings;
    case "run": {
      const { command, operands, flags } = invocation;
      const warning = nodeWarning(process.version);
      if (warning !== undefined) terminal.err(warningLine(warning));
      const { run } = await command.load();
      return run({ operands, flags, terminal, ...surroundings() }).catch((error: unknown) => {
        printJson(error instanceof SettingsProblems ? error.problems : [messageOf(error)]);
        if (error instanceof Refused) {
          terminal.err(errorLine(error));
          return error.code;
        }
        if (!(error instanceof SettingsProblems)) throw error;
        terminal.err(problemReport(error.file, error.problems));
        return EXIT.settings;
      });
    }
  }
}

/** One line for the operator of a Node without the fix for predictable hashes (CVE-2026-21717, March 2026): there, one
 * message of 64 KB of chosen keys costs 161 ms of CPU instead of 2. Undefined for the releases in "engines" of
 * package.json, which have the fix. `version`: such as `v20.20.2`. */
export function nodeWarning(version: string): string | undefined {
  const running = numbersOf(version);
  const isFixed = ENGINES.split("||").some((range) => {
    const [major = 0, ...rest] = numbersOf(range);
    const isLine = range.includes("^") ? running[0] === major : (running[0] ?? 0) >= major;
    return isLine && compare(running, [major, ...rest]) >= 0;
  });
  if (isFixed) return undefined;
  return `Node ${version} lacks security fixes: a few small requests can keep it busy; update it to ${ENGINES}`;
}

function numbersOf(version: string): number[] {
  return (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = b.findIndex((number, index) => number !== (a[index] ?? 0));
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
