// The store of the settings, opened once for a command and closed when the command is over.
import { openReader, openStore } from "../snapshots/open-store.ts";
import type { Reader, Store } from "../snapshots/store.ts";
import type { Configuration } from "./settings/configure.ts";

/** For a command that publishes. Resolves to the result of `use`. @throws Error for a store that can only be read. */
export async function withStore<T>({ settings }: Configuration, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore(settings.snapshots);
  return use(store).finally(() => store.close());
}

/** For a command that only reads. Resolves to the result of `use`. */
export async function withReader<T>({ settings }: Configuration, use: (store: Reader) => Promise<T>): Promise<T> {
  const store = openReader(settings.snapshots);
  return use(store).finally(() => store.close());
}
