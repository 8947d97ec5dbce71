// Processor architectures in file names: the collector chooses installers by them, and the page names the one of a
// download.

export const ARCHITECTURES = ["universal", "arm64", "x64", "ia32"] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

const WORDS: Record<Architecture, RegExp> = {
  universal: /^universal2?$|^(?:mac|macos|osx|darwin)universal$/,
  arm64: /arm64$|^(?:aarch64|silicon|m1|woa(?:64)?|arm)$/,
  x64: /x64$|^(?:amd64|intel)$/,
  ia32: /x86$|^(?:ia32|i[3-6]86|386)$/,
};
/** Words that mean the system as often as the processor, as in `win32-x64` and `win64_arm64`: they count only if no
 * other word marks an architecture. */
const VAGUE_WORDS: Partial<Record<Architecture, RegExp>> = {
  x64: /^(?:win|windows|mac|macos|osx|w)?64$|^64bit$/,
  ia32: /^(?:win|windows|w)?32$|^32bit$/,
};

/** `Installer64` has such an ending; it is the weakest sign, because any name may end so. */
const ENDINGS: Partial<Record<Architecture, RegExp>> = { x64: /[a-z]64$/, ia32: /[a-z]32$/ };

/** The architecture that a name's words mark, in lower case; a name with both x64 and arm64 is universal. */
export function architectureOf(words: readonly string[]): Architecture | "unmarked" {
  for (const patterns of [WORDS, VAGUE_WORDS, ENDINGS]) {
    const marked = ARCHITECTURES.filter((arch) => words.some((word) => patterns[arch]?.test(word)));
    if (marked.includes("arm64") && marked.includes("x64")) return "universal";
    if (marked[0] !== undefined) return marked[0];
  }
  return "unmarked";
}

/** The words of a name, in lower case. Numbers with dots are versions, not words; `x86_64`, `arm-64`
 * and `64-bit` are one word, and an architecture keeps its number before a version, as in `App.x64.1.2.3`. */
export function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .replace(/x86[-_]64/g, "x64")
    .replace(/(?<![a-z])arm[-_]64/g, "arm64")
    .replace(/(32|64)[-_. ]?bits?\b/g, " $1bit ")
    .replace(/((?:arm|aarch|x|amd|win)64|win32|ia32|x86|386)\.(?=\d)/g, "$1 ")
    .replace(/(?<!\d)\d+(?:\.\d+)+/g, " ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
