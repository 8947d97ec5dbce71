// The folders of the command line, each with its own settings.
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import { attempt } from "../../../snapshots/rules.ts";
import { EXIT, Refused, type Context } from "../../command.ts";
import { messageOf } from "../../output/terminal.ts";

export interface Folder {
  /** As typed, without a slash at its end. */
  name: string;
  path: string;
}

/** So many folders are worked on at once. */
const AT_ONCE = 8;

/** Variables that would give all vendors the settings, the store or the address of one. */
const OF_ONE = ["VITRINE_CONFIG", "SNAPSHOTS", "BASE_URL", "LAST_COPY"];

/** Each folder once, though links lead to it, too. `command`: its name. `permitted`: the options that may be given with folders.
 * @throws SettingsProblems, Refused if there is no folder at all */
export function foldersOf(
  { operands = [], flags, environment, directory }: Context,
  command: string,
  permitted: readonly string[] = [],
): Folder[] {
  const folders = operands.map((word) => ({ name: word.replace(/(?<=.)\/+$/, ""), path: resolve(directory, word) }));
  const given = Object.keys(flags).filter((name) => !permitted.includes(name));
  // Repeats no word: it may be a secret that slipped into the command line.
  if (!folders.some(({ path }) => attempt(() => statSync(path).isDirectory()))) {
    const list = given.find((name) => name === "accept" || name === "now");
    const remedy =
      list === undefined
        ? "without any, it is about all facts of one"
        : `several names are one word, as in --${list} plans,macos`;
    throw new Refused(`unexpected argument: ${command} takes folders, and there is none of this name: ${remedy}`);
  }
  const problems = [
    ...given.map(
      (name) =>
        `--${name} cannot be combined with folders: ${name === "config" ? "leave them out" : "name the settings of one with --config FILE"}`,
    ),
    ...OF_ONE.filter((name) => environment[name]).map(
      (name) => `${name} would be that of all folders: unset it, and write it into the settings of each`,
    ),
  ];
  if (problems.length > 0) throw new SettingsProblems("the command line", problems);
  // Where there is nothing, reading the settings fails, and says why.
  const placeOf = ({ path }: Folder) => attempt(() => realpathSync(path)) ?? path;
  return [...new Map(folders.toReversed().map((folder) => [placeOf(folder), folder])).values()].toReversed();
}

/** Works on all, some at a time, beginning in order. The results are in the same order. */
export async function eachInTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = all.entries();
  const workOn = async () => {
    for (const [index, one] of rest) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOn));
  return results;
}

/** Why a folder's command has failed: its exit code, and a line for each problem. */
export function failureOf(error: unknown): { code: number; problems: readonly string[] } {
  if (error instanceof SettingsProblems)
    return { code: EXIT.settings, problems: error.problems.map((text) => `${error.file}: ${text}`) };
  return { code: error instanceof Refused ? error.code : EXIT.failed, problems: [messageOf(error)] };
}

/** The exit code of the worst folder: as in `vitrine --help`, where a lower one is worse. */
export function worstOf(codes: readonly number[]): number {
  return codes.filter((code) => code !== EXIT.ok).toSorted((a, b) => a - b)[0] ?? EXIT.ok;
}
