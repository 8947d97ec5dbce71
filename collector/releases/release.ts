// A release as every release source finds it, and how it becomes a candidate in the one normal form.
import * as z from "zod";
import { parseUrl, publicUrl } from "../../snapshots/rules.ts";
import type { Platform } from "../../snapshots/schema.ts";
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import { sizeText } from "../parsing/normalize.ts";
import type { UpstreamAnswer, Candidate, Source, SourceRequest } from "../source.ts";

export interface FoundRelease {
  version: string;
  /** Plain, as `notes` of parsing/shape.ts makes it. */
  changelog: string;
  /** Absolute. */
  url: string;
  /** Bytes, as the upstream writes them. */
  size: unknown;
  /** As the upstream writes it; `""` when it does not. */
  date: string;
  forceUpdate: boolean;
}

export const forceUpdate = z
  .boolean()
  .default(false)
  .describe("Says of the latest release that older versions must update");

const MOST_SKIPPED = 50;

export function releaseCandidate(
  platform: Platform,
  { version, changelog, url, size, date, forceUpdate }: FoundRelease,
  { picked, skipped }: { picked: string; skipped: string[] },
): Candidate {
  const latest = {
    platform,
    version,
    changelog,
    downloadURL: publicUrl(url),
    size: sizeText(size),
    date,
  };
  return { payload: { hasUpdate: true, forceUpdate, latest }, dropped: 0, picked, skipped: shortened(skipped) };
}

/** The upstream says plainly that it publishes nothing for the platform. */
export function noRelease(skipped: string[]): Candidate {
  return { payload: { hasUpdate: false }, dropped: 0, skipped: shortened(skipped) };
}

/** A source of releases whose `translate` takes what its own `fetch` gave. */
export function releaseSource<T>(
  kind: string,
  names: readonly SnapshotName[],
  how: {
    fetch: (request: SourceRequest) => Promise<(UpstreamAnswer & { upstream: T }) | "unchanged">;
    translate: (upstream: T, platform: Platform) => Candidate;
  },
): Source {
  if (names.includes("plans")) throw new Error(`a source of kind "${kind}" has releases, no plans`);
  // The cast holds because nothing but its own fetch's answer is ever given to a source.
  return {
    kind,
    names,
    fetch: how.fetch,
    translate: (upstream, name) => how.translate(upstream as T, platformOf(name)),
  };
}

/** @throws Error when the source is to fill both releases, and its upstream has only one. */
export function requireOnePlatform(kind: string, names: readonly SnapshotName[]): void {
  if (names.length < 2) return;
  throw new Error(`a source of kind "${kind}" has one platform: write { "macos": …, "windows": … }, a source for each`);
}

/** An upstream's name for something, to be shown to the operator: nothing that steers a terminal, at most 80 characters. */
export function displayName(name: string): string {
  return name
    .slice(0, 400)
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "")
    .slice(0, 80)
    .toWellFormed();
}

/** A link as a feed writes it, absolute or beside the feed; the feed's own query, which may be a secret, never passes into
 * it. `""` when it is none. */
export function linkFrom(link: string, feed: string): string {
  const base = new URL(feed);
  base.search = "";
  base.hash = "";
  const text = link.trim();
  return text === "" ? "" : (parseUrl(text, base)?.href ?? "");
}

/** The file's name in a link, without query and fragment. */
export function fileName(link: string): string {
  const [path = ""] = link.split(/[?#]/);
  return path.slice(path.lastIndexOf("/") + 1);
}

function platformOf(name: SnapshotName): Platform {
  return name === "release-macos" ? "macos" : "windows";
}

function shortened(skipped: string[]): string[] {
  if (skipped.length <= MOST_SKIPPED) return skipped;
  return [...skipped.slice(0, MOST_SKIPPED), `and ${skipped.length - MOST_SKIPPED} more`];
}
