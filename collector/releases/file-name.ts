// Reads a release file's name: its extension, and the platform and architecture that its words mark. A name is all the
// evidence there is; a word that is part of the product's own name is no evidence.
import type { Platform } from "../../snapshots/schema.ts";
import { architectureOf, wordsOf, type Architecture } from "../../snapshots/architecture.ts";

export interface FileName {
  /** In lower case, the longest that is known: `app.tar.gz`. Undefined for one that is not known. */
  extension: string | undefined;
  /** `side`: accompanies another file, such as a signature. */
  form: "installer" | "archive" | "side" | "unknown";
  /** By the extension, else by the words; undefined when neither marks one, or when the words mark several. */
  platform: Platform | "other" | undefined;
  arch: Architecture | "unmarked";
  /** The words in order, in lower case, without the extension. */
  words: readonly string[];
}

/** Extensions of installers, best first; an .app.tar.gz or .nsis.zip is mostly meant for an updater. */
export const INSTALLERS: Record<Platform, readonly string[]> = {
  macos: ["dmg", "pkg", "app.zip", "app.tar.gz"],
  windows: ["exe", "msi", "msix", "msixbundle", "appx", "appxbundle", "nsis.zip", "msi.zip"],
};
/** Archives, best first. Both systems open them, so only a word in the name shows the system an archive is for. */
export const ARCHIVES = ["zip", "tar.gz", "tgz", "tar.xz", "txz", "tar.bz2", "tbz2", "tar.zst", "tar", "7z", "rar"];
/** Packages of other systems, and extensions for other programs. */
const ELSEWHERE =
  /(?:\.(?:appimage|deb|rpm|snap|flatpak|flatpakref|pacman|freebsd|apk|apks|aab|ipa|run|zxp|vsix|xpi|crx|whl|gem)|\.pkg\.tar\.\w+)$/;
const SIDE =
  /\.(?:sig|asc|minisig|pem|crt|cer|sha\d+(?:sums?)?|md5|digest|blockmap|delta|zsync|torrent|ya?ml|json|jsonl|xml|txt|md|html|pdf|pdb|asar|sbom|spdx|cdx)$|^(?:sha\d*sums?\d*|md5sums?|checksums?)$/;

/** An updater's packages for Windows: no installer, and yet a sign that there is an app for Windows. */
const WINDOWS_UPDATE = /\.nupkg$|^releases$/;

const PLATFORM_WORDS: Record<Platform | "other", RegExp> = {
  macos: /^(?:mac|macos|macosx|osx|darwin|apple)(?:\d*|x64|arm64|universal)$/,
  windows: /^(?:win|windows)(?:\d*|x64|x86|arm64|xp|vista)$/,
  other:
    /^(?:linux|ubuntu|debian|fedora|centos|rhel|alpine|musl|freebsd|openbsd|netbsd|raspbian|android|ios|ipados|tvos|chrome|firefox)(?:32|64|x64|arm64)?$|^arm(?:v\d\w*|hf)$/,
};

/** Systems and programs that a product is named after, if the name begins with the word: `Alpine.zip`, `chrome.nosync.7z`. */
const NAMES = /^(?:alpine|chrome|firefox)$/;

const LONGEST_FIRST = [...INSTALLERS.macos, ...INSTALLERS.windows, ...ARCHIVES].toSorted((a, b) => b.length - a.length);

/** `productWords`: words of the product's own name, which mark nothing as long as others do. */
export function readFileName(name: string, productWords: ReadonlySet<string>): FileName {
  const lower = name.toLowerCase();
  const extension = LONGEST_FIRST.find((known) => lower.endsWith(`.${known}`));
  const words = wordsOf(extension === undefined ? lower : lower.slice(0, -extension.length));
  const marked = platformMarked(words, productWords);
  const arch = architectureOf(words);
  if (SIDE.test(lower)) return { extension, form: "side", platform: undefined, arch, words };
  if (WINDOWS_UPDATE.test(lower)) return { extension, form: "unknown", platform: "windows", arch, words };
  if (extension === undefined) {
    return { extension, form: "unknown", platform: ELSEWHERE.test(lower) ? "other" : marked, arch, words };
  }
  if (ELSEWHERE.test(lower)) return { extension, form: "archive", platform: "other", arch, words };
  if (ARCHIVES.includes(extension)) return { extension, form: "archive", platform: marked, arch, words };
  // FreeBSD has packages named .pkg, too.
  const isForeign = extension === "pkg" && words.includes("freebsd");
  const own = INSTALLERS.macos.includes(extension) ? "macos" : "windows";
  return { extension, form: "installer", platform: isForeign ? "other" : own, arch, words };
}

function platformMarked(words: readonly string[], productWords: ReadonlySet<string>): FileName["platform"] {
  const marks = NAMES.test(words[0] ?? "") ? words.slice(1) : words;
  const others = platformsOf(marks.filter((word) => !productWords.has(word)));
  const platforms = others.length > 0 ? others : platformsOf(marks);
  return platforms.length === 1 ? platforms[0] : undefined;
}

function platformsOf(words: readonly string[]): (Platform | "other")[] {
  return (["macos", "windows", "other"] as const).filter((platform) =>
    words.some((word) => PLATFORM_WORDS[platform].test(word)),
  );
}
