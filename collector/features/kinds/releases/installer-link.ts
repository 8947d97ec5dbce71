// The link of an installer in the settings, for feeds that only name packages for their own updater.
import * as z from "zod";
import { isSafeUrl, parseUrl } from "../../../../snapshots/rules.ts";

const VERSION = "{version}";
const SOME_FEED = new URL("https://feed.invalid/");

export const installerLink = z
  .string()
  .min(1)
  .refine(isTemplate, `must be a link, in which ${VERSION} may stand behind the host and no other placeholder`);

export function installerFor(template: string, version: string): string {
  return template.replaceAll(VERSION, () => encodeURIComponent(version.toWellFormed()));
}

/** No version can lead to another host. */
function isTemplate(text: string): boolean {
  const [one, other] = ["1", "2"].map((version) => parseUrl(installerFor(text, version), SOME_FEED));
  return !/[{}*]|\$1|%[A-Z]{3,}%/.test(installerFor(text, "1")) && isSafeUrl(one) && one?.origin === other?.origin;
}
