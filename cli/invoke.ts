// One invocation: the words of a command line in, its output and exit code out. A mistake is one line, and problems of the
// settings are a list.
import { SettingsProblems } from "../collector/settings/problems.ts";
import { readArguments } from "./arguments.ts";
import { EXIT, type Context } from "./command.ts";
import { nodeWarning } from "./node-version.ts";
import { VERSION } from "./package-files.ts";
import { errorLine, problemReport, type Terminal } from "./output/terminal.ts";

/** What a command gets beside its arguments and the terminal. */
type Surroundings = Omit<Context, "operands" | "flags" | "terminal">;

/** Resolves to the exit code. `surroundings`: only called for a command that runs. */
export async function invoke(words: string[], terminal: Terminal, surroundings: () => Surroundings): Promise<number> {
  const invocation = readArguments(words);
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
      const warning = nodeWarning(process.version);
      if (warning !== undefined) terminal.err(`${terminal.style("yellow", "!")} ${warning}`);
      const { run } = await command.load();
      return run({ operands, flags, terminal, ...surroundings() }).catch((error: unknown) => {
        if (!(error instanceof SettingsProblems)) throw error;
        terminal.err(problemReport(terminal, error.file, error.problems));
        return EXIT.settings;
      });
    }
  }
}
