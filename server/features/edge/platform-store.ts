// A store at the edge: the snapshots at an address, or two functions over what the platform has, such as KV or R2.
import { parseUrl } from "../../../snapshots/rules.ts";
import { sha256 } from "../../../snapshots/snapshot.ts";
import { StoreError, Unreachable, type Reader, MAX_VALUE_BYTES } from "../../../snapshots/store.ts";
import { openHttpsReader } from "../../../snapshots/features/follow/https.ts";
import { followedPlace, type FollowedPlace } from "../../../snapshots/features/follow/location.ts";
import type { Connections, HttpAnswer, HttpRequest } from "../../../snapshots/features/connections/connections.ts";
import { errorCode } from "../../../snapshots/system-calls.ts";
import type { PlatformStore } from "./interface.ts";

/** How long a platform's function may take. */
const CALL_MS = 5_000;
const FORM = "store: must be https://host/snapshots/, or an object with get and list";
/** Each request costs money. */
const PACE_MS = 15_000;

/** `store`: `https://host/snapshots/`, or functions. `warn`: gets a line when the history cannot be read.
 * @throws Error that names the option. */
export function readerOf(store: string | PlatformStore, warn: (message: string) => void): Reader {
  return typeof store === "string" ? atAddress(store) : overFunctions(store, warn);
}

function atAddress(location: string): Reader {
  const url = parseUrl(location);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(FORM);
  const place = followedAt(url);
  return { ...openHttpsReader(place, connectionsByFetch(place.folder)), pace: PACE_MS };
}

function followedAt(url: URL): FollowedPlace {
  try {
    return followedPlace(url);
  } catch (error) {
    throw new Error(`store: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** The first byte of each value, which is JSON. */
const OPENING_BRACE = 0x7b;

/** Connections to the host of `url` by `fetch`, for a platform that has nothing else. A server uses `connectionsTo` instead: in
 * Node.js, fetch takes 13 to 16 MB of memory. */
function connectionsByFetch(url: URL): Connections {
  return {
    async send({ method, path, headers }: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
      try {
        const response = await fetch(url.origin + path, { method, headers, signal, redirect: "manual" });
        const body = await bounded(response.body, MAX_VALUE_BYTES);
        const answered = Object.fromEntries(response.headers);
        // Cloudflare asks for compression whatever the request says, and hands over the body without it, but with this header.
        if (body?.[0] === OPENING_BRACE) delete answered["content-encoding"];
        return { status: response.status, headers: answered, body };
      } catch (error) {
        // Node.js wraps the error that has a code.
        const cause = error instanceof Error ? error.cause : undefined;
        throw errorCode(cause) === undefined ? error : cause;
      }
    },
    close() {},
  };
}

/** All bytes of a stream, or undefined if there are more than `maxBytes`. */
export async function bounded(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream?.getReader();
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    length += read.value.byteLength;
    chunks.push(read.value);
    if (length <= maxBytes) continue;
    await reader?.cancel().catch(() => {});
    return undefined;
  }
  return Buffer.concat(chunks, length);
}

function overFunctions(store: PlatformStore, warn: (message: string) => void): Reader {
  const pace = paceOf(store);
  let isListed = true;
  return {
    pace,
    canList: store.list !== undefined,
    async get(key, ifNot) {
      const value: unknown = await inTime(() => store.get(key));
      if (value === null || value === undefined) return undefined;
      const bytes = bytesOf(value);
      if (bytes.byteLength > MAX_VALUE_BYTES) throw new StoreError(`over ${MAX_VALUE_BYTES} bytes`);
      const version = sha256(bytes);
      return version === ifNot ? "unchanged" : { bytes, version };
    },
    async list(folder) {
      if (!store.list) throw new StoreError("the store has no function list");
      try {
        const keys = keysOf(await inTime(() => store.list?.(folder)), folder);
        isListed = true;
        return keys;
      } catch (error) {
        if (isListed) warn(`the history cannot be read: ${error instanceof Error ? error.message : String(error)}`);
        isListed = false;
        throw error;
      }
    },
    watch: () => () => {},
    close: async () => {},
  };
}

/** @throws Error that names the option, for a store that cannot be asked. */
function paceOf(store: unknown): number {
  const { get, list = get, pace = PACE_MS } = Object(store) as Partial<Record<keyof PlatformStore, unknown>>;
  if (typeof get !== "function") throw new Error(FORM);
  if (typeof list !== "function") throw new Error("store.list: must be a function, or left out");
  if (typeof pace === "number" && pace > 0 && pace < Infinity) return pace;
  throw new Error("store.pace: must be a number above 0, in ms");
}

/** @throws Unreachable for any other value. */
function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new Unreachable("store.get must give an ArrayBuffer or a Uint8Array");
}

/** Keys in another form are no empty list, which would say that nothing has ever changed. @throws Unreachable */
function keysOf(listed: unknown, folder: string): string[] {
  const isKey = (key: unknown) => typeof key === "string" && key.startsWith(`${folder}/`);
  if (Array.isArray(listed) && listed.every(isKey)) return listed;
  throw new Unreachable(`store.list must give an array of the keys that begin with ${folder}/`);
}

/** @throws Unreachable, without the platform's words, which may hold a secret. */
async function inTime<T>(call: () => T | Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), CALL_MS);
  });
  try {
    return await Promise.race([call(), timeout]);
  } catch (cause) {
    throw new Unreachable("the platform's store does not answer: see its log and its binding", { cause });
  } finally {
    clearTimeout(timer);
  }
}
