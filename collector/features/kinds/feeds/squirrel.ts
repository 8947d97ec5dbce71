// Source `squirrel`: the feed of Squirrel.Windows (RELEASES), or that of Squirrel.Mac as Electron Forge writes it
// (RELEASES.json), one per platform. A version for some of the users is only published if there is no other.
import * as z from "zod";
import { UpstreamError } from "../../../http/errors.ts";
import type { TypedText } from "../../../http/fetch.ts";
import { fileName } from "../../../parsing/link.ts";
import { checkShape, linkText, listOf, MAX_NAME, notes, optionalText, parseJson, shortText } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { installerLink } from "../releases/installer-link.ts";
import { PLATFORM_SUFFIX } from "../releases/tag.ts";
import { compareVersions } from "../../versions/version.ts";
import { newestVersion, NOBODY, prereleases, rolloutText, type ListedVersion } from "../releases/version-feed.ts";
import type { Read } from "../../../source.ts";
import { feedKind, feedSettings } from "../kinds.ts";

interface SquirrelVersion extends ListedVersion {
  /** Why it is not for everyone; `""` if it is. */
  limit: string;
}

export const readSquirrel: Read<SquirrelVersion[]> = (text) =>
  text.text.trimStart().startsWith("{") ? readJson(text) : readPackages(text);

export const squirrel = feedKind({
  settings: z
    .strictObject({
      from: z.literal("squirrel"),
      ...feedSettings("URL of the feed, such as https://dl.acme.com/RELEASES"),
      installer: installerLink
        .optional()
        .describe(
          "Link of the installer, absolute or relative to the feed, such as Notes-{version}-Setup.exe; needed for RELEASES",
        ),
      prereleases,
    })
    .describe("RELEASES of Squirrel.Windows, or RELEASES.json of Squirrel.Mac and Electron Forge"),
  read: readSquirrel,
  check({ installer }, names) {
    if (names.includes("release-windows") && installer === undefined)
      throw new Error('RELEASES only names update packages: set "installer" to the link of the installer');
  },
  translate(versions, platform, settings) {
    const forAll = versions.filter(({ limit }) => limit === "");
    const limited = versions.filter(({ limit }) => limit !== "");
    const skipped = new Set(limited.map(({ version, limit }) => `${displayName(version)}: ${limit}`));
    const offered = forAll.length > 0 ? forAll : versions.filter(({ limit }) => limit !== NOBODY);
    if (offered.length === 0 && versions.length > 0) {
      throw new UpstreamError(`every version is ${NOBODY}: raise the percentage of one`, { skipped: [...skipped] });
    }
    return newestVersion(offered, [...skipped], { ...settings, platform });
  },
});

const MAX_ENTRIES = 10_000;

const ReleasesJson = z.object({
  currentRelease: optionalText,
  releases: listOf(
    z.object({
      version: shortText,
      updateTo: z.object({ version: optionalText, url: linkText, notes, pub_date: optionalText }),
    }),
    MAX_ENTRIES,
  ),
});

/** Squirrel.Mac installs the current release, even if a higher one is listed. */
function readJson(text: TypedText): SquirrelVersion[] {
  const { currentRelease, releases } = checkShape(ReleasesJson, parseJson(text), "a RELEASES.json");
  if (releases.length > 0 && !releases.some(({ version }) => version === currentRelease)) {
    throw new UpstreamError('"currentRelease" is not among its releases');
  }
  return releases.flatMap(({ version, updateTo: { url, pub_date, notes, version: target } }) => {
    const isCurrent = version === currentRelease;
    if (!isCurrent && compareVersions(version, currentRelease) <= 0) return [];
    const limit = isCurrent ? "" : "not the current release";
    return [{ version: target || version, notes, date: pub_date, link: url, limit }];
  });
}

const ENTRY = /^[0-9a-f]{40}\s+(?<name>\S+)\s+\d+$/i;
const PackageLink = linkText.refine((link) => fileName(link).length <= MAX_NAME);
const STAGED = /^\s*(?<percent>\d{1,3})%\s*$/;

/** Lines of checksum, package and size, some with `# 10%` for a staged rollout. */
function readPackages({ text, type, bytes }: TypedText): SquirrelVersion[] {
  const lines = text.split("\n", MAX_ENTRIES + 1);
  if (lines.length > MAX_ENTRIES) throw new UpstreamError(`a RELEASES file of more than ${MAX_ENTRIES} lines`);
  const entries = lines.map((line) => line.split("#")).filter(([entry = ""]) => entry.trim() !== "");
  const versions = entries.map(([entry = "", comment = ""]): SquirrelVersion | undefined => {
    const name = PackageLink.safeParse(ENTRY.exec(entry.trim())?.groups?.name).data;
    const percent = Number(STAGED.exec(comment)?.groups?.percent ?? 100);
    if (name === undefined) return undefined;
    return { version: versionOf(name), notes: "", date: "", link: "", limit: rolloutText(percent) };
  });
  const read = versions.filter((version) => version !== undefined);
  if (read.length > 0 && read.length === entries.length) return read;
  throw new UpstreamError(`not a RELEASES file: ${type}, ${bytes} bytes`);
}

/** Squirrel reads it so, with SemVer's dots and build metadata. */
const VERSION = /(?<![0-9]|[0-9]\.)\d+(?:\.\d+){1,3}(?:-[A-Za-z][0-9A-Za-z.-]*)?(?:\+[0-9A-Za-z.-]+)?$/;

function versionOf(link: string): string {
  const name = fileName(link);
  const [version] = VERSION.exec(name.replace(/(?:-full|-delta)?\.nupkg$/i, "")) ?? [];
  if (version === undefined) throw new UpstreamError(`no version in the name of the package ${displayName(name)}`);
  return version.replace(PLATFORM_SUFFIX, "");
}
