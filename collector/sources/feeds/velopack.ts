// Source `velopack`: releases.{channel}.json, as Velopack writes it: every package of one channel, which is for one platform.
// It names only packages for its updater, so the installer's link comes from the settings.
import * as z from "zod";
import { requestHeaders, requestTimeout, upstreamUrl } from "../../http/request.ts";
import { parseJson } from "../../parsing/json.ts";
import { checkShape, listOf, notes, shortText } from "../../parsing/shape.ts";
import { readFileName, fileName } from "../../releases/file-name.ts";
import { installerLink } from "../../releases/installer.ts";

import { newestVersion, versionFeedSettings, type ListedVersion } from "../../releases/version-feed.ts";
import { ownSchedule } from "../../setting-values.ts";
import { MIB, sourceKind, type DocumentReader } from "../../source.ts";
import { feedSource, requireOnePlatform } from "../release-source.ts";

const VelopackSettings = z
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

/** Full and delta packages of a version have the same notes. */
const VelopackFeed = z.object({ Assets: listOf(z.object({ Version: shortText, NotesMarkdown: notes }), 10_000) });

export const velopackReader: DocumentReader<ListedVersion[]> = {
  maxBytes: 4 * MIB,
  read(text) {
    const { Assets } = checkShape(VelopackFeed, parseJson(text), "a Velopack feed");
    return Assets.map(({ Version, NotesMarkdown }) => ({ version: Version, notes: NotesMarkdown, date: "", link: "" }));
  },
};

export const velopack = sourceKind({
  settings: VelopackSettings,
  open(settings, context) {
    const { names } = context;
    requireOnePlatform("velopack", names);
    const channel = readFileName(fileName(settings.url).replace(/\.json$/i, ""), new Set());
    const platform = names.includes("release-macos") ? "macos" : "windows";
    if (channel.platform !== undefined && channel.platform !== platform) {
      throw new Error("the channel in the URL is for another platform");
    }
    const feed = {
      kind: "velopack",
      reader: velopackReader,
      accept: "application/json",
      translate: (versions: ListedVersion[]) => newestVersion(versions, [], { ...settings, platform }),
    };
    return feedSource(feed, settings, context);
  },
});
