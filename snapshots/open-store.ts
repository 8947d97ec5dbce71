// Opens the store at a location from the settings.
import type { Store } from "./store.ts";
import { openFileStore } from "./stores/file.ts";

/** `location`: a directory's path or a `file:///` URL. @throws Error for any other scheme. */
export function openStore(location: string): Store {
  if (/^file:\/\/\//i.test(location)) return openFileStore(new URL(location));
  if (/^[a-z][a-z0-9+.-]+:/i.test(location)) {
    throw new Error(
      `a snapshot store must be a directory's path or a file:/// URL (got "${location.split(":")[0]}:…")`,
    );
  }
  return openFileStore(location);
}
