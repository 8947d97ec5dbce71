// The types of `vitrine/hosting`, which ship as they are here.
import type { EdgeHandler } from "../../../server/features/edge/interface.ts";

export interface VendorOptions {
  /** The base of all links, unless the settings have `api.baseUrl`. */
  base: string;
  /** How often a request reads the facts at most, in ms. */
  pace: number;
  /** Gets one line for each thing that the operator should know of this vendor. */
  warn: (message: string) => void;
}

export interface Vendor {
  /** Answers as `vitrine serve` in the folder does; undefined while the settings cannot be used. */
  handler?: EdgeHandler;
  /** Why they cannot be used, a line each. */
  problems: readonly string[];
  /** False once the settings or a file that they name have changed: open the vendor again. Looks at the files without reading them. */
  isCurrent(): boolean;
}
