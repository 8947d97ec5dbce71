// `tag`, `asset` and `since` are written once and kept for years. A later release that they leave out, with a file like the chosen one,
// is named in each run until the settings say that it is meant ("pinned"): whoever follows a run hears of it (`Candidate.beyond`). Nothing
// is refused for it, because an old line may be all that a vendor publishes.
import { displayName } from "../../../parsing/issues.ts";
import type { Candidate } from "../../../source.ts";
import { backportsOf, compareVersions, isUnfinished } from "../../versions/version.ts";
import { areAlike, productOfFile } from "./installer.ts";
import type { AppRelease, ListedFile, Published, ReleaseCriteria, ReleaseReason } from "./listed-release.ts";
import { CHANNEL, isRolling, readTag } from "./tag.ts";

type Setting = "tag" | "asset" | "since";

interface ChosenRelease {
  release: Published;
  file: ListedFile;
}

/** A list, sorted as the settings say. */
interface SortedReleases {
  criteria: ReleaseCriteria;
  releases: Published[];
  ours: AppRelease[];
  left: { release: Published; reason: ReleaseReason }[];
  choiceOf(
    release: Published,
    asset: string | undefined,
  ): { file: ListedFile | undefined; rejected: { file: ListedFile; kind: string }[] };
}

/** Returns the latest of the releases that a setting leaves out and that may be the app's newest one. */
export function beyondSettings(chosen: ChosenRelease, sorted: SortedReleases): Candidate["beyond"] {
  const { criteria } = sorted;
  if (criteria.pinned) return undefined;
  const isBeyond = beyondTest(chosen, sorted);
  const found = leftOutBySettings(sorted)
    .filter(({ release }) => isBeyond(release))
    .toSorted((a, b) => b.release.time - a.release.time)[0];
  if (!found) return undefined;
  const { release, by } = found;
  return { release: displayName(release.tag), setting: `"${by}": ${JSON.stringify(criteria[by])}` };
}

function leftOutBySettings({ ours, left, criteria, choiceOf }: SortedReleases): { release: Published; by: Setting }[] {
  const byAsset = ours.filter(({ release }) => criteria.asset !== undefined && !choiceOf(release, criteria.asset).file);
  return [
    ...byAsset.map(({ release }) => ({ release, by: "asset" as const })),
    ...left.flatMap(({ release, reason }) => {
      // A date that cannot be read is before any other.
      const by = reason === "pattern" ? "tag" : reason === "since" && release.time === 0 ? "since" : undefined;
      return by && isFinished(release, criteria) ? [{ release, by } as const] : [];
    }),
  ];
}

function isFinished(release: Published, { prereleases, product }: ReleaseCriteria): boolean {
  const read = readTag(release.tag, undefined);
  if (!read) return !isRolling(release.tag, product);
  return prereleases || !(isUnfinished(read.version) || CHANNEL.test(read.product));
}

/** Versions count among those of one product, as tags have them without the settings; otherwise only dates and names do. */
function beyondTest(chosen: ChosenRelease, sorted: SortedReleases): (release: Published) => boolean {
  const own = readTag(chosen.release.tag, undefined);
  const line = own ? lineOf(own.product, sorted) : [];
  const isBackport = backportsOf(line.map(({ version, release: { time } }) => ({ version, time })));
  return (release) => {
    const isLater = release.time === 0 || release.time > chosen.release.time;
    const read = line.find((one) => one.release === release);
    if (!own || !read) return isLater && hasFile(release, chosen, sorted, { isOwnLine: false });
    const isHigher = compareVersions(read.version, own.version) > 0;
    const isNewer = isHigher
      ? isLater || isBackport(own.version, release.time)
      : isLater && !isBackport(read.version, chosen.release.time);
    return isNewer && hasFile(release, chosen, sorted, { isOwnLine: true });
  };
}

/** All finished releases with such a tag, whatever the settings leave out. */
function lineOf(product: string, { releases, criteria }: SortedReleases): AppRelease[] {
  return releases.flatMap((release) => {
    const read = readTag(release.tag, undefined);
    const isOut = release.isDraft || (release.isPrerelease && !criteria.prereleases);
    return read && !isOut && read.product === product ? [{ release, ...read }] : [];
  });
}

/** Under another product's tag, the file must have the same words; under the app's own, any installer will do. */
function hasFile(
  release: Published,
  chosen: ChosenRelease,
  { choiceOf }: SortedReleases,
  { isOwnLine }: { isOwnLine: boolean },
): boolean {
  const { file, rejected } = choiceOf(release, undefined);
  const unclear = rejected.filter(({ kind }) => kind === "unclear").map((one) => one.file);
  const isSame = (other: ListedFile) => productOfFile(other) === productOfFile(chosen.file);
  if (!isOwnLine) return [...(file ? [file] : []), ...unclear].some(isSame);
  return file !== undefined || unclear.some((other) => areAlike(other, chosen.file));
}
