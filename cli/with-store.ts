// The store of the settings, opened once for a command and closed when the command is over.
import { SettingsProblems } from "../collector/settings/problems.ts";
import { openReader, openStore, type StoreEnvironment } from "../snapshots/open-store.ts";
import type { Reader, Store } from "../snapshots/store.ts";
import { messageOf } from "./output/terminal.ts";
import type { Configuration } from "./settings/configure.ts";

/** For a command that publishes. Resolves to the result of `use`. @throws SettingsProblems for a store that can only be read. */
export async function withStore<T>(configuration: Configuration, use: (store: Store) => Promise<T>): Promise<T> {
  const store = opened(configuration, openStore);
  return use(store).finally(() => store.close());
}

/** For a command that only reads. Resolves to the result of `use`. @throws SettingsProblems */
export async function withReader<T>(configuration: Configuration, use: (store: Reader) => Promise<T>): Promise<T> {
  const store = opened(configuration, openReader);
  return use(store).finally(() => store.close());
}

function opened<T>(
  { location, environment, file }: Configuration,
  open: (location: string, environment: StoreEnvironment) => T,
): T {
  try {
    return open(location, environment);
  } catch (error) {
    throw new SettingsProblems(file, [`snapshots   ${messageOf(error)}`]);
  }
}
