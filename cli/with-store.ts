// A command gets the store of its settings from here, opened once, and closed when the command is over.
import { SettingsProblems } from "../collector/settings-problems.ts";
import type { Reader, Store } from "../snapshots/store.ts";
import { openReader, openStore } from "../snapshots/stores/open-store.ts";
import { typedHere } from "./command-hints.ts";
import { messageOf } from "./output/terminal.ts";
import type { Configuration } from "./settings/configure.ts";

/** For a command that publishes. Resolves to the result of `use`. @throws SettingsProblems for a store that can only be read. */
export async function withStore<T>(configuration: Configuration, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openToPublish(configuration);
  return use(store).finally(() => store.close());
}

/** For a command that only reads. Resolves to the result of `use`. */
export async function withReader<T>(
  { location, environment }: Configuration,
  use: (store: Reader) => Promise<T>,
): Promise<T> {
  const store = openReader(location, environment);
  return use(store).finally(() => store.close());
}

function openToPublish({ location, environment, file }: Configuration): Store {
  try {
    return openStore(location, environment);
  } catch (error) {
    throw new SettingsProblems(file, [`snapshots   ${messageOf(error)}: ${typedHere("serve")}`]);
  }
}
