// No choice goes past a newer release that may be the app's. A list is read for years, in which the vendor renames a file, counts
// anew or changes the form of the tags; the highest version that still looks familiar would then be confirmed for ever. So such a
// choice is refused, and the refusal names both and the settings that decide, each of which was tried.
import { displayNames } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { Doubt, MAX_NAMED } from "./advice.ts";
import { areAlike, isCompanion, lettersOf, nameWithoutNumbers } from "./file-name.ts";
import { bestOffered, ownFirst } from "./installer.ts";
import { FILE_REASONS, fileOf } from "./listed-release.ts";
import type {
  AppRelease,
  ChosenRelease,
  ListedFile,
  Published,
  ReleaseCriteria,
  ReleaseReason,
  SortedReleases,
} from "./listed-release.ts";
import { isRolling } from "./tag.ts";
import { backportsOf, compareVersions, isAheadOf, isUnfinished, newestFirst } from "../../versions/version.ts";

/** @throws Doubt if a later release may be the app's newest one. */
export function refusePassedOver(chosen: ChosenRelease, sorted: SortedReleases): void {
  const own = displayName(chosen.release.tag);
  const newcomer = newcomerTo(chosen, sorted);
  const { criteria, choiceOf } = sorted;
  const ownFile = (release: Published) => choiceOf(release, criteria.asset).file;
  const refuse = (later: readonly { release: Published }[], why: string, otherwise?: string) => {
    const rival = later.find(({ release }) => ownFile(release) ?? newcomer(release));
    if (!rival) return;
    const { release } = rival;
    // Where the pattern for files leaves it out, only another pattern can take it.
    const file = ownFile(release) || criteria.asset === undefined ? undefined : newcomer(release);
    const rivals = [{ release, file }, { release: chosen.release }].toSorted((a, b) => b.release.time - a.release.time);
    throw new Doubt(`${displayName(release.tag)} ${why}`, rivals, otherwise);
  };
  refuseSlip(chosen, sorted);
  refuseRenamed(chosen, sorted, newcomer);
  refuse(restarted(chosen, sorted), `came after ${own}, but has a lower version`);
  refuse(laterUnread(chosen, sorted), `is later than ${own}, and has no version that can be read`);
  refuse(laterOfOther(chosen, sorted), `is newer than ${own}, and may be another product`);
  refuse(
    markedLatest(chosen, sorted),
    `is the latest release by the vendor's own mark, and ${own} has the highest version`,
    "or correct the mark",
  );
}

type Newcomer = (release: Published) => ListedFile | undefined;

/** Finds a file of a newer release that the chosen release has nothing like, and that may be for any platform, or of any kind;
 * and any such file where no file of the release names a platform. With a pattern for files in the settings, it finds one
 * like the chosen file. */
function newcomerTo(chosen: ChosenRelease, { criteria, choiceOf }: SortedReleases): Newcomer {
  const known = new Set(chosen.release.files.map(nameWithoutNumbers));
  const isNew = (file: ListedFile) => !known.has(nameWithoutNumbers(file));
  const isLike = (file: ListedFile) => criteria.asset === undefined || areAlike(file, chosen.file);
  return (release) => {
    if (choiceOf(release, criteria.asset).file) return undefined;
    const { file: longest, rival: equal, rejected } = choiceOf(release, undefined);
    const [best] = longest && equal ? ownFirst([longest, equal], criteria.product) : [longest];
    const isSame = ({ kind, file }: (typeof rejected)[number]) =>
      kind === "installer" && lettersOf(file) === lettersOf(chosen.file);
    // Another edition may be the better file, and the pattern was not for that.
    const file = (criteria.asset === undefined ? undefined : rejected.find(isSame)?.file) ?? best;
    if (file) return isNew(file) ? file : undefined;
    const unclear = rejected.filter(({ reason }) => reason === "unmarked" || reason === "kind").map(({ file }) => file);
    const candidates = unclear.filter((file) => !isCompanion(file, criteria.product) && isLike(file));
    const isForOthers = rejected.some(({ reason }) => reason === "platform");
    return (
      bestOffered(candidates.filter(isNew), criteria) ?? (isForOthers ? undefined : bestOffered(candidates, criteria))
    );
  };
}

/** The vendor renamed the file: `alt-tab-macos.zip`, then `AltTab-1.4.5.zip`. */
function refuseRenamed(chosen: ChosenRelease, sorted: SortedReleases, newcomer: Newcomer): void {
  const { asset, pinned } = sorted.criteria;
  // The vendor means to leave others out.
  if (asset !== undefined && pinned) return;
  const own = sorted.ours.filter(({ product }) => product === chosen.product);
  const isBackport = backportsOf(own);
  for (const one of own) {
    const { release } = one;
    if (release === chosen.release) return;
    // A higher version that was there before the vendor began to count anew is none.
    if (one.time <= chosen.time && !isBackport(chosen.version, one)) continue;
    const file = newcomer(release);
    if (!file) continue;
    throw new Doubt(
      `${fileOf(file, release)} is newer than ${fileOf(chosen.file, chosen.release)}, but nothing says that it is the installer for ${sorted.criteria.platform}`,
      [{ release, file }, chosen],
      asset === undefined ? undefined : 'or add "pinned": true to stay with "asset"',
    );
  }
}

/** A calendar version that is later than its own publication, `v2027-07-31` in 2026, would be the highest for a year. A vendor who dates
 * others ahead, too, counts that way, and one who writes the year into `tag` means it. */
function refuseSlip(chosen: ChosenRelease, { ours, criteria }: SortedReleases): void {
  const isEarly = ({ version, time }: AppRelease) => isAheadOf(version, time, DAY_MS);
  const others = ours.filter((one) => one.product === chosen.product && one.release !== chosen.release);
  const isMeant = criteria.tag?.includes(chosen.version.slice(0, 4));
  if (!isAheadOf(chosen.version, chosen.time) || others.some(isEarly) || isMeant) return;
  throw new Doubt(
    `${displayName(chosen.release.tag)} is a version of more than a month after its publication`,
    [{ release: chosen.release }],
    "correct the tag, or mark the release as a prerelease",
  );
}

/** Wherever the vendor lives. */
const DAY_MS = 24 * 60 * 60_000;

/** The vendor counts anew: 13.1.0 after 2023.5.8. */
function restarted(chosen: ChosenRelease, { ours }: SortedReleases): AppRelease[] {
  const own = ours.filter(({ product }) => product === chosen.product);
  const later = own.filter(({ time }) => time > chosen.time);
  if (isAheadOf(chosen.version, chosen.time)) return later;
  if (own.every(({ time }) => Math.abs(time - chosen.time) < IMPORT_MS)) return [];
  const isBackport = backportsOf(own);
  // One that goes on with a series that was there before is none.
  return later.filter(({ version }) => compareVersions(version, chosen.version) < 0 && !isBackport(version, chosen));
}

/** Releases that were all published within so long were imported, in any order. */
const IMPORT_MS = 5 * 60_000;

/** A later tag may be one that cannot be read: `app-2` after `app-1.9`. */
function laterUnread(chosen: ChosenRelease, { left, criteria }: SortedReleases): { release: Published }[] {
  return left.filter(
    ({ release: { tag, time }, reason }) =>
      reason === "unread" && time > chosen.time && !isRolling(tag, criteria.product),
  );
}

/** A later and higher version may be of another product: `core@13.1.0` after `v2.0.0`. */
function laterOfOther(chosen: ChosenRelease, { ours }: SortedReleases): AppRelease[] {
  return ours.filter(
    ({ product, time, version }) =>
      product !== chosen.product && time > chosen.time && compareVersions(version, chosen.version) > 0,
  );
}

/** The vendor's own word for the latest release, against the highest version. */
function markedLatest(chosen: ChosenRelease, { ours, left, latest }: SortedReleases): { release: Published }[] {
  const known = [...ours, ...left.filter(({ reason }) => reason === "unread" || reason === "unfinished")];
  const isAhead = chosen.release.isPrerelease || isUnfinished(chosen.version);
  // A release published between two requests moves the last one of a page to the next, too.
  if (chosen.release.tag === latest) return [];
  return known.filter(({ release }) => release.tag === latest && !(isAhead && release.time < chosen.time));
}

/** A vendor who has published nothing for a platform for so long does not publish for it. */
const DECIDES_ON_NONE_MS = 365 * 24 * 60 * 60_000;

/** @throws Doubt unless it is certain that nothing is published for the platform. */
export function refuseUnknown({ releases, isWhole, askedAt, criteria, ours, left, choiceOf }: SortedReleases): void {
  const { platform, tag: glob, asset, since } = criteria;
  const oldest = Math.min(askedAt, Math.max(0, ...releases.map(({ time }) => time))) - DECIDES_ON_NONE_MS;
  const isRecent = (release: Published) => release.time >= oldest;
  const refuse = (reason: ReleaseReason, problem: string) => {
    const mayHaveOne = left.filter((one) => {
      if (one.reason !== reason || !isRecent(one.release)) return false;
      const { file, rejected } = choiceOf(one.release, asset);
      return file !== undefined || rejected.some(({ kind }) => kind !== "other");
    });
    if (mayHaveOne.length === 0) return;
    // Those of one day are in the order of their versions.
    const byVersion = newestFirst(mayHaveOne, ({ release }) => release.tag);
    const doubtful = byVersion.toSorted((a, b) => b.release.time - a.release.time);
    throw new Doubt(`${problem} (${displayNames(doubtful.map(({ release }) => release.tag))})`, doubtful.slice(0, 1));
  };
  refuse("unfinished", `only prereleases may have an installer for ${platform}`);
  refuse("unread", `no release with an installer for ${platform} has a version in its tag`);
  if (glob !== undefined && ours.length === 0 && releases.length > 0) {
    const tags = displayNames(left.map(({ release }) => release.tag));
    const found = left.flatMap(({ release: { tag } }) => (/\d/.test(tag) ? [tag.replace(/\d[^]*$/, "*")] : []));
    const stems = [...new Set(found.length > 0 ? found : ["v*"])];
    const most = Math.max(...stems.map((stem) => alikeLength(stem, glob)));
    const nearest = stems.filter((stem) => alikeLength(stem, glob) === most).slice(0, MAX_NAMED);
    const ways = nearest.map((stem) => `"tag": "${displayName(stem)}"`).join(" or ");
    const remedy = `write ${ways} rather than ${JSON.stringify(glob)}`;
    throw new Doubt(`no release has a tag of the app (${tags})`, [], remedy);
  }
  if (since !== undefined && ours.length === 0 && left.some(({ reason }) => reason === "since")) {
    throw new Doubt(
      "every release is of before the day in the settings",
      [],
      `correct "since": ${JSON.stringify(since)}`,
    );
  }
  const isNone = `if there is none, write "${platform}": "none"`;
  const unclear = ours.flatMap(({ release }) => {
    if (!isRecent(release)) return [];
    const rejected = choiceOf(release, asset).rejected.filter(({ kind }) => kind === "unclear");
    return rejected.map(({ file, reason }) => ({ release, file, reason }));
  });
  if (unclear.length > 0) {
    const some = unclear
      .slice(0, MAX_NAMED)
      .map(({ file, release, reason }) => `${fileOf(file, release)}: ${FILE_REASONS[reason]}`);
    const isOfArch = unclear.some(({ reason }) => reason === "arch");
    const help = isOfArch ? `choose it with "arch" or "asset" in a source for ${platform} alone; ${isNone}` : isNone;
    throw new Doubt(
      `no file is known to be an installer for ${platform} (${some.join("; ")})`,
      isOfArch ? [] : bestOfUnclear(unclear, criteria),
      help,
    );
  }
  if (!isWhole && releases.every(isRecent)) {
    throw new Doubt(`no installer for ${platform} among the newest ${releases.length} releases`, [], isNone);
  }
}

/** How far two texts begin with the same letters. */
function alikeLength(one: string, other: string): number {
  const [letters, others] = [one.toLowerCase(), other.toLowerCase()];
  let length = 0;
  while (length < letters.length && letters[length] === others[length]) length++;
  return length;
}

/** The best file of the newest release that has any. */
function bestOfUnclear(unclear: readonly { release: Published; file: ListedFile }[], criteria: ReleaseCriteria) {
  const [newest] = unclear;
  const files = unclear.filter(({ release }) => release === newest?.release).map(({ file }) => file);
  const file = bestOffered(files, criteria);
  return newest && file ? [{ release: newest.release, file }] : [];
}
