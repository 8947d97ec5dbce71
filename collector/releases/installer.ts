// Which of a release's files is the installer for a platform, told from their names alone, and why the others are not.
import * as z from "zod";
import type { Platform } from "../../snapshots/schema.ts";
import { matchesGlob } from "./glob.ts";

const ARCHITECTURES = ["universal", "arm64", "x64", "ia32"] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

export const architecture = z
  .enum(ARCHITECTURES)
  .optional()
  .describe("Architecture of the installer; by default universal, then arm64 for macOS and x64 for Windows");

export interface Wish {
  platform: Platform;
  arch: Architecture | undefined;
  /** Glob that the name must match. */
  glob?: string | undefined;
  /** True when a file whose name tells no platform is for this one. */
  isUnmarkedOurs: boolean;
}

/** `installer`: the lower the rank, the better, its first numbers first. `elsewhere`: plainly something else, so that it
 * is none for this platform. `unclear`: not taken, and yet nobody may conclude that there is none. */
type Judgement = { is: "installer"; rank: number[] } | { is: "elsewhere" | "unclear"; why: string };

export interface Choice<T> {
  /** The best installer, if any. */
  asset: T | undefined;
  /** Of the others, each with its name and why it was left. */
  left: { asset: T; why: string }[];
  /** The first whose name does not even tell what kind of file it is. */
  unnamed: T | undefined;
  /** True when every file is plainly something else than an installer for the platform. */
  isNoneOurs: boolean;
}

/** Kinds of installer, best first; a zip or a .app.tar.gz mostly feeds an updater. */
const KINDS: Record<Platform, readonly string[]> = {
  macos: ["dmg", "pkg", "zip", "app.tar.gz"],
  windows: ["exe", "msi", "msix", "msixbundle", "appx", "zip", "nsis.zip", "msi.zip"],
};
/** Which architecture serves most people, where the settings say none; what is not named runs on hardly any computer, and is
 * only taken where the settings ask for it. */
const ORDER: Record<Platform, readonly (Architecture | "unmarked")[]> = {
  macos: ["universal", "arm64", "unmarked", "x64", "ia32"],
  windows: ["universal", "x64", "unmarked", "ia32"],
};

const MARKS: Record<Platform | "other", RegExp> = {
  macos: /^(mac|macos|macosx|osx|darwin)(\d*|x64|arm64|universal)$/,
  windows: /^(win|windows)(\d*|x64|x86|arm64)$/,
  other: /^(linux|ubuntu|debian|fedora|freebsd|android|ios|ipados)(32|64|x64|arm64)?$/,
};
const ARCH_MARKS: Record<Architecture, RegExp> = {
  universal: /^universal2?$|^(mac|macos)universal$/,
  arm64: /arm64$|^(aarch64|silicon)$/,
  x64: /x64$|^(amd64|intel|win64|64bit)$/,
  ia32: /^(x86|winx86|ia32|i386|i686|32bit)$/,
};
const OTHER_KINDS =
  /\.(appimage|deb|rpm|snap|flatpak|apk|aab|ipa|blockmap|ya?ml|json|xml|txt|md|html|sig|asc|minisig|pem|crt|sha\d+|sha\d+sums?|md5|delta|nupkg|pdb|zst|tgz|tar(\.\w+)?)$/;
const OF_NO_KIND = "of a kind that is not known";
const NOT_THE_APP = /^(source|src|symbols|dsym|dsyms|debug|pdb|uninstall|uninstaller|redist|vcredist)$/;
/** Of the app, and yet not what most people install: only taken where there is nothing else. */
const SPECIAL = /^(portable|cli|server)$/;

/** Chooses the installer for the platform from files of these names. */
export function chooseAsset<T extends { name: string }>(assets: readonly T[], wish: Wish): Choice<T> {
  const judged = assets.map((asset) => ({ asset, ...judge(asset.name, wish) }));
  const fitting = judged.flatMap((one) => (one.is === "installer" ? [one] : []));
  const [best] = fitting.toSorted((a, b) => compareRanks(a.rank, b.rank));
  return {
    asset: best?.asset,
    left: judged.flatMap((one) =>
      one.asset === best?.asset
        ? []
        : [{ asset: one.asset, why: one.is === "installer" ? "a lesser choice" : one.why }],
    ),
    unnamed: judged.find((one) => one.is === "unclear" && one.why === OF_NO_KIND)?.asset,
    isNoneOurs: judged.every((one) => one.is === "elsewhere"),
  };
}

/** What a file of this name is to the platform. */
function judge(name: string, wish: Wish): Judgement {
  const { platform, glob, isUnmarkedOurs } = wish;
  // Not "elsewhere": it may be the pattern that is wrong.
  if (glob !== undefined && !matchesGlob(name, glob)) return { is: "unclear", why: 'does not match "asset"' };
  const words = wordsOf(name);
  const kind = kindOf(name);
  if (kind === undefined) {
    if (OTHER_KINDS.test(name.toLowerCase())) return { is: "elsewhere", why: "no installer" };
    return { is: "unclear", why: OF_NO_KIND };
  }
  if (words.some((word) => NOT_THE_APP.test(word))) return { is: "elsewhere", why: "not the app" };
  const owner = ownerOf(kind, words);
  if (owner !== undefined && owner !== platform) return { is: "elsewhere", why: "for another platform" };
  if (owner === undefined && !isUnmarkedOurs) return { is: "unclear", why: "names no platform" };
  const marked = archOf(words);
  if (!orderOf(wish).includes(marked)) return { is: "unclear", why: "for another architecture" };
  return { is: "installer", rank: rank({ kind, marked, words }, wish) };
}

/** Whoever has the wanted or any fitting architecture first, then by kind, then by architecture. */
function rank(
  { kind, marked, words }: { kind: string; marked: Architecture | "unmarked"; words: string[] },
  wish: Wish,
): number[] {
  const order = orderOf(wish);
  const place = order.indexOf(marked);
  return [
    Number(place > order.indexOf("unmarked")),
    Number(words.some((word) => SPECIAL.test(word))),
    KINDS[wish.platform].indexOf(kind),
    place,
  ];
}

function orderOf({ platform, arch }: Wish): readonly (Architecture | "unmarked")[] {
  return arch === undefined ? ORDER[platform] : ["universal", arch, "unmarked"];
}

// The longest ending is the kind: `.nsis.zip` before `.zip`.
const LONGEST_FIRST = Object.values(KINDS)
  .flat()
  .toSorted((a, b) => b.length - a.length);

function kindOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  return LONGEST_FIRST.find((kind) => lower.endsWith(`.${kind}`));
}

/** Whose the file is by its kind, and for a zip by the words in its name. */
function ownerOf(kind: string, words: string[]): Platform | "other" | undefined {
  // FreeBSD has packages of this kind, too.
  if (kind === "pkg" && words.includes("freebsd")) return "other";
  if (kind !== "zip") return KINDS.macos.includes(kind) ? "macos" : "windows";
  const owners = (["macos", "windows", "other"] as const).filter((owner) =>
    words.some((word) => MARKS[owner].test(word)),
  );
  return owners.length === 1 ? owners[0] : undefined;
}

function archOf(words: string[]): Architecture | "unmarked" {
  const marked = ARCHITECTURES.filter((arch) => words.some((word) => ARCH_MARKS[arch].test(word)));
  if (marked.length > 1) return "universal";
  return marked[0] ?? "unmarked";
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .replace(/x86[_-]64/g, "x64")
    .replace(/(32|64)[_-]bit/g, "$1bit")
    .split(/[^a-z0-9]+/);
}

function compareRanks(a: number[], b: number[]): number {
  const index = a.findIndex((number, at) => number !== b[at]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
