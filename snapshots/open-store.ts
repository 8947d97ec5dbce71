// Opens the store at a location from the settings: a directory, or a URL with a scheme for the kind of store.
import { parseUrl } from "./rules.ts";
import type { Reader, Store } from "./store.ts";
import { openFileStore } from "./stores/file.ts";
import { loadedOnUse, type LoadedStore } from "./stores/loaded-on-use.ts";
import { redisPlace } from "./stores/redis/place.ts";
import { underWay } from "./under-way.ts";

/** Environment variables, of which a remote store takes its credentials. */
export type StoreEnvironment = Readonly<Record<string, string | undefined>>;

interface RemoteKind {
  /** How often a reader without a hint asks, in ms, give or take 15 %. */
  pace: number;
  /** Checks the location, which may have user info, without using it; returns the function that loads the store.
   * @throws Error that quotes nothing of the location. */
  open(url: URL, environment: StoreEnvironment): () => Promise<LoadedStore>;
}

const REDIS: RemoteKind = {
  pace: 5_000,
  open(url, environment) {
    const place = redisPlace(url, environment);
    return async () => (await import("./stores/redis/store.ts")).openRedisStore(place);
  },
};

/** By scheme. */
const REMOTE_KINDS: Readonly<Record<string, RemoteKind>> = { "redis:": REDIS, "rediss:": REDIS };

/** `location`: a directory's path, a `file:///` URL or the URL of a remote store, which is loaded at its first use.
 * @throws Error for any other location; quotes nothing of it. */
export function openStore(location: string, environment: StoreEnvironment = {}): Store {
  if (!isRemote(location)) {
    return counted(openFileStore(/^file:/i.test(location) ? new URL(location) : location));
  }
  const url = parseUrl(location);
  const kind = url && REMOTE_KINDS[url.protocol];
  if (kind) return loadedOnUse(kind.pace, kind.open(url, environment));
  const schemes = Object.keys(REMOTE_KINDS).map((scheme) => `${scheme}//`);
  throw new Error(
    `must be the path of a directory, or a URL that starts with ${["file:///", ...schemes].join(" or ")}; special characters of a password are percent-encoded`,
  );
}

/** The same, for a program that only reads. */
export function openReader(location: string, environment: StoreEnvironment = {}): Reader {
  return openStore(location, environment);
}

/** False for a directory's path and a `file:///` URL. A URL in quotes or after a space is no path: as one, its password would
 * be the name of a directory. */
export function isRemote(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:|:\/\//i.test(location) && !/^file:\/\/\//i.test(location);
}

/** In words for operators: `files`, or the scheme of a remote store. `location`: as `openStore` takes it. */
export function kindOfStore(location: string): string {
  return isRemote(location) ? new URL(location).protocol.slice(0, -1) : "files";
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
