// What a vendor's own source module is written against. Types only, so that a module in plain JavaScript needs nothing of
// this file: it exports the function itself.
import type { LatestReleaseResponse, PlansResponse } from "../../../snapshots/schema.ts";

/** What a module answers: a payload for each snapshot that it is asked for. Fields that Vitrine does not list are dropped. */
export interface ModuleAnswer {
  plans?: PlansResponse;
  "release-macos"?: LatestReleaseResponse;
  "release-windows"?: LatestReleaseResponse;
}

export interface ModuleTools {
  /** The snapshots to answer for. */
  readonly names: readonly (keyof ModuleAnswer)[];
  /** GET a text within Vitrine's limits: https, 10 MiB, a few redirects and tries. In headers `$NAME` and `Bearer $NAME`
   * stand for environment variables. @throws Error saying what was wrong; left alone, it becomes the outcome's reason. */
  fetchText(url: string, headers?: Readonly<Record<string, string>>): Promise<string>;
  /** Aborted when the source's time is over; the module is ended right after. */
  readonly signal: AbortSignal;
  /** A line for the operator, in the module's own words: no secrets. */
  log(line: string): void;
}

/** Finds out what is to be published. Throws when it does not know: "I could not find out" must not look like "none". */
export type ModuleSource = (tools: ModuleTools) => Promise<ModuleAnswer> | ModuleAnswer;

/** Gives a module its types. In plain JavaScript the function alone will do:
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
