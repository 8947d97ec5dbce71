// A release and its files as GitHub, Gitea and GitLab list them, and the choice of an installer among its files.
import type { Architecture } from "../../snapshots/architecture.ts";
import type { Platform } from "../../snapshots/schema.ts";
import { chooseInstaller, type InstallerChoice } from "./installer.ts";
import { displayName } from "./release.ts";

export interface ListedRelease {
  tag: string;
  /** Not published yet. */
  isDraft: boolean;
  isPrerelease: boolean;
  /** As the upstream writes it; `""` when it does not. */
  date: string;
  /** Plain. */
  notes: string;
  files: ListedFile[];
}

export interface ListedFile {
  name: string;
  /** Absolute. */
  url: string;
  /** Bytes, as the upstream writes them. */
  size: unknown;
  isUploaded: boolean;
}

export interface ReleaseList {
  releases: ListedRelease[];
  /** True when there are no more than these. */
  isWhole: boolean;
}

export interface ReleaseCriteria {
  tag?: string | undefined;
  asset?: string | undefined;
  arch?: Architecture | undefined;
  prereleases: boolean;
  forceUpdate: boolean;
  /** Name of the repository, whose words mark nothing in file names. */
  product: string;
  platform: Platform;
}

/** A published release of the app. `product`: see tag.ts. */
export interface AppRelease {
  release: ListedRelease;
  version: string;
  product: string;
}

export interface SortedReleases {
  /** Highest version first. */
  ours: AppRelease[];
  /** Published under a tag without a version. */
  unread: ListedRelease[];
  /** Published, but a prerelease by its tag. */
  unfinished: ListedRelease[];
  skipped: string[];
}

export type FileChoice = InstallerChoice<ListedFile>;

export function installerOf(
  { files }: ListedRelease,
  { platform, arch, asset: glob, product }: ReleaseCriteria,
): FileChoice {
  const uploaded = files.filter(({ isUploaded }) => isUploaded);
  const choice = chooseInstaller(uploaded, { platform, arch, glob, product });
  const uploading = files
    .filter(({ isUploaded }) => !isUploaded)
    .map((asset) => ({ asset, kind: "unclear" as const, why: "still uploading" }));
  return {
    ...choice,
    rejected: [...uploading, ...choice.rejected],
    isNoneForPlatform: choice.isNoneForPlatform && uploading.length === 0,
  };
}

/** Below 0 when `a` is older, above 0 when it is newer. A date that cannot be read is the oldest. */
export function compareDates(a: ListedRelease, b: ListedRelease): number {
  return (Date.parse(a.date) || 0) - (Date.parse(b.date) || 0);
}

export function fileOf({ name }: ListedFile, { tag }: ListedRelease): string {
  return `${displayName(name)} of ${displayName(tag)}`;
}
