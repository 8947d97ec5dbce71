// Chooses a release's installer for a platform from the file names alone, with a reason for each rejected file. The
// order of the files never decides: two that are equally good are an error.
import * as z from "zod";
import { ARCHITECTURES, architectureOf, wordsOf, type Architecture } from "../../../../snapshots/processors.ts";
import type { Platform } from "../../../../snapshots/schema.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { fileName } from "../../../parsing/link.ts";
import { displayName } from "../../../parsing/issues.ts";
import {
  ARCHIVES,
  COMPANION,
  INSTALLERS,
  SETUP,
  matchesGlob,
  markedByTag,
  readFileName,
  type FileName,
} from "./file-name.ts";

export const architecture = z
  .enum(ARCHITECTURES)
  .optional()
  .describe("Architecture of the installer; by default universal, then arm64 for macOS and x64 for Windows");

export interface InstallerCriteria {
  platform: Platform;
  arch?: Architecture | undefined;
  /** The name must match this glob. If a single file does, it is chosen whatever its kind. */
  glob?: string | undefined;
  /** Accepts a macOS archive whose name marks no platform. A Windows archive must always be marked. */
  acceptsUnmarked?: boolean;
  /** Accepts an architecture that few computers have if there is no other. */
  acceptsAnyArch?: boolean;
  /** The words of the product's name, such as the repository's, mark nothing. */
  product?: string;
  /** The version of the release, without dots; a number in a name that equals it tells no files apart. */
  version?: string;
  /** The tag of the release. If no file marks a platform, it is that of the tag. */
  tag?: string;
}

export interface InstallerChoice<T> {
  file: T | undefined;
  /** Another product's installer that is equally good: `settle` refuses to choose between them. */
  rival: T | undefined;
  /** `other`: certainly not an installer for the platform. */
  rejected: { file: T; reason: FileReason; kind: "installer" | "other" | "unclear" }[];
  /** The first file of an unknown kind. */
  unrecognized: T | undefined;
  /** The chosen file is followed by the best one of the same product for each other architecture. `arch`: if the name marks
   * one. */
  files: (T & { arch?: Architecture })[];
}

export const FILE_REASONS = {
  "no-installer": "not an installer",
  platform: "for another platform",
  pattern: 'does not match "asset"',
  kind: "of an unknown kind",
  unmarked: "names no platform",
  companion: "not the app by its name",
  arch: "for another architecture",
  lesser: "a lesser choice",
  uploading: "still uploading",
} as const;
export type FileReason = keyof typeof FILE_REASONS;

export function chooseInstaller<T extends { name: string }>(
  files: readonly T[],
  criteria: InstallerCriteria,
): InstallerChoice<T> {
  const own = wordsOf(criteria.product ?? "");
  const productWords = new Set([...own, ...sharedWords(files)]);
  // With a single file, every word counts as shared, though it may be the file's only mark.
  const unmarking = files.length > 1 ? productWords : new Set(own);
  const { glob, platform, version = "" } = criteria;
  const byName = files.map((file) => ({ file, marks: readFileName(file.name, unmarking, own[0]) }));
  const read = markedByTag(byName, criteria);
  const named = read.filter(
    ({ file, marks }) => glob !== undefined && matchesGlob(file.name, glob) && !isElsewhere(marks, platform),
  );
  const only = named.length === 1 ? named[0]?.file : undefined;
  const classified = read.map(({ file, marks }) => ({
    file,
    marks,
    ...(file === only
      ? { kind: "installer" as const, rank: rank(file.name, marks, { criteria, own: [] }) }
      : classify(file.name, marks, { criteria, productWords })),
  }));
  const installers = classified.flatMap((one) => (one.kind === "installer" ? [one] : []));
  const { best, rival: equal } = bestOf(installers, version);
  // `App_x86_win7.zip` beside `App_x64.zip`, which names no platform but may be the one for most people.
  const order = archOrder(criteria);
  const better = best?.marks.form === "archive" ? order.slice(0, order.indexOf(best.marks.arch)) : [];
  const [unmarked] = classified
    .filter((one) => one.kind === "unclear" && one.reason === "unmarked" && one.marks.arch !== "unmarked")
    .filter(({ marks }) => better.includes(marks.arch))
    .toSorted((a, b) => compareSpelling(a.file.name, b.file.name));
  return {
    file: best?.file,
    rival: (equal ?? unmarked)?.file,
    rejected: classified
      .filter(({ file }) => file !== best?.file)
      .map((one) => ({ file: one.file, kind: one.kind, reason: one.kind === "installer" ? "lesser" : one.reason })),
    unrecognized: classified.find((one) => one.kind === "unclear" && one.reason === "kind")?.file,
    files: best ? installersLike(best, read, { criteria, productWords }) : [],
  };
}

const MAX_NAMED = 3;

export function rejectedLines({ rejected }: InstallerChoice<{ name: string }>): string[] {
  return rejected.map(({ file: { name }, reason }) => `${displayName(name)}: ${FILE_REASONS[reason]}`);
}

/** Returns the installer that was chosen. @throws UpstreamError naming two that are equally good, or files in the way and the
 * setting that helps. `where`: such as `the feed`. */
export function settle<T extends { name: string }>(choice: InstallerChoice<T>, platform: Platform, where: string): T {
  const { file, rival, rejected } = choice;
  if (file && rival) {
    const names = `${displayName(file.name)} and ${displayName(rival.name)}`;
    const help = where === "the release" ? 'name the installer with "asset"' : `leave one of them out of ${where}`;
    throw new UpstreamError(`${names} are equally good: ${help}, or give each product a source of its own`);
  }
  if (file) return file;
  const files = rejectedLines(choice);
  const some = files.length > 0 ? ` (${files.slice(0, MAX_NAMED).join("; ")})` : "";
  const help = rejected.some(({ reason }) => reason === "arch") ? '; see "arch"' : "";
  throw new UpstreamError(`no file in ${where} is known to be an installer for ${platform}${some}${help}`, {
    skipped: files,
  });
}

/** Accepts a link without evidence against it, as the only one there is. `where`: such as `the feed`.
 * @throws UpstreamError if its name marks another platform or another kind of file. */
export function refuseForeign(link: string, platform: Platform, where: string): void {
  settle(chooseInstaller([{ name: fileName(link) }], { platform, glob: "*" }), platform, where);
}

/** Words that are in every file's name distinguish none. */
function sharedWords(files: readonly { name: string }[]): string[] {
  const [first = new Set<string>(), ...others] = files.map(({ name }) => new Set(wordsOf(name.replace(/\.\w+$/, ""))));
  return [...first].filter((word) => others.every((words) => words.has(word)));
}

function isElsewhere({ form, platform: marked }: FileName, platform: Platform): boolean {
  return form === "side" || (marked !== undefined && marked !== platform);
}

/** `other`: certainly not an installer for this platform. `unclear`: not chosen, but no evidence that there is none. */
type Classification = { kind: "installer"; rank: Rank } | { kind: "other" | "unclear"; reason: FileReason };

/** A file with such a word is not the app, wherever the word stands. */
const NEVER_THE_APP = /^(?:uninstall|uninstaller|redist|vcredist)$/;

function classify(
  name: string,
  marks: FileName,
  { criteria, productWords }: { criteria: InstallerCriteria; productWords: ReadonlySet<string> },
): Classification {
  const { platform, glob, acceptsUnmarked = false } = criteria;
  const { form, words, arch } = marks;
  if (form === "side") return { kind: "other", reason: "no-installer" };
  if (isElsewhere(marks, platform)) return { kind: "other", reason: "platform" };
  // It is not "other", because the pattern may be wrong.
  if (glob !== undefined && !matchesGlob(name, glob)) return { kind: "unclear", reason: "pattern" };
  if (form === "unknown") return { kind: "unclear", reason: "kind" };
  const isUnmarked = marks.platform === undefined;
  if (isUnmarked && glob === undefined && (!acceptsUnmarked || platform === "windows")) {
    return { kind: "unclear", reason: "unmarked" };
  }
  const own = words.filter((word) => !productWords.has(word));
  const endsAsCompanion = own.at(-1) === words.at(-1) && COMPANION.test(own.at(-1) ?? "");
  if (glob === undefined && (endsAsCompanion || own.some((word) => NEVER_THE_APP.test(word)))) {
    return { kind: "unclear", reason: "companion" };
  }
  if (!archOrder(criteria).includes(arch)) return { kind: "unclear", reason: "arch" };
  return { kind: "installer", rank: rank(name, marks, { criteria, own }) };
}

/** A file with such a word is for an old system. */
const OLD_SYSTEM = /^(?:win(?:7|8|81|xp)|windows(?:7|8|xp)|xp|legacy|catalina|mojave|highsierra)$/;

/** For old processors, without dialogs, or with the runtime library built in. */
const TWIN = /^baseline$|^silent|silent$|^crt$/;
// As in `windows_krokiet_on_linux.exe`, which was built elsewhere.
const OTHER_SYSTEM = /^(?:linux|ubuntu|debian|freebsd)$/;

/** How good an installer is: lower is better, and the first difference in this order decides. Rare is an architecture after names
 * without one, foreign another language than English, old what is for old systems, and twin the app once more, for few people. */
const CRITERIA = ["rare", "crossed", "form", "extension", "arch", "foreign", "old", "twin"] as const;
type Rank = Record<(typeof CRITERIA)[number], number>;

function rank(
  name: string,
  { extension = "", arch, words }: FileName,
  { criteria, own }: { criteria: InstallerCriteria; own: readonly string[] },
): Rank {
  const order = archOrder(criteria);
  const position = order.indexOf(arch);
  return {
    rare: Number(position > order.indexOf("unmarked")),
    crossed: Number(own.some((word) => OTHER_SYSTEM.test(word))),
    form: formRank(words, own),
    extension: [...INSTALLERS[criteria.platform], ...ARCHIVES].indexOf(extension),
    arch: position,
    foreign: Number(/[-_.](?!en)[a-z]{2}[-_][A-Z]{2}\.\w+$/.test(name)),
    old: Number(words.some((word) => OLD_SYSTEM.test(word))),
    twin: Number(words.some((word) => TWIN.test(word))),
  };
}

/** A file with such a word is the app in a form that few people install. */
const UNUSUAL = /portable$|^(?:cli|server)$/;

/** electron-builder names the installer `App Setup 1.0.exe`, one that downloads the app `App Web Setup 1.0.exe`, and its
 * portable form just `App 1.0.exe`. */
function formRank(words: readonly string[], own: readonly string[]): number {
  if (own.some((word) => UNUSUAL.test(word) || COMPANION.test(word))) return 3;
  if (!words.some((word) => SETUP.test(word))) return 2;
  return own.includes("web") ? 1 : 0;
}

type Ranked = { file: { name: string }; marks: FileName; rank: Rank };

/** Returns the best, and one of another product that is as good: the extension says nothing about two products.
 * `Notes-1.0.dmg` and `Notes.dmg` are one file under two names. */
function bestOf<C extends Ranked>(installers: readonly C[], version: string): { best?: C; rival?: C | undefined } {
  const [best, ...others] = installers.toSorted(
    (a, b) => compareRanks(a.rank, b.rank) || compareSpelling(a.file.name, b.file.name),
  );
  if (!best) return {};
  const [name, product] = [nameWithoutVersion(best.file, version), productOf(best.marks)];
  const isAsGood = (other: C) => {
    if (compareRanks(other.rank, best.rank) === 0) return nameWithoutVersion(other.file, version) !== name;
    const areInstallers = [best, other].every(({ marks }) => marks.form === "installer");
    const { extension, arch } = best.rank;
    const differsInExtension =
      other.rank.extension !== extension && compareRanks({ ...other.rank, extension, arch }, best.rank) === 0;
    return areInstallers && differsInExtension && productOf(other.marks) !== product;
  };
  return { best, rival: others.find(isAsGood) };
}

/** Whole versions are ignored, single numbers are not: `Notes_v2.exe` beside `Notes.exe` is another file. */
function nameWithoutVersion({ name }: { name: string }, version: string): string {
  return wordsOf(name.replace(REVISED_VERSION, " "))
    .filter((word) => word.replace(/^v/, "") !== version)
    .join("");
}

/** A version may have a revision behind it, or other separators: `KeePassXC-2.6.2-2.dmg`, `persepolis_3_2_0_windows.exe`. */
const REVISED_VERSION = /(?<!\d|\d\.)\d+(?:\.\d+)+-\d+(?:(?![.\w])|(?=\.[a-z]))|(?<!\d)\d+(?:_\d+)+(?![\da-z])/gi;

/** The words that are left without numbers, architectures, and those for any installer. */
function productOf({ words }: FileName): string {
  const own = words.filter((word) => !/^v?\d+$|^[rb]\d+$/.test(word) && !ANY_INSTALLER.test(word));
  return own.filter((word) => architectureOf([word]) === "unmarked").join("");
}

/** The better of files of which nothing says for sure that they are installers; undefined if there is none. */
export function bestOffered<T extends { name: string }>(
  files: readonly T[],
  { platform, arch, product }: Pick<InstallerCriteria, "platform" | "arch"> & { product: string },
): T | undefined {
  return chooseInstaller(files, { platform, arch, product, glob: "*", acceptsAnyArch: true }).file ?? files[0];
}

/** Puts first the file that is named after the product, then the one with fewer words. */
export function ownFirst<T extends { name: string }>(files: readonly T[], product: string): T[] {
  const own = wordsOf(product).join("");
  const order = (file: T) =>
    productOfFile(file).replace(own, "").length + (productOfFile(file).includes(own) ? 0 : 100);
  return files.toSorted((a, b) => order(a) - order(b));
}

export function productOfFile({ name }: { name: string }): string {
  return productOf(readFileName(name, new Set()));
}

const ANY_INSTALLER =
  /^(?:setup|install|installer|app|desktop|release|stable|signed|notarized|msi|exe|msix|dmg|pkg|nsis|wix|enterprise|machine|wide|per|user|users|all|system|mas|appstore|store|win|windows|mac|macos|macosx|osx|darwin|pc|msvc|apple|x|bit|en|us)$/;

function compareRanks(a: Rank, b: Rank): number {
  return CRITERIA.map((criterion) => a[criterion] - b[criterion]).find((difference) => difference !== 0) ?? 0;
}

/** The longer name, which is the one with the version in it, is first. */
function compareSpelling(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : Number(a > b));
}

export function nameWithoutNumbers({ name }: { name: string }): string {
  return wordsOf(name)
    .filter((word) => !/^v?\d+$/.test(word))
    .join(" ");
}

/** Without `arch` in the settings, architectures are ordered by the number of computers that they run on. One that is not
 * listed runs on few, and is only chosen if the settings ask for it. */
const DEFAULT_ORDER: Record<Platform, readonly (Architecture | "unmarked")[]> = {
  macos: ["universal", "arm64", "unmarked", "x64", "ia32"],
  windows: ["universal", "x64", "unmarked", "ia32"],
};

function archOrder({ platform, arch, acceptsAnyArch }: InstallerCriteria): readonly (Architecture | "unmarked")[] {
  if (arch !== undefined) return ["universal", arch, "unmarked"];
  return acceptsAnyArch ? [...new Set([...DEFAULT_ORDER[platform], ...ARCHITECTURES])] : DEFAULT_ORDER[platform];
}

/** Adds the best one for each other architecture, the most common first; none where two are equally good. The pattern of the
 * settings chooses the first one only, so the others must have its extension and its words. */
function installersLike<T extends { name: string }>(
  chosen: { file: T; marks: FileName },
  read: readonly { file: T; marks: FileName }[],
  { criteria, productWords }: { criteria: InstallerCriteria; productWords: ReadonlySet<string> },
): (T & { arch?: Architecture })[] {
  const { glob, ...others } = criteria;
  const [product, { extension }] = [productOf(chosen.marks), chosen.marks];
  const isLike = (marks: FileName) => productOf(marks) === product && (!glob || marks.extension === extension);
  const own = chosen.marks.arch === "unmarked" ? chosen.file : { ...chosen.file, arch: chosen.marks.arch };
  const order = archOrder({ ...others, arch: undefined, acceptsAnyArch: true });
  return [
    own,
    ...order.flatMap((arch) => {
      if (arch === "unmarked" || arch === chosen.marks.arch) return [];
      const ranked = read.flatMap(({ file, marks }) => {
        if (marks.arch !== arch || !isLike(marks)) return [];
        const classified = classify(file.name, marks, { criteria: { ...others, arch }, productWords });
        return classified.kind === "installer" ? [{ file, marks, rank: classified.rank }] : [];
      });
      const { best, rival } = bestOf(ranked, criteria.version ?? "");
      return best && !rival ? [{ ...best.file, arch }] : [];
    }),
  ];
}
