// Source `autoupdater`: the XML document of AutoUpdater.NET, a library for Windows only. It describes the newest release.
import * as z from "zod";
import { UpstreamError } from "../../../http/errors.ts";
import { fileName } from "../../../parsing/link.ts";
import { checkShape, linkText, shortText, statedText } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "./xml.ts";
import { installerFor, installerLink } from "../releases/installer-link.ts";
import { refuseForeign } from "../releases/installer.ts";
import { linkFrom } from "../releases/linked-files.ts";
import { refuseOtherRelease, releaseCandidate } from "../releases/release.ts";
import { compareVersions } from "../../versions/version.ts";
import type { Read } from "../../../source.ts";
import { feedKind, feedSettings } from "../kinds.ts";

const AutoUpdaterDocument = z.object({
  version: shortText.min(1),
  url: linkText.min(1),
  hasChangelog: z.boolean(),
  isMandatory: z.boolean(),
  /** Mandatory only for installed versions below this one; `""` if for all. */
  minVersion: shortText,
  sha256: statedText,
  sha512: statedText,
});
type AutoUpdaterDocument = z.infer<typeof AutoUpdaterDocument>;

const EXPECTED = "a document of AutoUpdater.NET";

export const readAutoUpdater: Read<AutoUpdaterDocument> = (text) =>
  checkShape(AutoUpdaterDocument, fieldsOf(parseXml(text)), EXPECTED);

export const autoUpdater = feedKind({
  settings: z
    .strictObject({
      from: z.literal("autoupdater"),
      ...feedSettings("URL of the document, such as https://dl.acme.com/update.xml"),
      installer: installerLink
        .optional()
        .describe("Link of the installer, in place of the document's link; {version} stands for the version"),
    })
    .describe("The XML document of AutoUpdater.NET, for Windows"),
  read: readAutoUpdater,
  hasBoth: true,
  check(_, names) {
    if (names.includes("release-macos"))
      throw new Error(
        'a source of kind "autoupdater" provides releases for Windows: use { "macos": "none", "windows": … }, or another source for macOS',
      );
  },
  translate(document, _, settings) {
    const { version, isMandatory, minVersion, sha256, sha512 } = document;
    const label = displayName(version);
    const isForAll = minVersion === "" || compareVersions(minVersion, version) >= 0;
    const skipped: string[] = [];
    if (isMandatory && !isForAll) {
      skipped.push(`${label}: mandatory only below ${displayName(minVersion)}; not forced`);
    }
    if (document.hasChangelog) skipped.push(`${label}: its changelog is behind a link, which is not followed`);
    const { installer } = settings;
    const link = installer === undefined ? document.url : installerFor(installer, version);
    // The document is for Windows and its link for an updater: any name will do that marks nothing else.
    refuseForeign(link, "windows", installer === undefined ? "the document" : "the settings");
    refuseOtherRelease(link, [version]);
    const url = linkFrom(link, settings.url);
    return releaseCandidate("windows", {
      version,
      url,
      forceUpdate: settings.forceUpdate || (isMandatory && isForAll),
      // The checksum is of the document's file.
      files: installer === undefined ? [{ url, sha256, sha512 }] : [],
      picked: `${displayName(fileName(link))} of ${label}`,
      skipped,
    });
  },
});

function fieldsOf(root: XmlElement | undefined): z.input<typeof AutoUpdaterDocument> {
  const only = (name: string) => {
    const [element, another] = root?.name === "item" ? childrenOf(root, name) : [];
    if (another) throw new UpstreamError(`not ${EXPECTED}: ${name}: must occur once`);
    return element;
  };
  const mandatory = only("mandatory");
  const checksum = only("checksum");
  // AutoUpdater.NET takes a checksum without the name of its algorithm for MD5.
  const sum = (name: RegExp) => (name.test(textOf(checksum, "@algorithm") ?? "") ? checksum?.text : undefined);
  return {
    version: only("version")?.text ?? "",
    url: only("url")?.text ?? "",
    hasChangelog: Boolean(only("changelog")?.text),
    isMandatory: /^(?:true|1)$/i.test(mandatory?.text ?? ""),
    minVersion: textOf(mandatory, "@minVersion") ?? "",
    sha256: sum(/^sha-?256$/i),
    sha512: sum(/^sha-?512$/i),
  };
}
