// Source `squirrel`: the feed of Squirrel.Windows (RELEASES) or Squirrel.Mac (RELEASES.json), one per platform.
import * as z from "zod";
import { requestHeaders, requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { installerLink } from "../../releases/installer-link.ts";
import { displayName, releaseSource, requireOnePlatform } from "../../releases/release.ts";
import { newestVersion, versionFeedSettings, type VersionCriteria } from "../../releases/version-feed.ts";
import { ownSchedule } from "../../settings/cron.ts";
import type { Candidate, Source, SourceContext } from "../../source.ts";
import { fetchDocument } from "../fetch-document.ts";
import { squirrelReader, type SquirrelVersion } from "./read.ts";

export const SquirrelSettings = z
  .strictObject({
    from: z.literal("squirrel"),
    url: upstreamUrl.describe("URL of the feed, such as https://dl.acme.com/RELEASES"),
    headers: requestHeaders.optional(),
    installer: installerLink
      .optional()
      .describe(
        "Link of the installer, absolute or relative to the feed, such as Notes-{version}-Setup.exe; needed for RELEASES",
      ),
    ...versionFeedSettings,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("RELEASES of Squirrel.Windows, or RELEASES.json of Squirrel.Mac and Electron Forge");
export type SquirrelSettings = z.infer<typeof SquirrelSettings>;

export function openSquirrel(settings: SquirrelSettings, { names, environment, standIns }: SourceContext): Source {
  requireOnePlatform("squirrel", names);
  const { url, installer, timeout: deadline } = settings;
  if (names.includes("release-windows") && installer === undefined) {
    throw new Error('RELEASES only names update packages: set "installer" to the link of the installer');
  }
  const headers = secretHeaders(settings.headers ?? {}, environment);
  return releaseSource<SquirrelVersion[]>("squirrel", names, {
    fetch: ({ signal, validators }) =>
      fetchDocument(squirrelReader, url, { signal, validators, headers, standIns, deadline }),
    translate: (versions, platform) => translate(versions, { ...settings, platform }),
  });
}

/** A version for some of the users is only published if there is no other. */
function translate(versions: SquirrelVersion[], criteria: VersionCriteria): Candidate {
  const forAll = versions.filter(({ limit }) => limit === "");
  const limited = versions.filter(({ limit }) => limit !== "");
  const skipped = new Set(limited.map(({ version, limit }) => `${displayName(version)}: ${limit}`));
  return newestVersion(forAll.length > 0 ? forAll : versions, [...skipped], criteria);
}
