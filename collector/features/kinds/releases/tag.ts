// Reads a release's tag: the version in it, and the product that it is a version of, for repositories that release several.
import { withoutBuild } from "../../versions/version.ts";
import { matchesGlob } from "./file-name.ts";

export interface Tag {
  version: string;
  /** Name of the product in lower case: `desktop` of `desktop@1.2.0`; `""` of a bare version such as `v1.2.0`. */
  product: string;
}

const MAX_LENGTH = 200;
const VERSION = String.raw`v?\.?(?<version>\d[0-9A-Za-z.+_-]*)$`;
/** `v1.2.0`, `release11.4.1`, `R3.1`. */
const BARE = new RegExp(String.raw`^(?:(?:release|version|ver|rel|r)\.?(?=v?\d+\.))?${VERSION}`, "i");
/** It takes time proportional to the length, so that a thousand hostile tags are read in milliseconds: there is one way to
 * match the first letter, and one place where each run of separators begins. `app-v0.2.44`, `desktop/v1.12.0`,
 * `@acme/core@13.1.0`, `release-5.6.0`, `autoEdit2-1.0.12-osx`, `is-6_7_3`, `dev-2026-08`. */
const PREFIXED =
  /^(?<product>(?:(?!\p{L}).)*\p{L}.*?)(?<![-_@/ ])[-_@/ ]+v?\.?(?<version>\d+(?:\.\d+)+[0-9A-Za-z.+_-]*|\d+(?:[-_]\d+)*|\d+(?:_\d+)+[a-z])$/iu;
/** The first number with a dot, wherever it stands: 2.4.1 of `Version2.4.1`. */
const DOTTED = /(?<![\d.])\d+(?:\.\d+)+[0-9A-Za-z.+_-]*/;
/** Tags without such a number may have one at the end. */
const AT_END = new RegExp(`(?<![0-9A-Za-z.])${VERSION}`, "i");
/** Such texts begin with a number and are no version: a commit, a line of releases. */
const NO_VERSION = /^(?=\d*[a-f]+\d)[\da-f]{6,40}$|\.x$/i;
/** Nor is any part of a date with its year at the end. */
const DATE = /^\d{1,2}([_-])\d{1,2}\1(?:19|20)\d\d$/;
/** These words are for a release in general, not for a product. */
const NO_PRODUCT = /^(?:release|releases|rel|version|ver|v|stable|tag)$/;
/** Every version in such a channel is unfinished. */
export const CHANNEL = /(?:^|[-_./@])(?:alpha|beta|rc|pre|preview|dev|nightly|canary|snapshot)$/;
export const PLATFORM_SUFFIX =
  /(?:[-_.](?:osx|mac|macos|darwin|win|windows|win32|win64|linux|x64|x86|arm64|universal))+$/i;

/** Returns undefined for a tag without a version, or one that the glob does not match. */
export function readTag(tag: string, glob: string | undefined): Tag | undefined {
  if (tag.length > MAX_LENGTH || (glob !== undefined && !matchesGlob(tag, glob))) return undefined;
  const read = glob === undefined ? readAnyTag(withoutBuild(tag)) : readNamedTag(tag, glob);
  const version = read?.version.replace(PLATFORM_SUFFIX, "") ?? "";
  if (!read || NO_VERSION.test(version) || DATE.test(version) || DATE.test(tag)) return undefined;
  return { version: withDots(version), product: NO_PRODUCT.test(read.product) ? "" : read.product };
}

function readAnyTag(tag: string): Tag | undefined {
  const { version, product = "" } = BARE.exec(tag)?.groups ?? PREFIXED.exec(tag)?.groups ?? {};
  if (version === undefined) return undefined;
  const name = product.toLowerCase();
  // A single number behind a name is as likely a date, a commit's time or a part of the name.
  if (/^\d+$/.test(version) && name !== "" && !NO_PRODUCT.test(name) && !CHANNEL.test(name)) return undefined;
  return { version, product: name };
}

/** Cuts off the glob's own text on both sides: `desktop-*-stable` of `desktop-1.2.0-stable`. Words before the version are a
 * product: `v*` is for v1.2.0, and matches viewer-14.0 by accident. */
function readNamedTag(tag: string, glob: string): Tag | undefined {
  const [, tail = ""] = /[*?]([^*?]*)$/.exec(glob) ?? [];
  const rest = withoutBuild(tag.slice(productLength(glob), tag.length - tail.length));
  const version = DOTTED.exec(rest)?.[0] ?? AT_END.exec(rest)?.groups?.version;
  if (version === undefined) return undefined;
  const words = rest.slice(0, rest.indexOf(version)).replace(/[^\p{L}\p{N}]+/gu, " ");
  return { version, product: words.trim().toLowerCase() };
}

/** `1_10_54` is 1.10.54, and `0_10_9a` is 0.10.9a. */
function withDots(version: string): string {
  return /^\d+(?:_\d+)+[a-z]?$/i.test(version) ? version.replaceAll("_", ".") : version;
}

/** Says how much of a tag is the product's name, which may have numbers of its own: `app-2-v*`. The beginning of the version
 * may be in the glob, too: `desktop@4.*`. */
function productLength(glob: string): number {
  return glob.replace(/[*?].*$/s, "").replace(/(?<![0-9A-Za-z.])v?\d[\d.]*$/i, "").length;
}

/** Such releases always move, and are never the one that people install. */
const ROLLING =
  /(?:^|[^a-z])(?:nightly|nightlies|nightlybuild|continuous|latest|dev|devel|develop|rolling|canary|snapshot|tip|edge|weekly|daily|main|master|head|preview|pre-release|prerelease|test|testing|unstable|experimental|autobuild|ci|alpha|beta|rc)(?![a-z])/i;

/** A product may be named after such a word. */
export function isRolling(tag: string, product: string): boolean {
  return ROLLING.test(tag.toLowerCase().replaceAll(product.toLowerCase(), ""));
}
