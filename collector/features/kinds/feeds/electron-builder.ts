// Source `electron-builder`: latest.yml or latest-mac.yml, which electron-builder writes next to the installers for its
// updater, one per platform.
import * as z from "zod";
import { UpstreamError } from "../../../http/errors.ts";
import type { TypedText } from "../../../http/fetch.ts";
import { markdownText } from "../releases/markdown.ts";
import { fileName } from "../../../parsing/link.ts";
import { checkShape, linkText, listOf, notes, optionalLink, optionalText, shortText, statedText } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { parseYaml } from "./yaml.ts";
import { architecture, chooseInstaller, rejectedLines, settle } from "../releases/installer.ts";
import { linkedFrom, linkFrom } from "../releases/linked-files.ts";
import { refuseOtherRelease, releaseCandidate } from "../releases/release.ts";
import { NOBODY, rolloutText } from "../releases/version-feed.ts";
import { feedKind, feedSettings } from "../kinds.ts";

const ElectronBuilderDocument = z.object({
  version: shortText,
  files: listOf(z.object({ url: linkText, size: z.unknown().optional(), sha512: statedText }), 1_000).nullish(),
  /** The only file of old documents, which have no list. */
  path: optionalLink,
  sha512: statedText,
  releaseDate: optionalText,
  stagingPercentage: statedText,
  releaseNotes: z.union([notes, listOf(z.object({ version: shortText, note: notes }), 1_000)]),
});

export const readElectronBuilder = async (text: TypedText) =>
  checkShape(ElectronBuilderDocument, await parseYaml(text), "an electron-builder update feed");

export const electronBuilder = feedKind({
  settings: z
    .strictObject({
      from: z.literal("electron-builder"),
      ...feedSettings("URL of the update feed, such as https://dl.acme.com/latest-mac.yml"),
      arch: architecture,
    })
    .describe("latest.yml or latest-mac.yml of electron-builder"),
  read: readElectronBuilder,
  translate(document, platform, { url, arch, forceUpdate }) {
    const { version, path, sha512, releaseDate: date, releaseNotes: notes, stagingPercentage: staged } = document;
    const rollout = rolloutText(percentOf(staged));
    if (rollout === NOBODY) {
      throw new UpstreamError(
        `${displayName(version)} is ${NOBODY} (stagingPercentage): raise it, or put the last good version into the feed`,
      );
    }
    const listed = document.files?.length ? document.files : [{ url: path, sha512 }];
    if (listed.every(({ url }) => url === ""))
      throw new UpstreamError("the feed names no file, as one of electron-builder does");
    const files = listed.map((file) => ({ ...file, name: fileName(file.url) }));
    const choice = chooseInstaller(files, { platform, arch, acceptsUnmarked: true });
    // These documents always describe a release: without an installer it is a mistake, never "no release".
    const file = settle(choice, platform, "the feed");
    refuseOtherRelease(file.url, [version]);
    return releaseCandidate(platform, {
      version: version.replace(/^v(?=\d)/i, ""),
      changelog: markdownText(
        typeof notes === "string" ? notes : (notes.find((one) => one.version === version)?.note ?? ""),
      ),
      url: linkFrom(file.url, url),
      size: file.size,
      date,
      forceUpdate,
      files: linkedFrom(choice.files, url),
      picked: `${displayName(file.name)} of ${displayName(version)}`,
      skipped: [...(rollout === "" ? [] : [`${displayName(version)}: ${rollout}`]), ...rejectedLines(choice)],
    });
  },
});

/** What electron-updater makes of it: the whole number that the text begins with. */
function percentOf(staged: string | undefined): number {
  const percent = Number.parseInt(staged ?? "", 10);
  return Number.isNaN(percent) ? 100 : Math.max(0, percent);
}
