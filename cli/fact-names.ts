// Facts as typed on the command line: `macos`, `plans,windows`.
import { SettingsProblems } from "../collector/settings-problems.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../snapshots/snapshot.ts";
import { didYouMean } from "./did-you-mean.ts";
import { shortName } from "./output/terminal.ts";

export const SHORT_NAMES = SNAPSHOT_NAMES.map(shortName);

/** `macos`, `release-macos` and `releases/macos`, as in addresses, are the same; undefined if it is none. */
export function factNamed(word: string): SnapshotName | undefined {
  return SNAPSHOT_NAMES.find((name) => [name, shortName(name), name.replace("release-", "releases/")].includes(word));
}

/** The facts in the value of an option such as `plans,macos` or `all`. @throws SettingsProblems with each unknown name. */
export function factsNamed(list: string | boolean | undefined): Set<SnapshotName> {
  if (typeof list !== "string") return new Set();
  const words = list.split(",").map((word) => word.trim());
  if (words.includes("all")) return new Set(SNAPSHOT_NAMES);
  const problems = words
    .filter((word) => !factNamed(word))
    .map((word) => `"${word}" is not one of ${SHORT_NAMES.join(", ")}, all${didYouMean(word, SHORT_NAMES)}`);
  if (problems.length > 0) throw new SettingsProblems("the command line", problems);
  return new Set(words.flatMap((word) => factNamed(word) ?? []));
}
