// The right words for commands and options as other tools call them, and the nearest for those that are misspelt.
import { didYouMean } from "../../did-you-mean.ts";

/** What to type instead of the words. */
const COMMANDS: Readonly<Record<string, string>> = {
  start: "dev run up",
  collect: "fetch sync pull update refresh publish watch",
  serve: "server listen web",
  status: "health info ps",
  history: "log logs changelog",
  check: "validate doctor lint test config",
  keygen: "key keys generate",
  init: "new create setup",
  "check --page FILE": "preview page render",
  "--page": "--html --output",
  "--help": "help",
  "--version": "version",
};

/** The end of a message about an unknown command, or an option with its hyphens. */
export function rightCommand(typed: string, known: readonly string[]): string {
  const right = Object.keys(COMMANDS).find((right) => COMMANDS[right]?.split(" ").includes(typed));
  // An option may be one of another command.
  const isHere = known.includes(right?.split(" ")[0] ?? "");
  return isHere ? `; did you mean ${right}?` : didYouMean(typed, known);
}
