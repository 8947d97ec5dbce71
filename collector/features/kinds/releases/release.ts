// A source's release, or the fact that there is none, becomes a candidate. A version or link with a placeholder is refused: a
// template is no release.
import * as z from "zod";
import { firstLines, publicUrl } from "../../../../snapshots/rules.ts";
import type { Platform, Release } from "../../../../snapshots/schema.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { fileName, type StatedFile } from "../../../parsing/link.ts";
import { sizeText } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import type { Candidate } from "../../../source.ts";
import { dateText } from "./date.ts";
import { decoded } from "./file-name.ts";
import { compareVersions } from "../../versions/version.ts";

interface FoundRelease extends Pick<Candidate, "beyond" | "warnings"> {
  /** The version as the upstream writes it, like the size in bytes and the date. */
  version: string;
  /** Plain text. */
  changelog?: string;
  /** Absolute. */
  url: string;
  size?: unknown;
  date?: string;
  forceUpdate: boolean;
  /** The chosen one is first. The operator is shown the `name` of the others. */
  files?: readonly (StatedFile & { name?: string })[];
  picked: string;
  skipped: readonly string[];
  passedOver?: readonly string[];
}

export const forceUpdate = z
  .boolean()
  .default(false)
  .describe("Whether older versions must update to the latest release");

const MAX_SKIPPED = 50;
const MAX_PASSED_OVER = 3;

/** `{{version}}`, `${VERSION}`, `$(Version)`, `%VER%`, `__VERSION__`, `REPLACE_WITH_GITHUB_RELEASE_ZIP_URL`. */
export const TEMPLATE = /\{\{|\$[{(]|%[A-Z_]{3,}%|__[A-Z_]+__|\b(?:REPLACE|YOUR|PASTE|INSERT)_[A-Z_]+/;

/** @throws UpstreamError for a version or link with a placeholder. */
export function releaseCandidate(platform: Platform, found: FoundRelease): Candidate {
  const { version, changelog = "", url, size, date = "", forceUpdate, ...forOperator } = found;
  const { files = [], passedOver = [], skipped } = found;
  if (!/\d/.test(version)) throw new UpstreamError("a version without a digit: a template that was not filled in?");
  if (TEMPLATE.test(decoded(url)))
    throw new UpstreamError("a link with a placeholder: a template that was not filled in?");
  const latest = {
    platform,
    version,
    changelog,
    downloadURL: publicUrl(url),
    size: sizeText(size),
    date: dateText(date),
  };
  return {
    ...forOperator,
    payload: { hasUpdate: true, forceUpdate, latest },
    dropped: 0,
    passedOver: firstLines(passedOver, MAX_PASSED_OVER),
    skipped: firstLines(skipped, MAX_SKIPPED),
    architectures: files.slice(1).map(({ arch, name = "" }) => `${String(arch)}: ${displayName(name)}`),
    files,
  };
}

/** Numbers with dots count, but not those of a system, a library or a processor: `macOS-10.15`, `qt6.5`, `arm64.1.2.3`. */
const VERSION_IN_NAME = /(?<![\da-uw-z]|(?<![a-z])\.|(?:mac|macos|osx|win|windows)[-_ ])\d+(?:\.\d+)+/gi;

/** Those of a folder are compared with those of a file. */
const MAX_VERSIONS = 50;

/** Warns if a file's name has another version than its release, as `Keyguard-3.0.4.msi` of r20260819.2. */
export function namesOtherVersion({ version, downloadURL }: Pick<Release, "version" | "downloadURL">): string[] {
  const [other] = otherVersions(fileName(downloadURL), [version]);
  return other === undefined ? [] : [`the file's name says ${other}, and its release ${displayName(version)}`];
}

/** Refuses a link to a file of another release, by its folder and its name: the feed was written halfway. `versions`: the one
 * that is published, and others under which the release goes. @throws UpstreamError */
export function refuseOtherRelease(link: string, versions: readonly [string, ...string[]]): void {
  const [name = "", ...folders] = (link.split(/[?#]/)[0] ?? "").split("/").toReversed();
  const inName = otherVersions(name, versions);
  const inFolders = versionsIn(folders.join("/"));
  const other = inName.find((version) => inFolders.some((folder) => compareVersions(folder, version) === 0));
  if (other === undefined || inFolders.some((folder) => isOneOf(folder, versions))) return;
  const own = displayName(versions[0]);
  throw new UpstreamError(`the release is ${own}, and the link that of ${other}: correct one of them in the feed`);
}

/** The versions in a name; none if one of them is its own. */
function otherVersions(name: string, own: readonly string[]): string[] {
  const named = versionsIn(name);
  return named.some((version) => isOneOf(version, own)) ? [] : named;
}

export function versionsIn(name: string): string[] {
  return (decoded(name).match(VERSION_IN_NAME) ?? []).slice(0, MAX_VERSIONS);
}

function isOneOf(other: string, versions: readonly string[]): boolean {
  return versions.some((version) => {
    const [own = ""] = /\d+(?:\.\d+)*/.exec(version) ?? [];
    return compareVersions(other, own) === 0 || begins(other, own) || begins(own, other);
  });
}

function begins(longer: string, shorter: string): boolean {
  return longer.startsWith(`${shorter}.`);
}

/** Says that there is no release, which takes certainty that the upstream publishes nothing for the platform. */
export function noRelease(skipped: string[]): Candidate {
  return { payload: { hasUpdate: false }, dropped: 0, skipped: firstLines(skipped, MAX_SKIPPED) };
}
