// These are the releases and files that GitHub, Gitea and GitLab list.
import type { Architecture } from "../../../../snapshots/processors.ts";
import type { Platform } from "../../../../snapshots/schema.ts";
import { displayName } from "../../../parsing/issues.ts";
import type { StatedFile } from "../../../parsing/stated-file.ts";

export interface ListedRelease {
  tag: string;
  isDraft: boolean;
  isPrerelease: boolean;
  /** The date as the upstream writes it; `""` when it does not. */
  date: string;
  /** Markdown. */
  notes: string;
  files: ListedFile[];
}

export interface Published extends ListedRelease {
  /** Milliseconds since the epoch. A date that cannot be read is the oldest. */
  time: number;
}

export interface ListedFile extends StatedFile {
  name: string;
  isUploaded: boolean;
  /** When the upload began; undefined if the upstream does not say. */
  createdAt?: string | undefined;
}

export interface ReleaseList {
  releases: ListedRelease[];
  /** True when there are no more than these. */
  isWhole: boolean;
  /** The tag that the vendor calls the latest release, where the upstream asks for one. */
  latest?: string | undefined;
  /** When it was asked for, in ms since the epoch. */
  askedAt: number;
}

export interface ReleaseCriteria {
  tag?: string | undefined;
  since?: string | undefined;
  asset?: string | undefined;
  arch?: Architecture | undefined;
  /** The settings above are meant to leave out later releases. */
  pinned?: boolean | undefined;
  prereleases: boolean;
  forceUpdate: boolean;
  /** The words of the repository's name mark nothing in file names. */
  product: string;
  platform: Platform;
}

export interface AppRelease {
  release: Published;
  version: string;
  product: string;
}

export const RELEASE_REASONS = {
  draft: "not published yet",
  since: 'before "since"',
  prerelease: "a prerelease",
  unread: "a tag without a version",
  pattern: 'does not match "tag"',
  unfinished: "a prerelease by its tag",
} as const;
export type ReleaseReason = keyof typeof RELEASE_REASONS;

export function fileOf({ name }: { name: string }, { tag }: { tag: string }): string {
  return `${displayName(name)} of ${displayName(tag)}`;
}
