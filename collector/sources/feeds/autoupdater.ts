// Source `autoupdater`: the XML document of AutoUpdater.NET, a library for Windows only. It describes the newest release.
import * as z from "zod";
import { checkShape, linkText, shortText, displayName } from "../../parsing/shape.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "../../parsing/xml.ts";
import { installerFor, installerLink, refuseForeign } from "../../releases/installer.ts";
import { fileName, linkFrom } from "../../releases/file-name.ts";
import { releaseCandidate } from "../../releases/release.ts";
import { compareVersions } from "../../releases/version.ts";
import type { Candidate, Read } from "../../source.ts";
import { feedKind, feedSettings } from "../release-source.ts";

const AutoUpdaterSettings = z
  .strictObject({
    from: z.literal("autoupdater"),
    ...feedSettings("URL of the document, such as https://dl.acme.com/update.xml"),
    installer: installerLink
      .optional()
      .describe("Link of the installer, in place of the document's link; {version} stands for the version"),
  })
  .describe("The XML document of AutoUpdater.NET, for Windows");
type AutoUpdaterSettings = z.infer<typeof AutoUpdaterSettings>;

const single = z.array(z.custom<XmlElement>()).max(1, "must occur once");
const text = single.transform(([element]) => element?.text ?? "");
const required = (schema: z.ZodType<string, string>) => text.pipe(schema.refine((value) => value !== "", "is missing"));

const AutoUpdaterDocument = z.object({
  item: z.object({
    version: required(shortText),
    url: required(linkText),
    /** A link; true if there is one. */
    changelog: text.transform(Boolean),
    mandatory: single
      .transform(([mark]) => ({
        isSet: /^(?:true|1)$/i.test(mark?.text ?? ""),
        minVersion: textOf(mark, "@minVersion") ?? "",
      }))
      .pipe(
        z.object({
          isSet: z.boolean(),
          /** Mandatory only for installed versions below this one; `""` if for all. */
          minVersion: shortText,
        }),
      ),
  }),
});
type AutoUpdaterDocument = z.infer<typeof AutoUpdaterDocument>;

export const readAutoUpdater: Read<AutoUpdaterDocument> = (text) =>
  checkShape(AutoUpdaterDocument, fieldsOf(parseXml(text)), "a document of AutoUpdater.NET");

export const autoUpdater = feedKind({
  settings: AutoUpdaterSettings,
  read: readAutoUpdater,
  hasBoth: true,
  check(_, names) {
    if (names.includes("release-macos"))
      throw new Error('a source of kind "autoupdater" provides releases for Windows: use { "macos": …, "windows": … }');
  },
  translate: (document, _, settings) => translate(document, settings),
});

function fieldsOf(root: XmlElement | undefined): unknown {
  if (root?.name !== "item") return {};
  const named = (name: string) => childrenOf(root, name);
  return {
    item: {
      version: named("version"),
      url: named("url"),
      changelog: named("changelog"),
      mandatory: named("mandatory"),
    },
  };
}

function translate({ item }: AutoUpdaterDocument, settings: AutoUpdaterSettings): Candidate {
  const { version, changelog, mandatory } = item;
  const label = displayName(version);
  const isForAll = mandatory.minVersion === "" || compareVersions(mandatory.minVersion, version) >= 0;
  const skipped: string[] = [];
  if (mandatory.isSet && !isForAll) {
    skipped.push(`${label}: mandatory only below ${displayName(mandatory.minVersion)}; not forced`);
  }
  if (changelog) skipped.push(`${label}: its changelog is behind a link, which is not followed`);
  const { installer } = settings;
  const link = installer === undefined ? item.url : installerFor(installer, version);
  // The document is for Windows and its link for an updater: any name will do that marks nothing else.
  refuseForeign(link, "windows", installer === undefined ? "the document" : "the settings");
  const found = {
    version,
    url: linkFrom(link, settings.url),
    forceUpdate: settings.forceUpdate || (mandatory.isSet && isForAll),
  };
  return releaseCandidate("windows", found, { picked: `${displayName(fileName(link))} of ${label}`, skipped });
}
