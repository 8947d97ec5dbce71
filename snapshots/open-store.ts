// Opens the store at a location from the settings.
import type { Reader, Store } from "./store.ts";
import { openFileStore } from "./stores/file.ts";
import { underWay } from "./under-way.ts";

/** `location`: a directory's path or a `file:///` URL. @throws Error for any other scheme. */
export function openStore(location: string): Store {
  if (/^file:\/\/\//i.test(location)) return counted(openFileStore(new URL(location)));
  if (/^[a-z][a-z0-9+.-]+:/i.test(location)) {
    throw new Error(
      `a snapshot store must be a directory's path or a file:/// URL (got "${location.split(":")[0]}:…")`,
    );
  }
  return counted(openFileStore(location));
}

/** The same, for a program that only reads. */
export function openReader(location: string): Reader {
  return openStore(location);
}

/** A store whose operations count as under way. */
function counted(store: Store): Store {
  return {
    get: (...words) => underWay(store.get(...words)),
    put: (...words) => underWay(store.put(...words)),
    list: (folder) => underWay(store.list(folder)),
    remove: (key) => underWay(store.remove(key)),
    claim: () => underWay(store.claim()),
    pace: store.pace,
    watch: (hint) => store.watch(hint),
    close: () => store.close(),
  };
}
