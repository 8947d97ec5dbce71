// The public types for a vendor's own source module. A module in plain JavaScript does not need this file: it exports the
// function itself.
import type { LatestReleaseResponse, PlansResponse } from "../../snapshots/schema.ts";

/** A payload for each requested snapshot. Fields that Vitrine does not list are dropped. */
export interface ModuleAnswer {
  plans?: PlansResponse;
  "release-macos"?: LatestReleaseResponse;
  "release-windows"?: LatestReleaseResponse;
}

export interface ModuleTools {
  /** The requested snapshots. */
  readonly names: readonly (keyof ModuleAnswer)[];
  /** GET a text within Vitrine's limits: https, 10 MiB, a few redirects and retries. `$NAME` and `Bearer $NAME` in headers
   * stand for environment variables. @throws Error with the reason; if not caught, it becomes the reason of the failure. */
  fetchText(url: string, headers?: Readonly<Record<string, string>>): Promise<string>;
  /** Aborted when the source's time is over; the module is terminated shortly after. */
  readonly signal: AbortSignal;
  /** Logs a line for the operator. It must not contain secrets. */
  log(line: string): void;
}

/** Returns the facts to publish. Throws if it cannot determine them: "unknown" must not look like "none". */
export type ModuleSource = (tools: ModuleTools) => Promise<ModuleAnswer> | ModuleAnswer;

/** Gives a module its types. Plain JavaScript only needs the function:
 *
 * ```js
 * export default async ({ fetchText, log }) => {
 *   const shop = JSON.parse(await fetchText("https://shop.acme.example/prices", { "x-api-key": "$SHOP_KEY" }));
 *   log("asked the shop");
 *   return { plans: { currency: "EUR", cycles: […], plans: […] } };
 * };
 * ``` */
export function defineSource(source: ModuleSource): ModuleSource {
  return source;
}
