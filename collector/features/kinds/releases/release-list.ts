// A list of releases with their files, as GitHub, Gitea and GitLab have one: of the published releases, the highest version
// that has an installer for the platform. "No release" needs every listed file to be certainly something else.
import * as z from "zod";
import { UpstreamError } from "../../../http/errors.ts";
import { markdownText } from "./markdown.ts";
import type { Candidate } from "../../../source.ts";
import { displayNames } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { countsIn, Doubt, lastingName, type Rival } from "./advice.ts";
import { beyondSettings } from "./beyond.ts";
import { areAlike, matchesGlob } from "./file-name.ts";
import { architecture, chooseInstaller, ownFirst } from "./installer.ts";
import { FILE_REASONS, fileOf, RELEASE_REASONS } from "./listed-release.ts";
import type {
  AppRelease,
  ChosenRelease,
  FileChoice,
  ListedFile,
  ListedRelease,
  Published,
  PublishedList,
  ReleaseCriteria,
  ReleaseList,
  ReleaseReason,
  SortedReleases,
} from "./listed-release.ts";
import { forceUpdate, noRelease, releaseCandidate } from "./release.ts";
import { refusePassedOver, refuseUnknown } from "./rivals.ts";
import { CHANNEL, readTag, type Tag } from "./tag.ts";
import { compareVersions, isUnfinished, newestFirst, withoutWord } from "../../versions/version.ts";

const globLike = (sample: string, more = "") =>
  z
    .string(`must be one glob, such as ${sample}${more}`)
    .min(1)
    .max(100)
    .refine((text) => !/\{+[\w.]*[a-z][\w.]*\}/i.test(text), `has a placeholder: write * in its place, as in ${sample}`)
    .refine(
      (text) => !/[\\^|]|\$(?!\{)|\{(?:\d|.*,)|\[.+\]|^\.\*|\.\+/.test(text),
      `is a glob, not a regular expression: * stands for any text, ? for a character, as in ${sample}`,
    );

const DAY = 'must be a day such as "2026-01-31", or a time such as "2026-01-31T12:00:00Z"';

export const choiceSettings = {
  tag: globLike("v*")
    .optional()
    .describe("Glob for the tags of the app, such as desktop@*; by default every tag with a version of one product"),
  since: z
    .union([z.iso.date(DAY), z.iso.datetime(DAY)], DAY)
    .optional()
    .describe("Day or time (UTC) of the first release that counts, for a vendor who has begun to count versions anew"),
  asset: globLike("*-arm64.dmg", "; another platform needs a source of its own")
    .refine((text) => !text.includes("/"), "is the name of a file, without the address in front of it")
    .optional()
    .describe("Glob for the file name of the installer, such as *-x64.msi; a single file that matches is chosen"),
  pinned: z
    .boolean()
    .default(false)
    .describe(
      "`tag`, `asset`, `arch`, `since` or `prereleases` is meant to leave out later releases, so no run says so",
    ),
  arch: architecture,
  prereleases: z.boolean().default(false).describe("Also takes prereleases, by their tag or by a mark"),
  forceUpdate,
};

/** @throws UpstreamError naming the tags or files in the way, and the settings that help. */
export function newestRelease(listed: ReleaseList, criteria: ReleaseCriteria): Candidate {
  const sorted = sortOut(published(listed, criteria), criteria);
  try {
    const chosen = choose(sorted);
    return chosen ? candidateOf(chosen, sorted) : { ...noRelease(sorted.skipped), warnings: onlyPrereleases(sorted) };
  } catch (error) {
    if (!(error instanceof Doubt)) throw error;
    const chooses = (settings: Partial<ReleaseCriteria>, rival: Rival) =>
      isChosen(rival, sortOut(sorted, { ...criteria, ...settings }));
    throw error.asUpstreamError(chooses, sorted);
  }
}

function published(list: ReleaseList, criteria: ReleaseCriteria): PublishedList {
  const made = new Map<string | undefined, Map<Published, FileChoice>>();
  return {
    ...list,
    releases: list.releases
      .map((release) => ({ ...release, time: Date.parse(release.date) || 0 }))
      // Then by tag, so that the order of the list decides nothing.
      .toSorted((a, b) => b.time - a.time || (a.tag < b.tag ? -1 : 1)),
    choiceOf(release, asset) {
      const choices = made.get(asset) ?? new Map<Published, FileChoice>();
      made.set(asset, choices);
      const choice = choices.get(release) ?? installerOf(release, { ...criteria, asset }, list.askedAt);
      choices.set(release, choice);
      return choice;
    },
  };
}

/** What "no release" leaves out, where the vendor marks all of them as prereleases. */
function onlyPrereleases({ left, ours, criteria: { asset, platform }, choiceOf }: SortedReleases): string[] {
  const isOne = ({ release, reason }: (typeof left)[number]) =>
    reason === "prerelease" && release.files.every(({ isUploaded }) => isUploaded) && choiceOf(release, asset).file;
  if (ours.length > 0 || !left.some(isOne)) return [];
  return [`only prereleases have an installer for ${platform}: "prereleases": true publishes them`];
}

function isChosen({ release, file }: Rival, sorted: SortedReleases): boolean {
  try {
    const chosen = choose(sorted);
    return chosen?.release === release && (file === undefined || chosen.file === file);
  } catch (error) {
    if (error instanceof Doubt || error instanceof UpstreamError) return false;
    throw error;
  }
}

/** Undefined if nothing is published for the platform. @throws Doubt, UpstreamError */
function choose(sorted: SortedReleases): ChosenRelease | undefined {
  const lines = new Map<string, AppRelease[]>(sorted.ours.map(({ product }) => [product, []]));
  for (const own of sorted.ours) lines.get(own.product)?.push(own);
  const found = [...lines.values()].flatMap((line) => newestOf(line, sorted) ?? []);
  const best = found.find(({ product }) => product === "") ?? found[0];
  if (!best) return void refuseUnknown(sorted);
  if (best.product !== "" && found.length > 1) {
    const tags = displayNames(found.map(({ release }) => release.tag));
    throw new Doubt(
      `several products have an installer for ${sorted.criteria.platform} (${tags})`,
      found.toSorted((a, b) => b.release.time - a.release.time).map(({ release }) => ({ release })),
    );
  }
  refusePassedOver(best, sorted);
  return best;
}

function sortOut(list: PublishedList, criteria: ReleaseCriteria): SortedReleases {
  const sorted: SortedReleases = { ...list, criteria, ours: [], left: [], skipped: [] };
  for (const release of list.releases) {
    const read = readTag(release.tag, criteria.tag);
    const reason = reasonToLeave(release, read, criteria);
    if (reason !== undefined) {
      sorted.left.push({ release, reason });
      sorted.skipped.push(`${displayName(release.tag)}: ${RELEASE_REASONS[reason]}`);
    } else if (read) sorted.ours.push({ release, ...read, time: release.time });
  }
  // The upstream's own word counts for more than a word in the version.
  const order = ({ release, version }: AppRelease) => (release.isPrerelease ? version : withoutWord(version));
  return { ...sorted, ours: newestFirst(sorted.ours, order) };
}

/** Undefined for a release of the app. */
function reasonToLeave(
  release: Published,
  read: Tag | undefined,
  { tag: glob, since = "", prereleases }: ReleaseCriteria,
): ReleaseReason | undefined {
  if (release.isDraft) return "draft";
  if (release.time < (Date.parse(since) || 0)) return "since";
  if (release.isPrerelease && !prereleases) return "prerelease";
  if (!read) return glob === undefined || matchesGlob(release.tag, glob) ? "unread" : "pattern";
  // A channel before the version counts, too: `nightly-20260101`, `beta/1.2.0`.
  return !prereleases && (isUnfinished(read.version) || CHANNEL.test(read.product)) ? "unfinished" : undefined;
}

/** Finds the highest version of a product that has an installer, and notes what it passes over. `line`: its releases. */
function newestOf(line: readonly AppRelease[], sorted: SortedReleases): ChosenRelease | undefined {
  const { skipped, criteria } = sorted;
  for (const [index, own] of line.entries()) {
    const choice = choiceAfter(line.slice(index + 1), own, sorted);
    skipped.push(...choice.rejected.map(({ file, reason }) => `${fileOf(file, own.release)}: ${FILE_REASONS[reason]}`));
    refuseTwo(own.release, choice, criteria);
    if (choice.file) return { ...own, choice, file: choice.file };
    skipped.push(`${displayName(own.release.tag)}: no installer for ${criteria.platform}`);
  }
  return undefined;
}

/** Of two files that are equally good, one may be called like the only one of the release before: the other has come beside it, unless
 * that is the app, or has a higher version. If both are called like it, the one with the higher number is a later build. */
function choiceAfter(earlier: readonly AppRelease[], { release }: AppRelease, sorted: SortedReleases): FileChoice {
  const { criteria, choiceOf } = sorted;
  const choice = choiceOf(release, criteria.asset);
  const { file, rival } = choice;
  if (!file || !rival) return choice;
  const known = earlier.map((one) => choiceOf(one.release, criteria.asset)).find((one) => one.file && !one.rival)?.file;
  const alike = [file, rival].filter((one) => known && lastingName(one) === lastingName(known));
  const [own, twin] = newestFirst(alike, countsIn);
  if (!own) return choice;
  const other = own === file ? rival : file;
  const order = compareVersions(countsIn(own), countsIn(other));
  const isApp = (one: ListedFile) => areAlike(one, { name: criteria.product });
  if (order < 0 || (twin && order === 0) || (isApp(other) && !isApp(own))) return choice;
  const rejected = choice.rejected.map((one) => (one.file === own ? { ...one, file: other } : one));
  return { ...choiceOf(release, own.name), rejected };
}

/** @throws Doubt with a pattern for each of two that are equally good, that of the product itself first */
function refuseTwo(release: Published, { file, rival }: FileChoice, { product }: ReleaseCriteria): void {
  if (!file || !rival) return;
  const names = `${displayName(file.name)} and ${displayName(rival.name)}`;
  const rivals = ownFirst([file, rival], product).map((one) => ({ release, file: one }));
  throw new Doubt(`${names} are equally good`, rivals, "or give each product a source of its own");
}

function candidateOf(chosen: ChosenRelease, sorted: SortedReleases): Candidate {
  const { release, version, choice, file } = chosen;
  const { criteria, skipped } = sorted;
  return releaseCandidate(criteria.platform, {
    version,
    changelog: markdownText(release.notes),
    url: file.url,
    size: file.size,
    date: release.date,
    forceUpdate: criteria.forceUpdate,
    files: choice.files,
    picked: fileOf(file, release),
    skipped,
    passedOver: passedOver(chosen, sorted),
    beyond: beyondSettings(chosen, sorted),
  });
}

/** Says what is newer than the chosen release, by its version or by its date, and why it was not chosen. */
function passedOver(chosen: ChosenRelease, { ours, left, criteria }: SortedReleases): string[] {
  const isLater = (release: Published) => release.time > chosen.release.time;
  const others = ours.flatMap(({ release, version, product }) => {
    const isHigher = compareVersions(version, chosen.version) > 0;
    if (product === chosen.product && isHigher) return [{ release, why: `no installer for ${criteria.platform}` }];
    if (!isLater(release)) return [];
    return [{ release, why: product === chosen.product ? "a lower version" : "another product" }];
  });
  // Those outside a pattern are told apart (beyond.ts).
  const isShown = (reason: ReleaseReason) => reason !== "draft" && reason !== "pattern";
  const excluded = left.filter(({ release, reason }) => isShown(reason) && isLater(release));
  const newer = [...others, ...excluded.map(({ release, reason }) => ({ release, why: RELEASE_REASONS[reason] }))];
  return newer.map(({ release, why }) => `${displayName(release.tag)}: ${why}`);
}

/** An upload that takes longer has failed: GitHub lists such a file for ever. */
const LONGEST_UPLOAD_MS = 60 * 60_000;

/** `askedAt`: when the upstream listed the files. @throws UpstreamError while a better file is being uploaded. */
export function installerOf(release: ListedRelease, criteria: ReleaseCriteria, askedAt: number): FileChoice {
  const { platform, arch, asset: glob, product } = criteria;
  const [, version = ""] = /^\D*(\d+)\D*$/.exec(release.tag) ?? [];
  const own = { platform, arch, glob, product, version, tag: release.tag };
  const choose = (files: readonly ListedFile[]) => chooseInstaller(files, own);
  const isComing = ({ isUploaded, createdAt = release.date }: ListedFile) =>
    !isUploaded && Math.abs(askedAt - (Date.parse(createdAt) || 0)) < LONGEST_UPLOAD_MS;
  const best = release.files.some(isComing) ? choose(release.files).file : undefined;
  if (best && isComing(best)) throw new UpstreamError(`${fileOf(best, release)} is still being uploaded`);
  const choice = choose(release.files.filter(({ isUploaded }) => isUploaded));
  const uploading = release.files
    .filter(({ isUploaded }) => !isUploaded)
    .map((file) => ({ file, kind: "unclear" as const, reason: "uploading" as const }));
  return { ...choice, rejected: [...uploading, ...choice.rejected] };
}
