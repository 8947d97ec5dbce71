// Reads the examples, and the settings that they give to the program.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readArguments } from "../../cli/invoke.ts";
import { configure, type Configuration } from "../../cli/settings/configure.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A file of the project as text. */
export function projectFile(path: string): Promise<string> {
  return readFile(join(ROOT, path), "utf8");
}

/** The settings of a command with these arguments. @throws SettingsProblems, Refused; Error unless they start a command. */
export function configured(
  words: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>>,
): Configuration {
  const invocation = readArguments(words);
  if (typeof invocation === "string") throw new Error(`${words.join(" ")} runs no command`);
  return configure({ flags: invocation.flags, environment, directory });
}
