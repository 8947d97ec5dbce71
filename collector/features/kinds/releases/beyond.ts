// `tag`, `asset`, `arch` and `since` are written once and kept for years. A later release that they leave out, with a file like the chosen
// one, is named in each run until the settings say that it is meant ("pinned"): the report of the run shows it (`Candidate.beyond`). So is
// a finished release that is later than the prerelease which `prereleases` takes, and one whose tag says beta after a long pause. Nothing
// is refused for it, because an old line may be all that a vendor publishes.
import { wordsOf } from "../../../../snapshots/processors.ts";
import { displayName } from "../../../parsing/issues.ts";
import type { Candidate } from "../../../source.ts";
import { backportsOf, compareVersions, isAheadOf, isUnfinished } from "../../versions/version.ts";
import { areAlike, isCompanion, readFileName } from "./file-name.ts";
import { productOfFile } from "./installer-rank.ts";
import {
  fileOf,
  type AppRelease,
  type ChosenRelease,
  type ListedFile,
  type Published,
  type ReleaseCriteria,
  type ReleaseReason,
  type SortedReleases,
} from "./listed-release.ts";
import { CHANNEL, isRolling, readTag } from "./tag.ts";

type Setting = "tag" | "asset" | "arch" | "since" | "prereleases";

/** Returns the latest of the releases that a setting leaves out and that may be the app's newest one. */
export function beyondSettings(chosen: ChosenRelease, sorted: SortedReleases): Candidate["beyond"] {
  const { criteria } = sorted;
  if (criteria.pinned) return undefined;
  const leftOut = leftOutBySettings(chosen, sorted);
  const found = [...leftOut, ...behindPrerelease(chosen, sorted)].toSorted(
    (a, b) => b.release.time - a.release.time,
  )[0];
  if (!found) return besideInstaller(chosen, sorted);
  const { release, by } = found;
  return { release: displayName(release.tag), setting: `"${by}": ${JSON.stringify(criteria[by])}` };
}

/** A pattern for an updater's package, which was all that a release had then, takes it for ever. */
function besideInstaller(
  { release, file }: ChosenRelease,
  { criteria, choiceOf }: SortedReleases,
): Candidate["beyond"] {
  const { asset } = criteria;
  const { file: installer } = choiceOf(release, undefined);
  if (asset === undefined || !installer || readFileName(file.name, new Set()).form !== "unknown") return undefined;
  return { release: fileOf(installer, release), setting: `"asset": ${JSON.stringify(asset)}` };
}

const DAY_MS = 86_400_000;

/** A vendor whose tags have all said beta for longer than any two finished releases were apart may never call one finished again. A
 * quarter of a year is no pause, and half a year is a long one for anyone. */
function longestPause(ours: readonly AppRelease[]): number {
  const times = ours.map(({ time }) => time).toSorted((a, b) => a - b);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const longest = pauses.length === 0 ? Infinity : Math.max(...pauses);
  return Math.min(Math.max(longest, 91 * DAY_MS), 182 * DAY_MS);
}

function leftOutBySettings(chosen: ChosenRelease, sorted: SortedReleases): { release: Published; by: Setting }[] {
  const { ours, left, criteria, choiceOf } = sorted;
  const isBeyond = beyondTest(chosen, sorted);
  const byFile = ours.flatMap(({ release }) => {
    if (!isBeyond(release)) return [];
    const { file, rejected } = choiceOf(release, criteria.asset);
    const by: Setting = criteria.arch && rejected.some(({ reason }) => reason === "arch") ? "arch" : "asset";
    return file || criteria[by] === undefined ? [] : [{ release, by }];
  });
  const pause = longestPause(ours);
  return [
    ...byFile,
    ...left.flatMap(({ release, reason }) => {
      const isMuchLater = release.time - chosen.time > pause;
      // A date that cannot be read is before any other.
      const isMeant = (reason === "since" && release.time !== 0) || (reason === "unfinished" && !isMuchLater);
      const by = isMeant ? undefined : SETTINGS[reason];
      return by && isFinished(release, criteria, { isMuchLater }) && isBeyond(release) ? [{ release, by }] : [];
    }),
  ];
}

/** Those that may leave out a release for a reason. */
const SETTINGS: Partial<Record<ReleaseReason, Setting>> = { pattern: "tag", since: "since", unfinished: "prereleases" };

/** A prerelease may have the highest version for months after the vendor called other releases finished. */
function behindPrerelease(
  chosen: ChosenRelease,
  { ours, criteria, choiceOf }: SortedReleases,
): { release: Published; by: Setting }[] {
  if (!isPrerelease(chosen)) return [];
  const later = ours.filter(({ product, time }) => product === chosen.product && time > chosen.time);
  return later.flatMap((one) => {
    const isOther = !isPrerelease(one) && choiceOf(one.release, criteria.asset).file !== undefined;
    return isOther ? [{ release: one.release, by: "prereleases" as const }] : [];
  });
}

function isPrerelease({ release, version }: AppRelease): boolean {
  return release.isPrerelease || isUnfinished(version);
}

function isFinished(
  release: Published,
  { prereleases, product }: ReleaseCriteria,
  { isMuchLater }: { isMuchLater: boolean },
): boolean {
  const read = readTag(release.tag, undefined);
  if (!read) return !isRolling(release.tag, product);
  return prereleases || !((isUnfinished(read.version) && !isMuchLater) || CHANNEL.test(read.product));
}

/** Versions count among those of one product, as tags have them without the settings; otherwise only dates and names do. */
function beyondTest(chosen: ChosenRelease, sorted: SortedReleases): (release: Published) => boolean {
  const own = readTag(chosen.release.tag, undefined);
  const lines = linesOf(sorted);
  const line = lines.get(own?.product) ?? [];
  const isBackport = backportsOf(line);
  // Whatever comes after a version of next year is lower for a year.
  const isSlip = own !== undefined && isAheadOf(own.version, chosen.time);
  const versions = new Map(line.map(({ release, version }) => [release, version]));
  const isEarly = ({ time }: AppRelease) => time <= chosen.time;
  const early = new Set([...lines].flatMap(([product, others]) => (others.some(isEarly) ? [product] : [])));
  return (release) => {
    const isLater = release.time === 0 || release.time > chosen.time;
    const version = versions.get(release);
    if (!own || version === undefined) {
      const isMove = !early.has(readTag(release.tag, undefined)?.product);
      return isLater && hasOwnFile(release, chosen, sorted, { isMove });
    }
    const isHigher = compareVersions(version, own.version) > 0;
    const isNewer = isHigher
      ? isLater || isBackport(own.version, { version, time: release.time })
      : isLater && (isSlip || !isBackport(version, { version: own.version, time: chosen.time }));
    return isNewer && hasAnyFile(release, chosen, sorted);
  };
}

/** All finished releases by the product in their tags, whatever the settings leave out. */
function linesOf({ releases, criteria }: SortedReleases): Map<string | undefined, AppRelease[]> {
  const lines = new Map<string | undefined, AppRelease[]>();
  for (const release of releases) {
    const read = readTag(release.tag, undefined);
    if (!read || release.isDraft || (release.isPrerelease && !criteria.prereleases)) continue;
    const line = lines.get(read.product) ?? [];
    lines.set(read.product, line);
    line.push({ release, ...read, time: release.time });
  }
  return lines;
}

/** Under another product's tag, a file must have the same words. `isMove`: that line has begun since, so it may be the app's under a new
 * name, and the first letters are enough, unless tag and file have another product's beside the app's: `notes-cli.zip` of `cli@1.0.0`. */
function hasOwnFile(
  release: Published,
  chosen: ChosenRelease,
  { choiceOf, criteria }: SortedReleases,
  { isMove }: { isMove: boolean },
): boolean {
  const { file, rejected } = choiceOf(release, undefined);
  const unclear = rejected.filter(({ kind }) => kind === "unclear").map((one) => one.file);
  const isSame = (other: ListedFile) => productOfFile(other) === productOfFile(chosen.file);
  if ([...(file ? [file] : []), ...unclear].some(isSame)) return true;
  const isOfProduct = (one: ListedFile) => areAlike(one, { name: criteria.product });
  if (!isMove || !file) return false;
  if (!areAlike(file, chosen.file) && !(isOfProduct(file) && isOfProduct(chosen.file))) return false;
  const product = readTag(release.tag, undefined)?.product ?? "";
  if (areAlike({ name: product }, chosen.file)) return true;
  const [words, own] = [wordsOf(file.name), wordsOf(chosen.file.name)];
  return !wordsOf(product).some((word) => words.includes(word) && !own.includes(word));
}

/** Under the app's own tags, any installer will do, any archive that names no platform, and another file with the app's name. */
function hasAnyFile(
  release: Published,
  chosen: ChosenRelease,
  { choiceOf, criteria: { product } }: SortedReleases,
): boolean {
  const { file, rejected } = choiceOf(release, undefined);
  const isOwn = (other: ListedFile) => areAlike(other, chosen.file) || areAlike(other, { name: product });
  const mayBe = ({ kind, reason, file: one }: (typeof rejected)[number]) =>
    kind === "unclear" && !isCompanion(one, product) && (reason === "unmarked" || isOwn(one));
  return file !== undefined || rejected.some(mayBe);
}
