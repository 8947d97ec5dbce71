// A release and its files as GitHub, Gitea and GitLab list them, and the choice of an installer among its files.
import type { Architecture } from "../../snapshots/processors.ts";
import type { Platform } from "../../snapshots/schema.ts";
import { UpstreamError } from "../http/errors.ts";
import { chooseInstaller, type InstallerChoice } from "./installer.ts";
import { displayName } from "./file-name.ts";

export interface ListedRelease {
  tag: string;
  /** Not published yet. */
  isDraft: boolean;
  isPrerelease: boolean;
  /** As the upstream writes it; `""` when it does not. */
  date: string;
  /** Markdown. */
  notes: string;
  files: ListedFile[];
}

/** A listed release with its date as a number. */
export interface Published extends ListedRelease {
  /** In ms since the epoch. A date that cannot be read is the oldest. */
  time: number;
}

export interface ListedFile {
  name: string;
  /** Absolute. */
  url: string;
  /** Bytes, as the upstream writes them. */
  size: unknown;
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

export interface PublishedList {
  /** Latest first. */
  releases: Published[];
  isWhole: boolean;
  latest: string | undefined;
  /** In ms since the epoch. */
  askedAt: number;
  /** The choice among the files of a release, made once. `asset`: the settings' pattern. */
  choiceOf(release: Published, asset: string | undefined): FileChoice;
}

/** The settings of the choice, and whose installer is sought. */
export interface ReleaseCriteria {
  tag?: string | undefined;
  since?: string | undefined;
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
  release: Published;
  version: string;
  product: string;
}

/** Why a release was left out, as the operator reads it. */
export const RELEASE_REASONS = {
  draft: "not published yet",
  since: 'before "since"',
  prerelease: "a prerelease",
  unread: "a tag without a version",
  pattern: 'does not match "tag"',
  unfinished: "a prerelease by its tag",
} as const;
export type ReleaseReason = keyof typeof RELEASE_REASONS;

export type FileChoice = InstallerChoice<ListedFile>;

/** An upload that takes longer has failed: GitHub lists such a file for ever. */
const LONGEST_UPLOAD_MS = 60 * 60_000;

/** `askedAt`: when the upstream listed the files. @throws UpstreamError while a better file is being uploaded. */
export function installerOf(release: ListedRelease, criteria: ReleaseCriteria, askedAt: number): FileChoice {
  const { platform, arch, asset: glob, product } = criteria;
  const [, version = ""] = /^\D*(\d+)\D*$/.exec(release.tag) ?? [];
  const choose = (files: readonly ListedFile[]) => chooseInstaller(files, { platform, arch, glob, product, version });
  const isComing = ({ isUploaded, createdAt = release.date }: ListedFile) =>
    !isUploaded && Math.abs(askedAt - (Date.parse(createdAt) || 0)) < LONGEST_UPLOAD_MS;
  const best = release.files.some(isComing) ? choose(release.files).file : undefined;
  if (best && isComing(best)) throw new UpstreamError(`${fileOf(best, release)} is still being uploaded`);
  const choice = choose(release.files.filter(({ isUploaded }) => isUploaded));
  const uploading = release.files
    .filter(({ isUploaded }) => !isUploaded)
    .map((file) => ({ file, kind: "unclear" as const, reason: "uploading" as const }));
  return {
    ...choice,
    rejected: [...uploading, ...choice.rejected],
    isNoneForPlatform: choice.isNoneForPlatform && uploading.length === 0,
  };
}

export function fileOf({ name }: ListedFile, { tag }: ListedRelease): string {
  return `${displayName(name)} of ${displayName(tag)}`;
}
