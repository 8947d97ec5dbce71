// Opens sources at their places in the settings, and reports every one that cannot be opened.
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import type { StandIns } from "../http/fetch.ts";
import type { FeatureOptions } from "../hooks.ts";
import { SettingsProblems } from "../settings-problems.ts";
import type { SourceContext } from "../source.ts";

/** `path`: in the settings. `names`: of the snapshots that the source is asked for. */
export interface Placed<Settings> {
  path: string;
  source: Settings;
  names: SnapshotName[];
}

/** @throws SettingsProblems with each source that cannot be opened and the reason. */
export function openEach<Settings, Opened>(
  placed: readonly Placed<Settings>[],
  open: (source: Settings, context: SourceContext) => Opened,
  { directory, environment, file, standIns, log = () => {} }: FeatureOptions & { standIns?: StandIns | undefined },
): (Placed<Settings> & { opened: Opened })[] {
  const problems: string[] = [];
  const sources = placed.flatMap(({ path, source, names }) => {
    try {
      const context = { names, directory, environment, standIns, log: (line: string) => log(`${path}: ${line}`) };
      return [{ path, source, names, opened: open(source, context) }];
    } catch (error) {
      problems.push(`${path}   ${error instanceof Error ? error.message : "cannot be opened"}`);
      return [];
    }
  });
  if (problems.length > 0) throw new SettingsProblems(file, problems);
  return sources;
}
