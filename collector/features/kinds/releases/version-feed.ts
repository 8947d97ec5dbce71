// Squirrel and Velopack write a feed of versions. The highest finished one is chosen, with the installer of the settings or the
// feed's own link.
import * as z from "zod";
import type { Platform } from "../../../../snapshots/schema.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { markdownText } from "./markdown.ts";
import type { Candidate } from "../../../source.ts";
import { installerFor } from "./installer-link.ts";
import { refuseForeign } from "./installer.ts";
import { fileName, type StatedFile } from "../../../parsing/link.ts";
import { displayNames } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { decoded } from "./file-name.ts";
import { linkFrom } from "./linked-files.ts";
import { noRelease, refuseOtherRelease, releaseCandidate, versionsIn } from "./release.ts";
import { compareVersions, isUnfinished, newestFirst } from "../../versions/version.ts";

export interface ListedVersion {
  version: string;
  /** Markdown. */
  notes: string;
  /** The date as the feed writes it; `""` if unknown. */
  date: string;
  /** The link as the feed writes it; `""` if it only names an update package. */
  link: string;
  /** People may download its package, too, which has this name and these sums. */
  name?: string | undefined;
  file?: Omit<StatedFile, "url">;
}

/** Says that a version is not for everyone; `""` if it is. */
export function rolloutText(percent: number): string {
  return percent < 100 ? `for ${percent} % of the users` : "";
}

/** Vendors stop a bad version so. */
export const NOBODY = rolloutText(0);

export const prereleases = z
  .boolean()
  .default(false)
  .describe("Also takes versions with a prerelease stage, such as 3.0.0-beta.2");

export interface VersionCriteria {
  platform: Platform;
  /** URL of the feed. */
  url: string;
  installer?: string | undefined;
  prereleases: boolean;
  forceUpdate: boolean;
}

/** @throws UpstreamError naming the versions in the way, and the setting that helps. */
export function newestVersion(
  listed: readonly ListedVersion[],
  skipped: readonly string[],
  criteria: VersionCriteria,
): Candidate {
  if (listed.length === 0) return noRelease([...skipped]);
  const isWanted = ({ version }: ListedVersion) => criteria.prereleases || !isUnfinished(version);
  const left = listed.filter((one) => !isWanted(one)).map(({ version }) => version);
  const prereleases = newestFirst([...new Set(left)].toSorted(), (version) => version);
  const reasons = [...skipped, ...prereleases.map((version) => `${displayName(version)}: a prerelease`)];
  // The one with the most notes comes first of equal versions, then their text counts: the order of the list decides nothing.
  const wanted = listed
    .filter(isWanted)
    .toSorted((a, b) => b.notes.length - a.notes.length || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const [best] = newestFirst(wanted, ({ version }) => version);
  if (!best) {
    const message = `only prereleases are listed (${displayNames(prereleases)}): "prereleases": true takes them`;
    throw new UpstreamError(message, { skipped: reasons });
  }
  const link = linkOf(best, prereleases, criteria);
  refuseOtherRelease(link, [best.version]);
  const { platform, url, forceUpdate } = criteria;
  const { version, notes, date } = best;
  const linked = linkFrom(link, url);
  const isLinked = (one: ListedVersion) => one.version === version && one.name === decoded(fileName(linked));
  return releaseCandidate(platform, {
    version: version.replace(/^v(?=\d)/i, ""),
    changelog: markdownText(notes),
    url: linked,
    date,
    forceUpdate,
    files: [{ ...listed.find(isLinked)?.file, url: linked }],
    picked: `${displayName(fileName(link))} of ${displayName(version)}`,
    skipped: reasons,
    warnings:
      link === criteria.installer && versionsIn(link).includes(version)
        ? [`"installer" is that of ${displayName(version)} only: write {version} there in its place`]
        : [],
  });
}

function linkOf(
  best: ListedVersion,
  [prerelease]: readonly string[],
  { platform, installer }: VersionCriteria,
): string {
  if (installer === undefined) {
    if (best.link === "") throw new UpstreamError('it only names update packages: set "installer" to a link');
    refuseForeign(best.link, platform, "the feed");
    return best.link;
  }
  const link = installerFor(installer, best.version);
  // One file for all versions is of the newest one, finished or not.
  if (prerelease !== undefined && link === installer && compareVersions(prerelease, best.version) > 0) {
    const versions = `${displayName(prerelease)} is newer than ${displayName(best.version)}`;
    throw new UpstreamError(
      `${versions}, and "installer" is the same link for both: write {version} into it, or "prereleases": true`,
    );
  }
  refuseForeign(installer, platform, "the settings");
  return link;
}
