// Source `velopack`: releases.{channel}.json, as Velopack writes it: every package of one channel, which is for one platform.
// It names only packages for its updater, so the installer's link comes from the settings; what it says of a file is of that name.
import * as z from "zod";
import { jsonReader } from "../json.ts";
import { fileName } from "../../../parsing/link.ts";
import { listOf, notes, shortText, statedText } from "../shape.ts";
import { readFileName } from "../releases/file-name.ts";
import { installerLink } from "../releases/installer.ts";
import { newestVersion, prereleases, type ListedVersion } from "../releases/version-feed.ts";
import { platformOf } from "../../../source.ts";
import { feedKind, feedSettings } from "../kinds.ts";

/** Full and delta packages of a version have the same notes. */
const VelopackAsset = z.object({
  Version: shortText,
  NotesMarkdown: notes,
  FileName: statedText,
  SHA256: statedText,
  Size: z.unknown().optional(),
});
const VelopackFeed = z.object({ Assets: listOf(VelopackAsset, 10_000) }).transform(({ Assets }): ListedVersion[] =>
  Assets.map(({ Version: version, NotesMarkdown: notes, FileName: name, SHA256: sha256, Size: size }) => {
    return { version, notes, date: "", link: "", name, file: { sha256, size } };
  }),
);

export const readVelopack = jsonReader(VelopackFeed, "a Velopack feed");

export const velopack = feedKind({
  settings: z
    .strictObject({
      from: z.literal("velopack"),
      ...feedSettings("URL of the channel's feed, such as https://dl.acme.com/releases.win.json"),
      installer: installerLink.describe(
        "Link of the installer, absolute or relative to the feed, such as Notes-win-Setup.exe; {version} stands for the version",
      ),
      prereleases,
    })
    .describe("releases.{channel}.json of Velopack"),
  read: readVelopack,
  accept: "application/json",
  check({ url }, names) {
    const channel = readFileName(fileName(url).replace(/\.json$/i, ""), new Set());
    if (channel.platform === undefined || names.some((name) => platformOf(name) === channel.platform)) return;
    throw new Error("the channel in the URL is for another platform");
  },
  translate: (versions, platform, settings) => newestVersion(versions, [], { ...settings, platform }),
});
