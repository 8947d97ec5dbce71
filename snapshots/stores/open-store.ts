// Opens the store at a location from the settings: a directory, or a URL with a scheme for the kind of store. A remote one loads
// its code and connects at its first use: opening is synchronous, and a store of files loads nothing more.
import { fileURLToPath } from "node:url";
import { parseUrl } from "../rules.ts";
import {
  MAX_VALUE_BYTES,
  StoreError,
  Unreachable,
  type LoadedReader,
  type LoadedStore,
  type Reader,
  type Store,
} from "../store.ts";
import { errorCode, underWay } from "../system-calls.ts";
import { openFileStore } from "./files/file-store.ts";
import { followed, REDIS_FORM, redisPlace, s3Place } from "./locations.ts";

/** Environment variables, of which a remote store takes its credentials. */
type StoreEnvironment = Readonly<Record<string, string | undefined>>;

/** Checks the location, which may have user info, without using it. @throws Error that quotes nothing of the location. */
type Open = (url: URL, environment: StoreEnvironment) => Store;

const openRedis: Open = (url, environment) => {
  const place = redisPlace(url, environment);
  return loadedOnUse(5_000, async () => (await import("../features/redis/redis-store.ts")).openRedisStore(place));
};

const openS3: Open = (url, environment) => {
  const place = s3Place(url, environment);
  // Each request costs money.
  return loadedOnUse(15_000, async () => (await import("../features/s3/s3-store.ts")).openS3Store(place));
};

const REMOTE: Readonly<Record<string, Open>> = { "redis:": openRedis, "rediss:": openRedis, "s3:": openS3 };

/** Other programs write a Redis behind Sentinel, in a cluster, or on a unix socket so: `redis+sentinel://`, `redis://h1:6379,h2`,
 * `unix://`. */
const UNSUPPORTED_REDIS = /^(rediss?[+-].*:|rediss?:\/\/[^/?#]*,|unix:)/i;

/** `location`: a directory's path, a `file:///` URL or the URL of a remote store, which is loaded at its first use.
 * @throws Error for any other location, and for one that can only be read; quotes nothing of it. */
export function openStore(location: string, environment: StoreEnvironment = {}): Store {
  if (!isRemote(location)) return counted(openFileStore(/^file:/i.test(location) ? fileURLToPath(location) : location));
  const url = parseUrl(location);
  const open = url && REMOTE[url.protocol];
  if (open) return open(url, environment);
  if (url && isFollowed(location)) throw new Error("belongs to another server, which collects; follow it here");
  if (UNSUPPORTED_REDIS.test(location)) throw new Error(REDIS_FORM);
  const schemes = [...Object.keys(REMOTE), "https:", "http:"].map((scheme) => `${scheme}//`);
  throw new Error(
    `must be the path of a directory, or a URL that starts with ${["file:///", ...schemes].join(" or ")}; a port is at most 65535, and special characters of a password are percent-encoded`,
  );
}

/** The same, for a program that only reads. */
export function openReader(location: string, environment: StoreEnvironment = {}): Reader {
  const url = isRemote(location) ? parseUrl(location) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return openStore(location, environment);
  const place = followed(url);
  const { reader } = onUse(15_000, async () => {
    const loading = import("../features/follow/https.ts");
    const { connectionsTo } = await import("./http-client.ts");
    return (await loading).openHttpsReader(place, connectionsTo(place.folder, MAX_VALUE_BYTES));
  });
  return { ...reader, canList: false };
}

/** A scheme, also one without its colon, or user info without a scheme. */
const LIKE_A_URL = /^[a-z][a-z0-9+.-]+:|:\/\/|^(rediss?|s3|https?)\/\/|^\/*[^/\\]*:[^/\\]*@/i;

/** False for a directory's path and a `file:///` URL. A URL in quotes, after a space or without its scheme is no path: as one,
 * its password would be the name of a directory. */
export function isRemote(location: string): boolean {
  return LIKE_A_URL.test(location) && !/^file:\/\/\//i.test(location);
}

/** `files`, or the scheme of a remote store. `location` is one that `openStore` takes. */
export function kindOfStore(location: string): string {
  return isRemote(location) ? new URL(location).protocol.slice(0, -1) : "files";
}

/** True for the snapshots of another server, which can only be read. */
export function isFollowed(location: string): boolean {
  return /^https?:/i.test(location);
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

/** Replicas that start together must not ask together. */
const SPREAD = 0.15;

/** `pace`: how often a reader without a hint asks, in ms, give or take 15 %. */
function loadedOnUse(pace: number, load: () => Promise<LoadedStore>): Store {
  const { reader, store } = onUse(pace, load);
  return {
    ...reader,
    put: async (...words) => (await store()).put(...words),
    remove: async (key) => (await store()).remove(key),
    claim: async () => (await store()).claim(),
  };
}

function onUse<T extends LoadedReader>(pace: number, load: () => Promise<T>): { reader: Reader; store(): Promise<T> } {
  let loading: Promise<T> | undefined;
  let isClosed = false;
  const store = () => {
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
    watch(hint) {
      let isOver = false;
      let stop = () => {};
      const start = async () => {
        const opened = await store();
        if (!isOver) stop = opened.watch(hint);
      };
      // A store that cannot be loaded says so at the next read.
      start().catch(() => {});
      return () => {
        isOver = true;
        stop();
      };
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
