// A store at the edge: the snapshots at an address, or two functions over what the platform has, such as KV or R2.
import { createHash } from "node:crypto";
import { parseUrl } from "../../snapshots/rules.ts";
import { currentKey } from "../../snapshots/snapshot-io.ts";
import { SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { StoreError, Unreachable, type Reader } from "../../snapshots/store.ts";
import { connectionsByFetch } from "../../snapshots/stores/https/by-fetch.ts";
import { followed } from "../../snapshots/stores/https/location.ts";
import { openHttpsReader } from "../../snapshots/stores/https/reader.ts";
import { MAX_VALUE_BYTES } from "../../snapshots/stores/values.ts";
import type { PlatformStore } from "./interface.ts";

/** How long a platform's function may take. */
const CALL_MS = 5_000;
/** Each request costs money. */
const PACE_MS = 15_000;

/** `store`: `https://host/snapshots/`, or functions. @throws Error that names the option. */
export function readerOf(store: string | PlatformStore): Reader {
  return typeof store === "string" ? atAddress(store) : overFunctions(store);
}

function atAddress(location: string): Reader {
  const url = parseUrl(location);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error("store: must be https://host/snapshots/, or an object with get and list");
  }
  const place = followedAt(url);
  const connections = connectionsByFetch(place.folder, MAX_VALUE_BYTES);
  return { ...openHttpsReader(place, SNAPSHOT_NAMES.map(currentKey), connections), pace: PACE_MS };
}

function followedAt(url: URL): ReturnType<typeof followed> {
  try {
    return followed(url);
  } catch (error) {
    throw new Error(`store: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function overFunctions({ get, list, pace = PACE_MS }: PlatformStore): Reader {
  return {
    pace,
    async get(key, ifNot) {
      const value = await inTime(get(key));
      if (value === null || value === undefined) return undefined;
      const bytes = value instanceof Uint8Array ? value : new Uint8Array(value);
      if (bytes.byteLength > MAX_VALUE_BYTES) throw new StoreError(`over ${MAX_VALUE_BYTES} bytes`);
      const version = createHash("sha256").update(bytes).digest("hex");
      return version === ifNot ? "unchanged" : { bytes, version };
    },
    list: (folder) => (list ? inTime(list(folder)) : Promise.reject(new StoreError("the store has no function list"))),
    watch: () => () => {},
    close: async () => {},
  };
}

/** @throws Unreachable, without the platform's words, which may hold a secret. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), CALL_MS);
  });
  try {
    return await Promise.race([answer, timeout]);
  } catch (cause) {
    throw new Unreachable("the platform's store does not answer: see its log and its binding", { cause });
  } finally {
    clearTimeout(timer);
  }
}
