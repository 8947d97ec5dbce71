// The types of `vitrine/edge`, which ship as they are here, with the settings in place of their schema.
import type * as z from "zod";
import type { Api } from "../../api-settings.ts";

export type EdgeHandler = (request: Request, context?: RequestContext) => Promise<Response>;

/** What a platform gives with a request. */
export interface RequestContext {
  /** Lets work go on after the answer. */
  waitUntil?(work: Promise<unknown>): void;
}

export interface PlatformStore {
  /** The bytes under a key such as `plans.json`; nothing if there are none. May throw. */
  get(key: string): Promise<ArrayBuffer | Uint8Array | null | undefined>;
  /** The keys that begin with `history/`. Without it, the history is unknown: the feeds answer 502. */
  list?(folder: string): Promise<string[]>;
  /** How often it is asked at most, in ms; by default 15 seconds. */
  pace?: number;
}

export interface HandlerOptions {
  /** `https://host/snapshots/`, or functions over what the platform has. */
  store: string | PlatformStore;
  /** Short name of the product; snapshots of another are refused. By default made from `api.name`; without both, any is served. */
  product?: string;
  /** Public keys: only facts that one of them has signed are served. `issuer`: `api.baseUrl` of the collector that signs, by default
   * the base URL. */
  trust?: readonly string[] | { issuer: string | readonly string[]; keys: readonly string[] };
  /** The settings of the settings file, without its files. */
  api?: Omit<z.input<typeof Api>, "logo" | "picture" | "overview" | "faq">;
  /** The public base URL; by default `api.baseUrl`. */
  base?: string;
  /** Markdown for the MCP resources; by default the built-in texts. */
  texts?: { overview?: string; faq?: string };
  /** The logo as a `data:` URI. */
  logo?: string;
  /** The picture for shared links as a `data:` URI. */
  picture?: string;
  /** Whether to offer the snapshots to servers that follow this one. */
  share?: boolean;
  /** Gets one line for each thing that an operator should know; by default `console.warn`. */
  warn?: (message: string) => void;
}
