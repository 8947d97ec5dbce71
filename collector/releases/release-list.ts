// A list of releases with their files, as GitHub, Gitea and GitLab have one: of the published releases, the highest version
// that has an installer for the platform. "No release" needs every listed file to be certainly something else.
import * as z from "zod";
import { UpstreamError } from "../http/upstream-error.ts";
import type { Candidate } from "../source.ts";
import { architecture, settle } from "./installer.ts";
import {
  compareDates,
  fileOf,
  installerOf,
  type AppRelease,
  type FileChoice,
  type ListedFile,
  type ListedRelease,
  type ReleaseCriteria,
  type ReleaseList,
  type SortedReleases,
} from "./listed-release.ts";
import { named, refuseNewerRival, refuseUnknown } from "./refusals.ts";
import { displayName, forceUpdate, noRelease, releaseCandidate } from "./release.ts";
import { CHANNEL, readTag, type Tag } from "./tag.ts";
import { isUnfinished, newestFirst } from "./version.ts";

const glob = z.string().min(1).max(100);

/** The settings of the choice, the same for every such source. */
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

type ChosenRelease = AppRelease & { choice: FileChoice; file: ListedFile };

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

function sortOut(releases: readonly ListedRelease[], { tag: glob, prereleases }: ReleaseCriteria): SortedReleases {
  const sorted: SortedReleases = { ours: [], unread: [], unfinished: [], skipped: [] };
  for (const release of releases) {
    const { tag, isDraft, isPrerelease } = release;
    const skip = (why: string) => void sorted.skipped.push(`${displayName(tag)}: ${why}`);
    const read = readTag(tag, glob);
    if (isDraft) skip("not published yet");
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
function newestOf(
  product: string,
  { ours, skipped }: SortedReleases,
  criteria: ReleaseCriteria,
): ChosenRelease | undefined {
  for (const own of ours) {
    if (own.product !== product) continue;
    const choice = installerOf(own.release, criteria);
    skipped.push(...choice.rejected.map(({ asset, why }) => `${fileOf(asset, own.release)}: ${why}`));
    if (choice.asset) return { ...own, choice, file: settle(choice, criteria.platform, "the release") };
    skipped.push(`${displayName(own.release.tag)}: no installer for ${criteria.platform}`);
  }
  return undefined;
}

function candidateOf(
  { release, version, choice, file }: ChosenRelease,
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
  return isUnfinished(version) || CHANNEL.test(product);
}
