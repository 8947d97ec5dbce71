// Source `velopack`: releases.{channel}.json, as Velopack writes it: every package of one channel, which is for one platform.
// It names only packages for its updater, so the installer's link comes from the settings; what it says of a file is of that name.
import * as z from "zod";
import { UpstreamError } from "../../../http/errors.ts";
import { displayName } from "../../../parsing/issues.ts";
import { fileName } from "../../../parsing/link.ts";
import { jsonReader, listOf, notes, shortText, statedText } from "../shape.ts";
import { readFileName } from "../releases/file-name.ts";
import { installerLink } from "../releases/installer-link.ts";
import { newestVersion, prereleases } from "../releases/version-feed.ts";
import { compareVersions, newestFirst } from "../../versions/version.ts";
import { platformOf } from "../../../source.ts";
import { feedKind, feedSettings } from "../kinds.ts";

const VelopackAsset = z.object({
  Version: shortText,
  Type: statedText,
  NotesMarkdown: notes,
  FileName: statedText,
  SHA256: statedText,
  Size: z.unknown().optional(),
});
const VelopackFeed = z.object({ Assets: listOf(VelopackAsset, 10_000) }).transform(({ Assets }) =>
  Assets.map(({ Version: version, Type: type, NotesMarkdown: notes, FileName: name, SHA256: sha256, Size: size }) => {
    const isFull = type === undefined ? !/-delta\.nupkg$/i.test(name ?? "") : /^full$/i.test(type);
    return { version, notes, date: "", link: "", name, file: { sha256, size }, isFull };
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
    const own = names.includes("release-macos") ? "osx" : "win";
    throw new Error(
      `the channel in the URL is for another platform: write that of a feed such as releases.${own}.json`,
    );
  },
  translate(packages, platform, settings) {
    const full = packages.filter(({ isFull }) => isFull);
    const [best] = newestFirst(full, ({ version }) => version);
    const whole = new Set(full.map(({ version }) => version));
    const parts = packages.map(({ version }) => version).filter((version) => !whole.has(version));
    const others = newestFirst([...new Set(parts)], (version) => version);
    const linesOf = (versions: string[]) => versions.map((version) => `${displayName(version)}: no full package`);
    const skipped = linesOf(others);
    if (!best && packages.length > 0) throw new UpstreamError("it lists no full package, only deltas", { skipped });
    const newer = others.filter((version) => best && compareVersions(version, best.version) > 0);
    return { ...newestVersion(full, skipped, { ...settings, platform }), passedOver: linesOf(newer) };
  },
});
