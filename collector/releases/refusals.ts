// Refuses a list of releases if choosing one, or reporting that there is none, would be a guess. Each refusal names the
// tags or files in the way, and the setting that helps.
import type { Platform } from "../../snapshots/schema.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import { FOR_ANOTHER_ARCH } from "./installer.ts";
import {
  compareDates,
  fileOf,
  installerOf,
  type AppRelease,
  type ListedRelease,
  type ReleaseCriteria,
  type ReleaseList,
  type SortedReleases,
} from "./listed-release.ts";
import { displayName } from "./release.ts";
import { versionsIn } from "./tag.ts";
import { compareVersions, newestFirst } from "./version.ts";

/** Releases that decide on "none": a vendor with nothing for a platform in so many does not publish for it. */
const MAX_FOR_NONE = 20;
const MAX_NAMED = 3;

/** A release of another product, or under a tag that cannot be read, may be the app's newest one: an old version must not be
 * published silently. */
export function refuseNewerRival(
  best: AppRelease,
  rivals: readonly { release: ListedRelease; version?: string }[],
  criteria: ReleaseCriteria,
): void {
  for (const { release, version } of rivals) {
    if (release === best.release || compareDates(release, best.release) <= 0) continue;
    const versions = version === undefined ? versionsIn(release.tag) : [version];
    if (!versions.some((other) => compareVersions(other, best.version) > 0)) continue;
    if (version === undefined && !installerOf(release, criteria).asset) continue;
    const tags = `${displayName(release.tag)} is newer than ${displayName(best.release.tag)}`;
    throw new UpstreamError(`${tags} and has an installer for ${criteria.platform}: choose between them with "tag"`);
  }
}

/** @throws UpstreamError unless it is certain that nothing is published for the platform. */
export function refuseUnknown(
  { releases, isWhole }: ReleaseList,
  sorted: SortedReleases,
  criteria: ReleaseCriteria,
): void {
  const { ours, unread, unfinished } = sorted;
  const { platform } = criteria;
  const mayHaveOne = (release: ListedRelease) => !installerOf(release, criteria).isNoneForPlatform;
  const prereleases = unfinished.slice(0, MAX_FOR_NONE).filter(mayHaveOne);
  if (prereleases.length > 0) {
    const tags = named(
      newestFirst(
        prereleases.map(({ tag }) => tag),
        (tag) => tag,
      ),
    );
    throw refused(
      `only prereleases may have an installer for ${platform} (${tags}): "prereleases": true takes them`,
      sorted,
    );
  }
  const unclear = unread.slice(0, MAX_FOR_NONE).filter(mayHaveOne);
  if (unclear.length > 0 || (criteria.tag !== undefined && ours.length === 0 && releases.length > 0)) {
    const tags = named(
      newestFirst(
        (unclear.length > 0 ? unclear : releases).map(({ tag }) => tag),
        (tag) => tag,
      ),
    );
    throw refused(`no release with an installer for ${platform} has a tag of the app (${tags}); see "tag"`, sorted);
  }
  const files = ours.slice(0, MAX_FOR_NONE).flatMap(({ release }) => unclearFiles(release, criteria));
  if (files.length > 0) {
    const some = files.slice(0, MAX_NAMED).map(({ name, why }) => `${name}: ${why}`);
    throw refused(
      `no file is known to be an installer for ${platform} (${some.join("; ")}); ${helpFor(files, platform)}`,
      sorted,
    );
  }
  if (!isWhole && ours.length < MAX_FOR_NONE) {
    throw refused(`no installer for ${platform} among the newest ${releases.length} releases`, sorted);
  }
}

interface UnclearFile {
  name: string;
  why: string;
}

function unclearFiles(release: ListedRelease, criteria: ReleaseCriteria): UnclearFile[] {
  return installerOf(release, criteria).rejected.flatMap(({ asset, kind, why }) =>
    kind === "unclear" ? [{ name: fileOf(asset, release), why }] : [],
  );
}

/** The settings that can make one of the files the installer, or end the question. */
function helpFor(files: readonly UnclearFile[], platform: Platform): string {
  const settings = files.some(({ why }) => why === FOR_ANOTHER_ARCH) ? '"arch" or "asset"' : '"asset"';
  return `choose it with ${settings}, or write "${platform}": "none"`;
}

export function refused(message: string, { skipped }: SortedReleases): UpstreamError {
  return new UpstreamError(message, { skipped });
}

export function named(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map(displayName);
  return [...shown, ...(names.length > MAX_NAMED ? ["..."] : [])].join(", ");
}
