// What a server has before its first answer, and what is loaded late, and once.
import type { Store } from "../snapshots/store.ts";
import type { ApiSettings } from "./api-settings.ts";
import type { OpenLane } from "./door/lane.ts";
import type { LastCopy } from "./mirror/mirror.ts";

/** What the files that `api` names hold: Markdown, and images as `data:` URIs. */
export interface ApiFiles {
  texts: { overview?: string; faq?: string };
  logo: string | undefined;
  picture: string | undefined;
}

export const NO_FILES: ApiFiles = { texts: {}, logo: undefined, picture: undefined };

/** Of features: each is undefined without its own. */
export interface Early {
  /** @throws Error that names the file that cannot be read. */
  readApiFiles?: (api: ApiSettings) => ApiFiles;
  openExpressLane?: OpenLane;
  openLastCopy?: (store: Store, warn: (message: string) => void) => LastCopy;
}

export interface Late<T> {
  /** The value if it is loaded. */
  readonly value: T | undefined;
  /** Undefined before anything has asked for it. */
  readonly loading: Promise<T> | undefined;
  /** Loads it, or waits for it. Failure is final: Node 20 remembers a failed import, even one that failed only for lack of a file
   * descriptor. */
  load(): Promise<T>;
}

export function late<T>(make: () => Promise<T>): Late<T> {
  let value: T | undefined;
  let made: Promise<T> | undefined;
  return {
    get value() {
      return value;
    },
    get loading() {
      return made;
    },
    load: () => (made ??= make().then((loaded) => (value = loaded))),
  };
}
