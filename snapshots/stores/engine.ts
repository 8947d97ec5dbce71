// What an engine of remote stores is to the registry in open-store.ts, and what several engines read of a location. A location and
// the variables that belong to it may hold passwords, so no error quotes a word of them.
import type { LoadedReader, LoadedStore } from "../store.ts";

/** Environment variables, of which a remote store takes its credentials. */
export type StoreEnvironment = Readonly<Record<string, string | undefined>>;

/** Checks a location with one of the engine's schemes, without using it. Returns a function that loads the engine's code and opens
 * the store. @throws Error that quotes nothing of the location. */
type Prepare<T> = (url: URL, environment: StoreEnvironment) => () => Promise<T>;

/** `readOnly`: for an engine whose stores can only be read, the error of opening one for a collector. */
export type Engine = (
  | { readOnly?: undefined; prepare: Prepare<LoadedStore> }
  | { readOnly: string; prepare: Prepare<LoadedReader> }
) & {
  /** Without a colon. `kindOfStore` returns them. */
  schemes: readonly string[];
  /** How often a reader without a hint asks, in ms, give or take 15 %. */
  pace: number;
  /** Where else the variables say that the store is. */
  endpoint?: (environment: StoreEnvironment) => string | undefined;
  /** Locations that other programs take for this engine, and the error for them. */
  unsupported?: { like: RegExp; error: string };
};

/** User name and password of a location, decoded; undefined without either. `form`: the error's message. @throws Error */
export function userInfo({ username, password }: URL, form: string): [user: string, password: string] | undefined {
  if (username === "" && password === "") return undefined;
  try {
    return [decodeURIComponent(username), decodeURIComponent(password)];
  } catch {
    // Its own words would quote the text.
    throw new Error(form);
  }
}
