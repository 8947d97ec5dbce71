// How good an installer is, by its name alone: the better of two, and whether nothing tells which one is the app.
import { ARCHITECTURES, architectureOf, wordsOf, type Architecture } from "../../../../snapshots/processors.ts";
import type { Platform } from "../../../../snapshots/schema.ts";
import { ARCHIVES, COMPANION, INSTALLERS, readFileName, SETUP, type FileName } from "./file-name.ts";

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

/** A file with such a word is for an old system. */
const OLD_SYSTEM = /^(?:win(?:7|8|81|xp)|windows(?:7|8|xp)|xp|legacy|catalina|mojave|highsierra)$/;

/** For old processors, without dialogs, or with the runtime library built in. */
const TWIN = /^baseline$|^silent|silent$|^crt$/;
// As in `windows_krokiet_on_linux.exe`, which was built elsewhere.
const OTHER_SYSTEM = /^(?:linux|ubuntu|debian|freebsd)$/;

/** How good an installer is: lower is better, and the first difference in this order decides. Rare is an architecture after names
 * without one, foreign another language than English, old what is for old systems, and twin the app once more, for few people. */
const CRITERIA = ["rare", "crossed", "form", "extension", "arch", "foreign", "old", "twin"] as const;
export type Rank = Record<(typeof CRITERIA)[number], number>;

export function rank(
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
export function bestOf<C extends Ranked>(
  installers: readonly C[],
  { version = "", product: app = "" }: InstallerCriteria,
): { best?: C; rival?: C | undefined } {
  const [best, ...others] = installers.toSorted(
    (a, b) => compareRanks(a.rank, b.rank) || compareSpelling(a.file.name, b.file.name),
  );
  if (!best) return {};
  const [name, product] = [nameWithoutVersion(best.file, version), productOf(best.marks)];
  const isTheApp = appBeside(best, app);
  const isAsGood = (other: C) => {
    if (compareRanks(other.rank, best.rank) === 0) return nameWithoutVersion(other.file, version) !== name;
    const areInstallers = [best, other].every(({ marks }) => marks.form === "installer");
    const { extension, arch } = best.rank;
    const differsInExtension =
      other.rank.extension !== extension && compareRanks({ ...other.rank, extension, arch }, best.rank) === 0;
    return areInstallers && differsInExtension && productOf(other.marks) !== product;
  };
  return { best, rival: others.find((other) => isAsGood(other) || isTheApp(other)) };
}

/** `NotesHelperSetup.exe` is no better than `Notes.exe` because it is a setup. */
function appBeside(best: Ranked, app: string): (other: Ranked) => boolean {
  const plain = (marks: Pick<FileName, "words">) => productOf(marks).replace(SETUP, "");
  const [its, own] = [plain(best.marks), plain({ words: wordsOf(app) })];
  return ({ marks, rank }) => own !== "" && its !== own && best.rank.form < rank.form && plain(marks) === own;
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
export function productOf({ words }: Pick<FileName, "words">): string {
  const own = words.filter((word) => !/^v?\d+$|^[rb]\d+$/.test(word) && !ANY_INSTALLER.test(word));
  return own.filter((word) => architectureOf([word]) === "unmarked").join("");
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
export function compareSpelling(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : Number(a > b));
}

/** Without `arch` in the settings, architectures are ordered by the number of computers that they run on. One that is not
 * listed runs on few, and is only chosen if the settings ask for it. */
const DEFAULT_ORDER: Record<Platform, readonly FileName["arch"][]> = {
  macos: ["universal", "arm64", "unmarked", "x64", "ia32"],
  windows: ["universal", "x64", "unmarked", "ia32"],
};

export function archOrder({ platform, arch, acceptsAnyArch }: InstallerCriteria): readonly FileName["arch"][] {
  if (arch !== undefined) return ["universal", arch, "unmarked"];
  return acceptsAnyArch ? [...new Set([...DEFAULT_ORDER[platform], ...ARCHITECTURES])] : DEFAULT_ORDER[platform];
}
