// Source `tauri`: latest.json of Tauri's updater, for both platforms or for one: a link for each target, or the one link of a
// server's response to a URL that names the target. Such a URL has placeholders, which each installed app fills in.
import * as z from "zod";
import type { Platform } from "../../../../snapshots/schema.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { markdownText } from "../releases/markdown.ts";
import { jsonReader, linkText, notes, optionalLink, optionalText, shortText, statedText } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { architecture, chooseInstaller, rejectedLines, settle } from "../releases/installer.ts";
import { linkedFrom, linkFrom, oneForEachLink } from "../releases/linked-files.ts";
import { refuseOtherRelease, releaseCandidate } from "../releases/release.ts";
import { feedKind, feedSettings } from "../kinds.ts";

const MAX_TARGETS = 200;

const TauriDocument = z.object({
  version: shortText,
  notes,
  pub_date: optionalText,
  url: optionalLink,
  signature: statedText,
  platforms: z
    .record(shortText, z.object({ url: linkText, signature: statedText }))
    .refine((targets) => Object.keys(targets).length <= MAX_TARGETS, `must have at most ${MAX_TARGETS} entries`)
    .nullish()
    .transform((targets) => Object.entries(targets ?? {}).map(([target, file]) => ({ target, ...file }))),
});
type TauriDocument = z.infer<typeof TauriDocument>;
type Target = TauriDocument["platforms"][number];

export const readTauri = jsonReader(TauriDocument, "a Tauri update feed");

export const tauri = feedKind({
  settings: z
    .strictObject({
      from: z.literal("tauri"),
      ...feedSettings("URL of latest.json, such as https://dl.acme.com/latest.json"),
      arch: architecture,
    })
    .describe("latest.json of Tauri's updater"),
  read: readTauri,
  accept: "application/json",
  hasBoth: true,
  addressOf({ url, arch }, names) {
    const [, single] = /(?<!\{)\{(target|arch|current_version)\}(?!\})/.exec(url) ?? [];
    if (single !== undefined) throw new Error(`url has {${single}}: write {{${single}}}`);
    return url.replace(PLACEHOLDER, (_, placeholder: string) => {
      if (placeholder === "current_version") return OLDEST;
      if (names.length > 1)
        throw new Error(`url has {{${placeholder}}}: use { "macos": …, "windows": … } with this source for each`);
      const isMac = names[0] === "release-macos";
      if (placeholder === "target") return isMac ? "darwin" : "windows";
      if (placeholder === "arch") return PROCESSORS[arch ?? (isMac ? "universal" : "x64")];
      throw new Error("url has a placeholder that is none of {{target}}, {{arch}} and {{current_version}}: fill it in");
    });
  },
  translate(document, platform, settings) {
    const { platforms } = document;
    const targets = platforms.length > 0 ? platforms : onlyTarget(document, platform, settings.isOnly);
    const skipped = targets.flatMap(({ target }) => {
      const owner = systemOf(target);
      if (owner === platform) return [];
      return [
        `${displayName(target)}: ${owner === undefined ? "no known system in its name" : "for another platform"}`,
      ];
    });
    const ours = targets.filter(({ target }) => systemOf(target) === platform);
    // A build adds the targets of a system when it has ended, so that those of this one may be on their way.
    if (ours.length === 0 && targets.every(({ target }) => systemOf(target) !== undefined)) {
      const remedy = `write "${platform}": "none" if the app is not for it`;
      throw new UpstreamError(`the feed has no target for ${platform}: ${remedy}`, { skipped });
    }
    if (ours.some(({ url }) => GITHUB_API_ASSET.test(url))) {
      throw new UpstreamError('its links are to the API of GitHub, not to files: use "from": "github"');
    }
    const files = oneForEachLink(ours.map(({ target: label, ...file }) => ({ ...file, label })));
    const choice = chooseInstaller(files, { platform, arch: settings.arch, acceptsUnmarked: true });
    const file = settle(choice, platform, "the feed");
    refuseOtherRelease(file.url, [document.version]);
    return releaseCandidate(platform, {
      version: document.version.replace(/^v(?=\d)/i, ""),
      changelog: markdownText(document.notes),
      url: linkFrom(file.url, settings.url),
      date: document.pub_date,
      forceUpdate: settings.forceUpdate,
      files: linkedFrom(choice.files, settings.url),
      picked: `${displayName(file.name)} of ${displayName(document.version)}`,
      skipped: [...skipped, ...rejectedLines(choice)],
    });
  },
});

/** Also as a browser copies it. */
const PLACEHOLDER = /(?:\{\{|%7B%7B)(.*?)(?:\}\}|%7D%7D)/gi;
/** Servers have nothing for an app of the newest version. */
const OLDEST = "0.0.0";
/** As Tauri names them. An app for all Macs runs as the one for its computer. */
const PROCESSORS = { universal: "aarch64", arm64: "aarch64", x64: "x86_64", ia32: "i686" };

const GITHUB_API_ASSET = /^https:\/\/api\.github\.com\/repos\/[^?#]+\/releases\/assets\//;

/** The target of a server's response to a URL that names one. */
function onlyTarget({ url, signature }: TauriDocument, platform: Platform, isOnly: boolean): Target[] {
  if (url === "") throw new UpstreamError("the feed has no link for any target");
  if (!isOnly) throw new UpstreamError("the feed has one link without a platform: configure a source per platform");
  return [{ target: platform, url, signature }];
}

/** The first part of a target names the system, followed by the architecture and sometimes the kind of installer. */
function systemOf(target: string): Platform | "other" | undefined {
  const [system = ""] = target.toLowerCase().split("-");
  if (system === "darwin" || system === "macos") return "macos";
  if (system === "windows") return "windows";
  return ["linux", "android", "ios"].includes(system) ? "other" : undefined;
}
