// Makes candidates from the releases that sources find, and helpers that all release sources share.
import * as z from "zod";
import { clip, firstLines, parseUrl, publicUrl } from "../../snapshots/rules.ts";
import type { Platform } from "../../snapshots/schema.ts";
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import { dateText, sizeText } from "../parsing/normalize.ts";
import type { UpstreamAnswer, Candidate, Source, SourceRequest } from "../source.ts";

export interface FoundRelease {
  version: string;
  /** Plain text, as from `notes` of parsing/shape.ts. */
  changelog: string;
  /** Absolute. */
  url: string;
  /** In bytes, as the upstream writes it. */
  size: unknown;
  /** As the upstream writes it; `""` if unknown. */
  date: string;
  forceUpdate: boolean;
}

export const forceUpdate = z
  .boolean()
  .default(false)
  .describe("Whether older versions must update to the latest release");

const MAX_SKIPPED = 50;

/** How a release was chosen, for the operator. */
interface ChoiceNotes {
  picked: string;
  skipped: string[];
  architectures?: readonly { arch: string; name: string }[];
}

/** `{{version}}`, `${VERSION}`, `$(Version)`, `%VER%`, `__VERSION__`, `REPLACE_WITH_GITHUB_RELEASE_ZIP_URL`. */
const TEMPLATE = /\{\{|\$[{(]|%[A-Z_]{3,}%|__[A-Z_]+__|\b(?:REPLACE|YOUR|PASTE|INSERT)_[A-Z_]+/;

export function releaseCandidate(
  platform: Platform,
  { version, changelog, url, size, date, forceUpdate }: FoundRelease,
  { picked, skipped, architectures = [] }: ChoiceNotes,
): Candidate {
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
    payload: { hasUpdate: true, forceUpdate, latest },
    dropped: 0,
    picked,
    skipped: firstLines(skipped, MAX_SKIPPED),
    architectures: architectures.map(({ arch, name }) => `${arch}: ${displayName(name)}`),
  };
}

/** Only if it is certain that the upstream publishes nothing for the platform. */
export function noRelease(skipped: string[]): Candidate {
  return { payload: { hasUpdate: false }, dropped: 0, skipped: firstLines(skipped, MAX_SKIPPED) };
}

/** A source of releases; `adapter.translate` takes the document that `adapter.fetch` returned. */
export function releaseSource<T>(
  kind: string,
  names: readonly SnapshotName[],
  adapter: {
    fetch: (request: SourceRequest) => Promise<(UpstreamAnswer & { upstream: T }) | "unchanged">;
    translate: (upstream: T, platform: Platform) => Candidate;
  },
): Source {
  if (names.includes("plans")) throw new Error(`a source of kind "${kind}" provides releases, not plans`);
  // The cast holds because a source is only given the result of its own fetch.
  return {
    kind,
    names,
    fetch: adapter.fetch,
    translate: (upstream, name) => adapter.translate(upstream as T, platformOf(name)),
  };
}

/** @throws Error if the source is configured for both platforms, though its upstream has only one. */
export function requireOnePlatform(kind: string, names: readonly SnapshotName[]): void {
  if (names.length < 2) return;
  throw new Error(
    `a source of kind "${kind}" provides one platform: use { "macos": …, "windows": … } with a source for each`,
  );
}

/** An upstream's name of a file or release, without control characters and at most 80 characters long. */
export function displayName(name: string): string {
  return clip(name.slice(0, 400).replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ""), 80, "");
}

/** Resolves a link in a document against the document's URL, whose query may contain a secret and is not passed on.
 * `""` if it is not a URL. */
export function linkFrom(link: string, documentUrl: string): string {
  const base = new URL(documentUrl);
  base.search = "";
  base.hash = "";
  const text = link.trim();
  return text === "" ? "" : (parseUrl(text, base)?.href ?? "");
}

/** The file name in a link, without query and fragment. */
export function fileName(link: string): string {
  const [path = ""] = link.split(/[?#]/);
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The name to judge a link by: its own if that is a file name, otherwise followed by the file name of the first link that has
 * one, such as `macOS (Intel) Notes.dmg`. The links are to one file. */
export function linkedFileName(name: string, links: readonly string[]): string {
  const file = links
    .map((link) => decoded(fileName(parseUrl(link)?.pathname ?? "")))
    .find((file) => EXTENSION.test(file));
  const [extension = ""] = EXTENSION.exec(file ?? "") ?? [];
  return file === undefined || name.toLowerCase().endsWith(extension.toLowerCase()) ? name : `${name} ${file}`;
}

/** With a letter, which tells it from the end of a version. */
const EXTENSION = /\.(?=\d*[a-z])\w{1,12}$/i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function platformOf(name: SnapshotName): Platform {
  return name === "release-macos" ? "macos" : "windows";
}
