// Source `electron-builder`: latest.yml or latest-mac.yml, which electron-builder writes next to the installers for its
// updater, one per platform.
import * as z from "zod";
import type { Platform } from "../../../snapshots/schema.ts";
import { markdownText } from "../../parsing/markdown.ts";
import {
  checkShape,
  linkText,
  listOf,
  notes,
  optionalLink,
  optionalText,
  shortText,
  statedText,
  displayName,
} from "../../parsing/shape.ts";
import { parseYaml } from "../../parsing/yaml.ts";
import { architecture, chooseInstaller, rejectedLines, settle } from "../../releases/installer.ts";
import { fileName, linkedFrom, linkFrom } from "../../releases/file-name.ts";
import { releaseCandidate } from "../../releases/release.ts";
import type { Candidate, Read } from "../../source.ts";
import { feedKind, feedSettings } from "../release-source.ts";

const ElectronBuilderSettings = z
  .strictObject({
    from: z.literal("electron-builder"),
    ...feedSettings("URL of the update feed, such as https://dl.acme.com/latest-mac.yml"),
    arch: architecture,
  })
  .describe("latest.yml or latest-mac.yml of electron-builder");
type ElectronBuilderSettings = z.infer<typeof ElectronBuilderSettings>;

const ElectronBuilderDocument = z.object({
  version: shortText,
  files: listOf(z.object({ url: linkText, size: z.unknown().optional(), sha512: statedText }), 1_000).nullish(),
  /** It is the only file of old documents, which have no list. */
  path: optionalLink,
  sha512: statedText,
  releaseDate: optionalText,
  releaseNotes: z.union([notes, listOf(z.object({ version: shortText, note: notes }), 1_000)]),
});
type ElectronBuilderDocument = z.infer<typeof ElectronBuilderDocument>;

export const readElectronBuilder: Read<ElectronBuilderDocument> = async (text) =>
  checkShape(ElectronBuilderDocument, await parseYaml(text), "an electron-builder update feed");

export const electronBuilder = feedKind({ settings: ElectronBuilderSettings, read: readElectronBuilder, translate });

function translate(
  document: ElectronBuilderDocument,
  platform: Platform,
  { url, arch, forceUpdate }: ElectronBuilderSettings,
): Candidate {
  const listed = document.files?.length ? document.files : [{ url: document.path, sha512: document.sha512 }];
  const files = listed.map((file) => ({ ...file, name: fileName(file.url) }));
  const choice = chooseInstaller(files, { platform, arch, acceptsUnmarked: true });
  // These documents always describe a release: without an installer it is a mistake, never "no release".
  const file = settle(choice, platform, "the feed");
  const found = {
    version: document.version.replace(/^v(?=\d)/i, ""),
    changelog: changelogOf(document),
    url: linkFrom(file.url, url),
    size: file.size,
    date: document.releaseDate,
    forceUpdate,
    files: linkedFrom(choice.files, url),
  };
  return releaseCandidate(platform, found, {
    picked: `${displayName(file.name)} of ${displayName(document.version)}`,
    skipped: rejectedLines(choice),
  });
}

function changelogOf({ version, releaseNotes }: ElectronBuilderDocument): string {
  if (typeof releaseNotes === "string") return markdownText(releaseNotes);
  return markdownText(releaseNotes.find((notes) => notes.version === version)?.note ?? "");
}
