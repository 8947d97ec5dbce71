// What the command line offers, with the features that are in.
import { COMMANDS } from "../../../cli/invoke.ts";

/** If there is such a command, with each of these options. */
export function isOffered(words: string): boolean {
  const [name = "", ...others] = words.split(" ");
  const options = COMMANDS[name]?.options;
  if (options === undefined) return false;
  return others.every((word) => !word.startsWith("--") || Object.hasOwn(options, word.replace(/^--|=.*/g, "")));
}
