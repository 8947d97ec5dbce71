// Snapshots as people name them on the command line: `plans`, `macos`, `windows`, `all`.
import { SettingsProblems } from "../collector/settings/problems.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../snapshots/snapshot.ts";
import { nearest } from "./did-you-mean.ts";
import { shortName } from "./output/terminal.ts";

/** The snapshots that a text such as `plans,macos` names. @throws SettingsProblems naming each word that names none. */
export function namedSnapshots(words: string): Set<SnapshotName> {
  const parts = words.split(",").map((word) => word.trim());
  if (parts.includes("all")) return new Set(SNAPSHOT_NAMES);
  const short = SNAPSHOT_NAMES.map(shortName);
  const named = parts.map((word) => SNAPSHOT_NAMES.find((name) => name === word || shortName(name) === word));
  const strangers = parts.filter((_, index) => named[index] === undefined);
  if (strangers.length > 0) {
    throw new SettingsProblems(
      "the command line",
      strangers.map((word) => `"${word}" is not one of ${short.join(", ")}, all${hint(nearest(word, short))}`),
    );
  }
  return new Set(named.filter((name) => name !== undefined));
}

function hint(meant: string | undefined): string {
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}
