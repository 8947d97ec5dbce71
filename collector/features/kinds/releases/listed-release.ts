// The releases and files that GitHub, Gitea and GitLab list, and what becomes of them on the way to the app's newest one.
import type { Architecture } from "../../../../snapshots/processors.ts";
import type { Platform } from "../../../../snapshots/schema.ts";
import { displayName } from "../../../parsing/issues.ts";
import type { DatedVersion } from "../../versions/version.ts";
import type { StatedFile } from "../../../parsing/link.ts";

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

/** As its tag is read. */
export interface AppRelease extends DatedVersion {
  release: Published;
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

export interface InstallerChoice<T> {
  file: T | undefined;
  /** Another product's installer that is equally good: `settle` refuses to choose between them. */
  rival: T | undefined;
  /** `other`: certainly not an installer for the platform. */
  rejected: { file: T; reason: FileReason; kind: "installer" | "other" | "unclear" }[];
  /** The first file of an unknown kind. */
  unrecognized: T | undefined;
  /** The chosen file is followed by the best one of the same product for each other architecture. `arch`: if the name marks
   * one. */
  files: (T & { arch?: Architecture })[];
}

export const FILE_REASONS = {
  "no-installer": "not an installer",
  platform: "for another platform",
  pattern: 'does not match "asset"',
  kind: "of an unknown kind",
  unmarked: "names no platform",
  companion: "not the app by its name",
  arch: "for another architecture",
  lesser: "a lesser choice",
  uploading: "still uploading",
} as const;
export type FileReason = keyof typeof FILE_REASONS;

export type FileChoice = InstallerChoice<ListedFile>;

export interface PublishedList extends Omit<ReleaseList, "releases"> {
  /** Latest first. */
  releases: Published[];
  /** Chooses among the files of a release, once for each pattern. `asset`: the settings' pattern. */
  choiceOf(release: Published, asset: string | undefined): FileChoice;
}

/** The releases of a list, sorted for one platform. */
export interface SortedReleases extends PublishedList {
  criteria: ReleaseCriteria;
  /** Highest version first. */
  ours: AppRelease[];
  /** All that are none of ours, latest first, with the reason. */
  left: { release: Published; reason: ReleaseReason }[];
  /** The operator is shown every release and file that was not chosen. */
  skipped: string[];
}

export type ChosenRelease = AppRelease & { choice: FileChoice; file: ListedFile };

export function fileOf({ name }: { name: string }, { tag }: { tag: string }): string {
  return `${displayName(name)} of ${displayName(tag)}`;
}
