// Opens the store at a location from the settings: a directory, or a URL with a scheme for the kind of store. A remote one loads
// its code and connects at its first use: opening is synchronous, and a store of files loads nothing more.
import { fileURLToPath } from "node:url";
import { parseUrl } from "../rules.ts";
import { StoreError, Unreachable, type LoadedReader, type Reader, type Store } from "../store.ts";
import { errorCode, underWay } from "../system-calls.ts";
import { openFileStore } from "./files/file-store.ts";
import type { Engine, StoreEnvironment } from "./engine.ts";
import { follow } from "../features/follow/follow.ts";
import { redis } from "../features/redis/redis.ts";
import { s3 } from "../features/s3/s3.ts";

/** In the order of the error that lists their schemes. */
const ENGINES: readonly Engine[] = [
  // A line for each.
  redis,
  s3,
  follow,
];
const SCHEMES = ENGINES.flatMap(({ schemes }) => schemes);

/** `location`: a directory's path, a `file:///` URL or the URL of a remote store, which is loaded at its first use.
 * @throws Error for any other location, and for one that can only be read; quotes nothing of it. */
export function openStore(location: string, environment: StoreEnvironment = {}): Store {
  if (!isRemote(location)) return counted(openFileStore(/^file:/i.test(location) ? fileURLToPath(location) : location));
  const { url, engine } = engineAt(location);
  if (engine.readOnly !== undefined) throw new Error(engine.readOnly);
  const { reader, store } = onUse(engine.pace, engine.prepare(url, environment));
  return {
    ...reader,
    put: async (...words) => (await store()).put(...words),
    remove: async (key) => (await store()).remove(key),
    claim: async () => (await store()).claim(),
  };
}

/** The same, for a program that only reads. */
export function openReader(location: string, environment: StoreEnvironment = {}): Reader {
  const found = isRemote(location) ? engineAt(location) : undefined;
  if (found?.engine.readOnly === undefined) return openStore(location, environment);
  const { reader } = onUse(found.engine.pace, found.engine.prepare(found.url, environment));
  return { ...reader, canList: false };
}

/** @throws Error that quotes nothing of the location. */
function engineAt(location: string): { url: URL; engine: Engine } {
  const url = parseUrl(location);
  const engine = url && engineOf(url.href);
  if (engine) return { url, engine };
  const refusal = ENGINES.find(({ unsupported }) => unsupported?.like.test(location))?.unsupported?.error;
  const starts = ["file:///", ...SCHEMES.map((scheme) => `${scheme}://`)].join(" or ");
  throw new Error(
    refusal ??
      `must be the path of a directory, or a URL that starts with ${starts}; a port is at most 65535, and special characters of a password are percent-encoded`,
  );
}

function engineOf(location: string): Engine | undefined {
  const scheme = /^(.*?):/.exec(location.toLowerCase())?.[1] ?? "";
  return ENGINES.find(({ schemes }) => schemes.includes(scheme));
}

/** A scheme, or user info without a scheme. */
const LIKE_A_URL = /^[a-z][a-z0-9+.-]+:|:\/\/|^\/*[^/\\]*:[^/\\]*@/i;

/** False for a directory's path and a `file:///` URL. A URL in quotes, after a space, without its scheme or its scheme's colon is no
 * path: as one, its password would be the name of a directory. */
export function isRemote(location: string): boolean {
  const lacksColon = SCHEMES.some((scheme) => location.toLowerCase().startsWith(`${scheme}//`));
  return (lacksColon || LIKE_A_URL.test(location)) && !/^file:\/\/\//i.test(location);
}

/** `files`, or the scheme of a remote store. `location` is one that `openStore` takes. */
export function kindOfStore(location: string): string {
  return isRemote(location) ? new URL(location).protocol.slice(0, -1) : "files";
}

/** True for the snapshots of another server, which can only be read. */
export function isFollowed(location: string): boolean {
  return engineOf(location)?.readOnly !== undefined;
}

/** What the variables add to a location: the same words may be stores of two accounts. */
export function endpointOf(location: string, environment: StoreEnvironment): string | undefined {
  return engineOf(location)?.endpoint?.(environment);
}

/** A store whose operations count as under way. */
function counted(store: Store): Store {
  return {
    ...store,
    get: (...words) => underWay(store.get(...words)),
    put: (...words) => underWay(store.put(...words)),
    list: (folder) => underWay(store.list(folder)),
    remove: (key) => underWay(store.remove(key)),
    claim: () => underWay(store.claim()),
  };
}

/** Replicas that start together must not ask together. */
const SPREAD = 0.15;

/** `pace`: in ms; `load`: called at the first use. */
function onUse<T extends LoadedReader>(pace: number, load: () => Promise<T>): { reader: Reader; store(): Promise<T> } {
  let loading: Promise<T> | undefined;
  let isClosed = false;
  const store = async () => {
    if (isClosed) throw new Unreachable("the store is closed");
    return (loading ??= load().catch((cause: unknown) => {
      throw StoreError.because("the code of the store could not be loaded: start again", errorCode(cause), cause);
    }));
  };
  const reader: Reader = {
    pace: pace * (1 - SPREAD + 2 * SPREAD * Math.random()),
    get: async (...words) => (await store()).get(...words),
    list: async (folder) => (await store()).list(folder),
    ahead: async () => (await store()).ahead?.(),
    engine: async () => (await store()).engine?.(),
    watch(hint) {
      // A store that cannot be loaded says so at the next read.
      const watching = store().then(
        (opened) => opened.watch(hint),
        () => () => {},
      );
      return () => void watching.then((stop) => stop());
    },
    async close() {
      isClosed = true;
      await loading?.then(
        (store) => store.close(),
        () => {},
      );
    },
  };
  return { reader, store };
}
