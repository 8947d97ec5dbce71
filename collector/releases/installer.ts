// Chooses a release's installer for a platform from the file names alone, and says why the other files were rejected.
import * as z from "zod";
import type { Platform } from "../../snapshots/schema.ts";
import { matchesGlob } from "./glob.ts";

const ARCHITECTURES = ["universal", "arm64", "x64", "ia32"] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

export const architecture = z
  .enum(ARCHITECTURES)
  .optional()
  .describe("Architecture of the installer; by default universal, then arm64 for macOS and x64 for Windows");

export interface InstallerCriteria {
  platform: Platform;
  arch: Architecture | undefined;
  /** Glob that the name must match. */
  glob?: string | undefined;
  /** Accepts a file without a platform in its name. */
  acceptsUnmarked: boolean;
}

/** `installer`: lower ranks are better, compared number by number. `other`: certainly not an installer for this
 * platform. `unclear`: not accepted, but no evidence that there is no installer either. */
type Classification = { kind: "installer"; rank: number[] } | { kind: "other" | "unclear"; why: string };

export interface InstallerChoice<T> {
  /** The best installer, if any. */
  asset: T | undefined;
  rejected: { asset: T; why: string }[];
  /** The first file without a known extension. */
  unrecognized: T | undefined;
  /** True when every file is certainly not an installer for the platform. */
  isNoneForPlatform: boolean;
}

/** Extensions of installers, best first; a zip or a .app.tar.gz is mostly meant for an updater. */
const EXTENSIONS: Record<Platform, readonly string[]> = {
  macos: ["dmg", "pkg", "zip", "app.tar.gz"],
  windows: ["exe", "msi", "msix", "msixbundle", "appx", "zip", "nsis.zip", "msi.zip"],
};
/** Without `arch` in the settings, the architectures by the number of computers that they run on. One that is not
 * listed runs on hardly any, and is only chosen if the settings ask for it. */
const DEFAULT_ORDER: Record<Platform, readonly (Architecture | "unmarked")[]> = {
  macos: ["universal", "arm64", "unmarked", "x64", "ia32"],
  windows: ["universal", "x64", "unmarked", "ia32"],
};

const PLATFORM_WORDS: Record<Platform | "other", RegExp> = {
  macos: /^(mac|macos|macosx|osx|darwin)(\d*|x64|arm64|universal)$/,
  windows: /^(win|windows)(\d*|x64|x86|arm64)$/,
  other: /^(linux|ubuntu|debian|fedora|freebsd|android|ios|ipados)(32|64|x64|arm64)?$/,
};
const ARCH_WORDS: Record<Architecture, RegExp> = {
  universal: /^universal2?$|^(mac|macos)universal$/,
  arm64: /arm64$|^(aarch64|silicon)$/,
  x64: /x64$|^(amd64|intel|win64|64bit)$/,
  ia32: /^(x86|winx86|ia32|i386|i686|32bit)$/,
};
const OTHER_EXTENSIONS =
  /\.(appimage|deb|rpm|snap|flatpak|apk|aab|ipa|blockmap|ya?ml|json|xml|txt|md|html|sig|asc|minisig|pem|crt|sha\d+|sha\d+sums?|md5|delta|nupkg|pdb|zst|tgz|tar(\.\w+)?)$/;
const UNKNOWN_EXTENSION = "of an unknown kind";
const NOT_THE_APP = /^(source|src|symbols|dsym|dsyms|debug|pdb|uninstall|uninstaller|redist|vcredist)$/;
/** The app in a form that few people install: only chosen if there is nothing else. */
const UNUSUAL = /^(portable|cli|server)$/;

/** Chooses the installer for the platform by the files' names. */
export function chooseInstaller<T extends { name: string }>(
  assets: readonly T[],
  criteria: InstallerCriteria,
): InstallerChoice<T> {
  const classified = assets.map((asset) => ({ asset, ...classify(asset.name, criteria) }));
  const installers = classified.flatMap((file) => (file.kind === "installer" ? [file] : []));
  const [best] = installers.toSorted((a, b) => compareRanks(a.rank, b.rank));
  return {
    asset: best?.asset,
    rejected: classified.flatMap((file) =>
      file.asset === best?.asset
        ? []
        : [{ asset: file.asset, why: file.kind === "installer" ? "a lesser choice" : file.why }],
    ),
    unrecognized: classified.find((file) => file.kind === "unclear" && file.why === UNKNOWN_EXTENSION)?.asset,
    isNoneForPlatform: classified.every((file) => file.kind === "other"),
  };
}

function classify(name: string, criteria: InstallerCriteria): Classification {
  const { platform, glob, acceptsUnmarked } = criteria;
  // Not "other": the pattern may be wrong.
  if (glob !== undefined && !matchesGlob(name, glob)) return { kind: "unclear", why: 'does not match "asset"' };
  const words = wordsOf(name);
  const extension = extensionOf(name);
  if (extension === undefined) {
    if (OTHER_EXTENSIONS.test(name.toLowerCase())) return { kind: "other", why: "not an installer" };
    return { kind: "unclear", why: UNKNOWN_EXTENSION };
  }
  if (words.some((word) => NOT_THE_APP.test(word))) return { kind: "other", why: "not the app" };
  const filePlatform = platformOf(extension, words);
  if (filePlatform !== undefined && filePlatform !== platform) return { kind: "other", why: "for another platform" };
  if (filePlatform === undefined && !acceptsUnmarked) return { kind: "unclear", why: "names no platform" };
  const arch = archOf(words);
  if (!archOrder(criteria).includes(arch)) return { kind: "unclear", why: "for another architecture" };
  return { kind: "installer", rank: rank({ extension, arch, words }, criteria) };
}

/** By preferred or no architecture, then by usual form, then by extension, then by architecture. */
function rank(
  { extension, arch, words }: { extension: string; arch: Architecture | "unmarked"; words: string[] },
  criteria: InstallerCriteria,
): number[] {
  const order = archOrder(criteria);
  const position = order.indexOf(arch);
  return [
    Number(position > order.indexOf("unmarked")),
    Number(words.some((word) => UNUSUAL.test(word))),
    EXTENSIONS[criteria.platform].indexOf(extension),
    position,
  ];
}

function archOrder({ platform, arch }: InstallerCriteria): readonly (Architecture | "unmarked")[] {
  return arch === undefined ? DEFAULT_ORDER[platform] : ["universal", arch, "unmarked"];
}

// Longest first, so that `.nsis.zip` is found before `.zip`.
const LONGEST_FIRST = Object.values(EXTENSIONS)
  .flat()
  .toSorted((a, b) => b.length - a.length);

function extensionOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  return LONGEST_FIRST.find((extension) => lower.endsWith(`.${extension}`));
}

/** The platform by the extension, for a zip by the words in its name. */
function platformOf(extension: string, words: string[]): Platform | "other" | undefined {
  // FreeBSD also has .pkg packages.
  if (extension === "pkg" && words.includes("freebsd")) return "other";
  if (extension !== "zip") return EXTENSIONS.macos.includes(extension) ? "macos" : "windows";
  const platforms = (["macos", "windows", "other"] as const).filter((platform) =>
    words.some((word) => PLATFORM_WORDS[platform].test(word)),
  );
  return platforms.length === 1 ? platforms[0] : undefined;
}

function archOf(words: string[]): Architecture | "unmarked" {
  const marked = ARCHITECTURES.filter((arch) => words.some((word) => ARCH_WORDS[arch].test(word)));
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
