// Source `velopack`: the feed of one of Velopack's channels. A channel is for one platform.
import * as z from "zod";
import { requestHeaders, requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { readFileName } from "../../releases/file-name.ts";
import { installerLink } from "../../releases/installer-link.ts";
import { fileName, releaseSource, requireOnePlatform } from "../../releases/release.ts";
import { newestVersion, versionFeedSettings, type ListedVersion } from "../../releases/version-feed.ts";
import { ownSchedule } from "../../settings/cron.ts";
import type { Source, SourceContext } from "../../source.ts";
import { fetchDocument } from "../fetch-document.ts";
import { velopackReader } from "./read.ts";

export const VelopackSettings = z
  .strictObject({
    from: z.literal("velopack"),
    url: upstreamUrl.describe("URL of the channel's feed, such as https://dl.acme.com/releases.win.json"),
    headers: requestHeaders.optional(),
    installer: installerLink.describe(
      "Link of the installer, absolute or relative to the feed, such as Notes-win-Setup.exe; {version} stands for the version",
    ),
    ...versionFeedSettings,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("releases.{channel}.json of Velopack");
export type VelopackSettings = z.infer<typeof VelopackSettings>;

export function openVelopack(settings: VelopackSettings, { names, environment, standIns }: SourceContext): Source {
  requireOnePlatform("velopack", names);
  const { url, timeout: deadline } = settings;
  const channel = readFileName(fileName(url).replace(/\.json$/i, ""), new Set());
  const platform = names.includes("release-macos") ? "macos" : "windows";
  if (channel.platform !== undefined && channel.platform !== platform) {
    throw new Error("the channel in the URL is for another platform");
  }
  const headers = { accept: "application/json", ...secretHeaders(settings.headers ?? {}, environment) };
  return releaseSource<ListedVersion[]>("velopack", names, {
    fetch: ({ signal, validators }) =>
      fetchDocument(velopackReader, url, { signal, validators, headers, standIns, deadline }),
    translate: (versions, platform) => newestVersion(versions, [], { ...settings, platform }),
  });
}
