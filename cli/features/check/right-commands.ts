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
  keygen: "key keys generate generate-key",
  init: "new create setup",
  "collect --dry-run": "dry-run dryrun",
  "collect --accept NAMES": "accept",
  "check --page FILE": "preview page render",
  "--page": "--html --output",
  "--out": "--output --outfile --outdir",
  "--json": "--format",
  "--log text": "--log-level",
  "--version": "version",
};
/** What a word without an option is the value of. */
const VALUES: Readonly<Record<string, RegExp>> = { "--config FILE": /\.jsonc?$/, "--port PORT": /^\d{2,5}$/ };

/** The end of a message about an unknown command, an option with its hyphens, or a word that is neither. */
export function rightCommand(typed: string, known: readonly string[]): string {
  // An option may be one of another command. Editors make a dash of two hyphens; elsewhere options begin with a slash.
  const isKnown = (right: string) => known.includes(right.split(" ")[0] ?? "");
  const right =
    Object.keys(COMMANDS).find((right) => isKnown(right) && COMMANDS[right]?.split(" ").includes(typed)) ??
    Object.keys(VALUES).find((right) => isKnown(right) && VALUES[right]?.test(typed)) ??
    known.find((option) => option === typed.replace(/^[–—/-]+/, "--"));
  return right === undefined ? didYouMean(typed, known) : `; did you mean ${right}?`;
}
