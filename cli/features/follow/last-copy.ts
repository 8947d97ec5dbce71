// The directory of the last good snapshots, with which a server starts while its store is away: what the setting `lastCopy` opens.
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import { attempt } from "../../../snapshots/rules.ts";
import { sha256 } from "../../../snapshots/snapshot.ts";
import type { Store } from "../../../snapshots/store.ts";
import { endpointOf, isRemote, openStore } from "../../../snapshots/stores/open-store.ts";
import type { Companion } from "../../command.ts";
import type { Configuration } from "../../settings/configure.ts";
import { withoutUserInfo } from "../../settings/problems.ts";

export const lastCopy: Companion = { problems, lastCopyOf };

function problems({ settings, location }: Configuration): string[] {
  if (settings.lastCopy === undefined) return [];
  const { lastCopy: path } = settings;
  if (/^(?:true|on|yes|1)$/i.test(basename(path)))
    return ["lastCopy   is no switch: write the path of a directory, in the settings or as LAST_COPY"];
  if (attempt(() => statSync(path).isFile())) return [`lastCopy   ${path} is a file: write the path of a directory`];
  if (isRemote(location)) return [];
  return [
    `lastCopy   is only for a remote store, and these snapshots are in a directory: leave out lastCopy, LAST_COPY and --last-copy`,
  ];
}

/** Each store has a folder of its own in the directory, because a server may know no product, and one product may be in several engines,
 * such as for tests. @throws SettingsProblems for a store that is a directory itself. */
function lastCopyOf(configuration: Configuration): Store | undefined {
  const { settings, location, environment, file } = configuration;
  if (settings.lastCopy === undefined) return undefined;
  const found = problems(configuration);
  if (found.length > 0) throw new SettingsProblems(file, found);
  const place = [withoutUserInfo(location), endpointOf(location, environment)];
  // A hash, because a location may have characters that no folder may, and its path may be a secret.
  const folder = sha256(JSON.stringify(place)).slice(0, 16);
  return openStore(join(settings.lastCopy, folder));
}
