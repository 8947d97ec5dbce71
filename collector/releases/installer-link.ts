// The link of an installer from the settings, for feeds that only name packages for their own updater.
import * as z from "zod";
import { isSafeUrl, parseUrl } from "../../snapshots/rules.ts";
import type { Platform } from "../../snapshots/schema.ts";
import { chooseInstaller, settle } from "./installer.ts";
import { fileName } from "./release.ts";

const VERSION = "{version}";
const SOME_FEED = new URL("https://feed.invalid/");

export const installerLink = z
  .string()
  .min(1)
  .refine(isTemplate, `must be a link, in which ${VERSION} may stand behind the host and nothing else in braces`);

export function installerFor(template: string, version: string): string {
  return template.replaceAll(VERSION, () => encodeURIComponent(version.toWellFormed()));
}

/** True for a link that is the same file for every version. */
export function isFixed(template: string): boolean {
  return !template.includes(VERSION);
}

/** Accepts a link without evidence against it, as the only one there is. `where`: such as `the feed`.
 * @throws UpstreamError if its name marks another platform or another kind of file. */
export function refuseForeign(link: string, platform: Platform, where: string): void {
  settle(chooseInstaller([{ name: fileName(link) }], { platform, glob: "*" }), platform, where);
}

/** No version can lead to another host. */
function isTemplate(text: string): boolean {
  const [one, other] = ["1", "2"].map((version) => parseUrl(installerFor(text, version), SOME_FEED));
  return !/[{}]/.test(installerFor(text, "1")) && isSafeUrl(one) && one?.origin === other?.origin;
}
