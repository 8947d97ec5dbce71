// A file's name is all the evidence of its kind, platform and architecture. A word that is part of the product's own name is none.
import { architectureOf, wordsOf, type Architecture } from "../../../../snapshots/processors.ts";
import type { Platform } from "../../../../snapshots/schema.ts";

export interface FileName {
  /** The longest extension that is known, in lower case: `app.tar.gz`. Undefined for one that is not known. */
  extension: string | undefined;
  /** `side`: accompanies another file, such as a signature. */
  form: "installer" | "archive" | "side" | "unknown";
  /** The extension marks it, else the words; undefined when neither marks one, or when the words mark several. */
  platform: Platform | "other" | undefined;
  arch: Architecture | "unmarked";
  words: readonly string[];
}

/** Extensions of installers, best first; an .app.tar.gz or .nsis.zip is mostly meant for an updater. */
export const INSTALLERS: Record<Platform, readonly string[]> = {
  macos: ["dmg", "pkg", "app.zip", "app.tar.gz", "app.tgz", "dmg.zip", "pkg.zip"],
  windows: ["exe", "msi", "msix", "msixbundle", "appx", "appxbundle", "nsis.zip", "msi.zip", "exe.zip"],
};
/** The best is first. Both systems open archives, so only a word in the name shows the system that one is for. */
export const ARCHIVES = ["zip", "tar.gz", "tgz", "tar.xz", "txz", "tar.bz2", "tbz2", "tar.zst", "tar", "7z", "rar"];
const ELSEWHERE =
  /(?:\.(?:appimage|deb|rpm|snap|flatpak|flatpakref|pacman|freebsd|apk|apks|aab|ipa|run|zxp|vsix|xpi|crx|whl|gem)|\.pkg\.tar\.\w+)$/;
const SIDE =
  /\.(?:sig|asc|minisig|pem|crt|cer|sha\d+(?:sums?)?|md5|digest|blockmap|delta|zsync|torrent|sigstore|intoto|provenance|ya?ml|json|jsonl|xml|txt|md|html|pdf|pdb|asar|sbom|spdx|cdx)$|^(?:sha\d*sums?\d*|md5sums?|checksums?)$/;

/** An updater's packages for Windows are no installer, and yet a sign that there is an app for Windows. */
const WINDOWS_UPDATE = /\.nupkg$|^releases$/;

const PLATFORM_WORDS: Record<Platform | "other", RegExp> = {
  macos: /^(?:mac|macos|macosx|osx|darwin|apple|cocoa)(?:\d*|x64|arm64|universal)$/,
  windows: /^(?:win|windows)(?:\d*|x64|x86|arm64|xp|vista)$/,
  other:
    /^(?:linux|ubuntu|debian|fedora|centos|rhel|alpine|musl|freebsd|openbsd|netbsd|raspbian|android|ios|ipados|tvos|chrome|firefox)(?:32|64|x64|arm64)?$|^arm(?:v\d\w*|hf)$/,
};

export const SETUP = /(?:setup|install|installer|nsis)(?:32|64|x64|x86)?$/;

/** A product is named after such a system or program if the name begins with the word: `Alpine.zip`, `chrome.nosync.7z`. */
const NAMES = /^(?:alpine|chrome|firefox)$/;

const LONGEST_FIRST = [...INSTALLERS.macos, ...INSTALLERS.windows, ...ARCHIVES].toSorted((a, b) => b.length - a.length);

/** `productWords`: words of the product's own name, which mark nothing as long as others do; `lead` is the first. */
export function readFileName(name: string, productWords: ReadonlySet<string>, lead = ""): FileName {
  // A name from a link may be percent-encoded.
  const lower = name.toLowerCase().replace(/%[0-9a-f]{2}/g, " ");
  const extension = LONGEST_FIRST.find((known) => lower.endsWith(`.${known}`));
  const words = wordsOf(extension === undefined ? lower : lower.slice(0, -extension.length));
  const marked = platformMarked(words, productWords, lead) ?? bundleMarked(lower, words);
  // Electron's name for Windows of any kind.
  const isSetup = words.some((word) => SETUP.test(word));
  const arch = architectureOf(isSetup ? words.filter((word) => word !== "win32") : words);
  const others = { extension, arch, words };
  if (SIDE.test(lower)) return { ...others, form: "side", platform: undefined };
  if (WINDOWS_UPDATE.test(lower)) return { ...others, form: "unknown", platform: "windows" };
  const isElsewhere = ELSEWHERE.test(lower);
  const platform = isElsewhere ? "other" : marked;
  if (extension === undefined) return { ...others, form: "unknown", platform };
  if (isElsewhere || ARCHIVES.includes(extension)) return { ...others, form: "archive", platform };
  // FreeBSD has packages named .pkg, too.
  const isForeign = extension === "pkg" && words.includes("freebsd");
  const own = INSTALLERS.macos.includes(extension) ? "macos" : "windows";
  return { ...others, form: "installer", platform: isForeign ? "other" : own };
}

/** True if a shell-like pattern with `*` and `?` matches the whole name. Takes at most pattern × name steps. */
export function matchesGlob(name: string, pattern: string): boolean {
  let [at, wanted] = [0, 0];
  // Where to resume after a mismatch: the last star takes one more character.
  let [star, taken] = [-1, 0];
  while (at < name.length) {
    const char = pattern[wanted];
    if (char === "*") {
      [star, taken] = [wanted++, at];
    } else if (char !== undefined && (char === "?" || char === name[at])) {
      at++;
      wanted++;
    } else if (star >= 0) {
      [at, wanted] = [++taken, star + 1];
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(wanted));
}

function platformMarked(
  words: readonly string[],
  productWords: ReadonlySet<string>,
  lead: string,
): FileName["platform"] {
  const [first = ""] = words;
  const isName = NAMES.test(first) || (first === lead && PLATFORM_WORDS.other.test(first));
  const marks = isName ? words.slice(1) : words;
  const others = platformsOf(marks.filter((word) => !productWords.has(word)));
  const platforms = others.length > 0 ? others : platformsOf(marks);
  return platforms.length === 1 ? platforms[0] : undefined;
}

/** The platform of `mac-6.0` and `v1.1-win`; `v1.1-mac-fix` is for all, and so are words of the product's name. */
function platformOfTag(tag: string, productWords: readonly string[]): FileName["platform"] {
  const words = wordsOf(tag);
  const ends = [words[0] ?? "", words.at(-1) ?? ""].filter((word) => !productWords.includes(word));
  const platforms = platformsOf(ends);
  return platforms.length === 1 ? platforms[0] : undefined;
}

/** `osu.app.Intel.zip`: the name of a bundle of macOS, where no word marks a platform. */
function bundleMarked(name: string, words: readonly string[]): "macos" | undefined {
  return /.\.app\./.test(name) && platformsOf(words).length === 0 ? "macos" : undefined;
}

function platformsOf(words: readonly string[]): (Platform | "other")[] {
  return (["macos", "windows", "other"] as const).filter((platform) =>
    words.some((word) => PLATFORM_WORDS[platform].test(word)),
  );
}

/** Says whether the names begin with the same letters: `alt-tab-macos.zip` and `AltTab-1.4.5.zip`. */
export function areAlike(one: { name: string }, other: { name: string }): boolean {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  const length = Math.min(a.length, b.length, ALIKE);
  return length > 0 && a.slice(0, length) === b.slice(0, length);
}

/** `gizmoprosetup` of `GizmoPro2-setup.exe`. */
export function lettersOf({ name }: { name: string }): string {
  return name
    .toLowerCase()
    .replace(/\.\w+$/, "")
    .replace(/[^\p{L}]/gu, "");
}

const ALIKE = 4;

export function nameWithoutNumbers({ name }: { name: string }): string {
  return wordsOf(name)
    .filter((word) => !/^v?\d+$/.test(word))
    .join(" ");
}

/** A file is not the app if such a word ends the name. */
export const COMPANION = /^(?:source|sources|src|symbols|dsyms?|debug|pdb)$/;

/** Looks for a word in the name of the file that is not in the name of the product. */
export function isCompanion({ name }: { name: string }, product: string): boolean {
  const own = wordsOf(product);
  return wordsOf(name).some((word) => !own.includes(word) && (COMPANION.test(word) || BESIDE_THE_APP.test(word)));
}

const BESIDE_THE_APP =
  /^(?:docs?|documentation|manual|examples?|samples?|translations?|locales?|mapping|plugins?|sdk)$/;

type Read<T> = { file: T; marks: FileName }[];

/** Only a file of the product's name is for the tag's platform; for another one, none is. */
export function markedByTag<T extends { name: string }>(
  read: Read<T>,
  { platform, tag = "", product = "" }: { platform: Platform; tag?: string; product?: string },
): Read<T> {
  const tagged = platformOfTag(tag, wordsOf(product));
  if (tagged === undefined || read.some(({ marks }) => marks.platform !== undefined)) return read;
  const isOwn = (file: T) => areAlike(file, { name: product }) && !isCompanion(file, product);
  return read.map(({ file, marks }) => {
    return { file, marks: tagged !== platform || isOwn(file) ? { ...marks, platform: tagged } : marks };
  });
}

/** The letter tells it from the end of a version. */
export const EXTENSION = /\.(?=\d*[a-z])\w{1,12}$/i;

/** Returns the text itself if it is not percent-encoded rightly. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
