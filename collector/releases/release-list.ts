// A list of releases with their files, as GitHub, Gitea and GitLab have one: of the published releases, the highest version
// that has an installer for the platform. "No release" is said only if every file shown is certainly something else.
import * as z from "zod";
import type { Platform } from "../../snapshots/schema.ts";
import type { Architecture } from "../../snapshots/architecture.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import type { Candidate } from "../source.ts";
import { architecture, chooseInstaller, FOR_ANOTHER_ARCH, settle, type InstallerChoice } from "./installer.ts";
import { displayName, forceUpdate, noRelease, releaseCandidate } from "./release.ts";
import { readTag, versionsIn, type Tag } from "./tag.ts";
import { compareVersions, isUnfinished, newestFirst } from "./version.ts";

export interface ListedRelease {
  tag: string;
  isDraft: boolean;
  isPrerelease: boolean;
  /** As the upstream writes it; `""` when it does not. */
  date: string;
  /** Plain. */
  notes: string;
  files: ListedFile[];
}

export interface ListedFile {
  name: string;
  /** Absolute. */
  url: string;
  /** Bytes, as the upstream writes them. */
  size: unknown;
  isUploaded: boolean;
}

export interface ReleaseList {
  releases: ListedRelease[];
  /** True when there are no more than these. */
  isWhole: boolean;
}

const glob = z.string().min(1).max(100);

/** What the settings of every such source say of the choice. */
export const choiceSettings = {
  tag: glob
    .optional()
    .describe("Glob for the tags of the app, such as desktop@*; by default every tag with a version of one product"),
  asset: glob
    .optional()
    .describe("Glob for the file name of the installer, such as *-x64.msi; a single file that matches is chosen"),
  arch: architecture,
  prereleases: z.boolean().default(false).describe("Takes prereleases, too, whether the tag or a mark says so"),
  forceUpdate,
};

export interface ReleaseCriteria {
  tag?: string | undefined;
  asset?: string | undefined;
  arch?: Architecture | undefined;
  prereleases: boolean;
  forceUpdate: boolean;
  /** Name of the repository, whose words mark nothing in file names. */
  product: string;
  platform: Platform;
}

/** A published release of the app. `product`: see tag.ts. */
interface AppRelease {
  release: ListedRelease;
  version: string;
  product: string;
}
type Choice = InstallerChoice<ListedFile>;
type Found = AppRelease & { choice: Choice; file: ListedFile };

interface Sorted {
  /** Highest version first. */
  ours: AppRelease[];
  /** Published under a tag without a version. */
  unread: ListedRelease[];
  /** Published, but a prerelease by its tag. */
  unfinished: ListedRelease[];
  skipped: string[];
}

/** Releases that decide on "none": a vendor with nothing for a platform in so many does not publish for it. */
const MAX_FOR_NONE = 20;
const MAX_NAMED = 3;

/** @throws UpstreamError naming the tags or files in the way, and the setting that helps. */
export function newestRelease(list: ReleaseList, criteria: ReleaseCriteria): Candidate {
  const sorted = sortOut(list.releases, criteria);
  const products = [...new Set(sorted.ours.map(({ product }) => product))];
  const found = products.flatMap((product) => newestOf(product, sorted, criteria) ?? []);
  const best = found.find(({ product }) => product === "") ?? found[0];
  if (!best) {
    refuseUnknown(list, sorted, criteria);
    return noRelease(sorted.skipped);
  }
  if (best.product !== "" && found.length > 1) {
    const tags = named(found.map(({ release }) => release.tag));
    throw new UpstreamError(`several products have an installer for ${criteria.platform} (${tags}): choose with "tag"`);
  }
  refuseNewerRival(best, [...found, ...sorted.unread.map((release) => ({ release }))], criteria);
  return candidateOf(best, sorted.skipped, criteria);
}

function sortOut(releases: readonly ListedRelease[], { tag: glob, prereleases }: ReleaseCriteria): Sorted {
  const sorted: Sorted = { ours: [], unread: [], unfinished: [], skipped: [] };
  for (const release of releases) {
    const { tag, isDraft, isPrerelease } = release;
    const skip = (why: string) => void sorted.skipped.push(`${displayName(tag)}: ${why}`);
    const read = readTag(tag, glob);
    if (isDraft) skip("a draft");
    else if (isPrerelease && !prereleases) skip("a prerelease");
    else if (!read) {
      skip(glob === undefined ? "a tag without a version" : 'does not match "tag"');
      if (glob === undefined) sorted.unread.push(release);
    } else if (isUnfinishedTag(read) && !prereleases) {
      skip("a prerelease by its tag");
      sorted.unfinished.push(release);
    } else sorted.ours.push({ release, ...read });
  }
  // Equal versions by date and tag, so that the order of the list decides nothing.
  const byDate = sorted.ours.toSorted(
    (a, b) => compareDates(b.release, a.release) || (a.release.tag < b.release.tag ? -1 : 1),
  );
  return { ...sorted, ours: newestFirst(byDate, ({ version }) => version) };
}

/** The highest version of a product that has an installer. Notes what it passes over. */
function newestOf(product: string, { ours, skipped }: Sorted, criteria: ReleaseCriteria): Found | undefined {
  for (const own of ours) {
    if (own.product !== product) continue;
    const choice = installerOf(own.release, criteria);
    skipped.push(...choice.rejected.map(({ asset, why }) => `${fileOf(asset, own.release)}: ${why}`));
    if (choice.asset) return { ...own, choice, file: settle(choice, criteria.platform, "the release") };
    skipped.push(`${displayName(own.release.tag)}: no installer for ${criteria.platform}`);
  }
  return undefined;
}

function installerOf({ files }: ListedRelease, { platform, arch, asset: glob, product }: ReleaseCriteria): Choice {
  const uploaded = files.filter(({ isUploaded }) => isUploaded);
  const choice = chooseInstaller(uploaded, { platform, arch, glob, product });
  const uploading = files
    .filter(({ isUploaded }) => !isUploaded)
    .map((asset) => ({ asset, kind: "unclear" as const, why: "still uploading" }));
  return {
    ...choice,
    rejected: [...uploading, ...choice.rejected],
    isNoneForPlatform: choice.isNoneForPlatform && uploading.length === 0,
  };
}

/** A release of another product, or under a tag that cannot be read, may be the app's newest one: an old version must not be
 * published silently. */
function refuseNewerRival(
  best: Found,
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
function refuseUnknown({ releases, isWhole }: ReleaseList, sorted: Sorted, criteria: ReleaseCriteria): void {
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

function refused(message: string, { skipped }: Sorted): UpstreamError {
  return new UpstreamError(message, { skipped });
}

function candidateOf(
  { release, version, choice, file }: Found,
  skipped: string[],
  criteria: ReleaseCriteria,
): Candidate {
  const found = {
    version,
    changelog: release.notes,
    url: file.url,
    size: file.size,
    date: release.date,
    forceUpdate: criteria.forceUpdate,
  };
  const { architectures } = choice;
  return releaseCandidate(criteria.platform, found, { picked: fileOf(file, release), skipped, architectures });
}

/** A channel before the version is one, too: `nightly-20260101`, `beta/1.2.0`. */
function isUnfinishedTag({ product, version }: Tag): boolean {
  return (
    isUnfinished(version) || /(?:^|[-_./@])(?:alpha|beta|rc|pre|preview|dev|nightly|canary|snapshot)$/.test(product)
  );
}

/** Below 0 when `a` is older, above 0 when it is newer. A date that cannot be read is the oldest. */
function compareDates(a: ListedRelease, b: ListedRelease): number {
  return (Date.parse(a.date) || 0) - (Date.parse(b.date) || 0);
}

function fileOf({ name }: ListedFile, { tag }: ListedRelease): string {
  return `${displayName(name)} of ${displayName(tag)}`;
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map(displayName);
  return [...shown, ...(names.length > MAX_NAMED ? ["..."] : [])].join(", ");
}
