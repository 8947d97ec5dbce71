// Source `github`: the releases of a repository, for one platform or both. The release is the highest published version
// that has an installer for the platform.
import * as z from "zod";
import { ownSchedule } from "../../settings/cron.ts";
import { architecture, chooseInstaller } from "../../releases/installer.ts";
import { fetchDocument } from "../fetch-document.ts";
import { matchesGlob } from "../../releases/glob.ts";
import { forceUpdate, noRelease, releaseCandidate, releaseSource, displayName } from "../../releases/release.ts";
import { requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Candidate, Source, SourceContext } from "../../source.ts";
import { isUnfinished, newestFirst } from "../../releases/version.ts";
import type { Platform } from "../../../snapshots/schema.ts";
import { githubReader, type GitHubRelease } from "./read.ts";

const glob = z.string().min(1).max(100);

export const GitHubSettings = z
  .strictObject({
    from: z.literal("github"),
    repo: z
      .string()
      .regex(/^(?!\.)[A-Za-z0-9_.-]{1,100}\/(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$/, "use owner/name, such as acme/notes")
      .describe("Repository, as owner/name"),
    tag: glob
      .optional()
      .describe("Glob for the tags of the app, such as desktop@*; by default, tags that are a version"),
    asset: glob.optional().describe("Glob for the file names of the installer, such as *-x64.msi"),
    arch: architecture,
    token: z
      .string()
      .regex(/^\$[A-Za-z_][A-Za-z0-9_]*$/, 'use "$NAME" for an environment variable; tokens do not belong in this file')
      .optional()
      .describe(
        '"$NAME", the environment variable with an access token, for private repositories and a higher rate limit',
      ),
    api: upstreamUrl
      .refine((url) => !/[?#]/.test(url), "must have no query and no fragment")
      .default("https://api.github.com")
      .describe("Base URL of the API, such as https://github.acme.com/api/v3 for GitHub Enterprise Server"),
    forceUpdate,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("The releases of a GitHub repository");
export type GitHubSettings = z.infer<typeof GitHubSettings>;

interface ListedReleases {
  releases: GitHubRelease[];
  /** True if the repository has no others. */
  isWhole: boolean;
}

const PER_PAGE = 100;
const MAX_PAGES = 3;

export function openGitHub(settings: GitHubSettings, { names, environment, standIns }: SourceContext): Source {
  const authorization = settings.token === undefined ? {} : { authorization: `Bearer ${settings.token}` };
  const headers = {
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    ...secretHeaders(authorization, environment),
  };
  const url = `${settings.api.replace(/\/+$/, "")}/repos/${settings.repo}/releases?per_page=${PER_PAGE}`;
  return releaseSource<ListedReleases>("github", names, {
    async fetch({ signal, validators }) {
      const end = performance.now() + settings.timeout;
      const releases: GitHubRelease[] = [];
      for (let page = 1; ; page++) {
        const deadline = Math.max(1, Math.ceil(end - performance.now()));
        const options = { signal, headers, standIns, deadline, validators: page === 1 ? validators : undefined };
        const fetched = await fetchDocument(githubReader, `${url}&page=${page}`, options);
        if (fetched === "unchanged") return "unchanged";
        releases.push(...fetched.upstream);
        const isWhole = !fetched.hasNext && fetched.upstream.length < PER_PAGE;
        // Validators are for the first page: with more pages, a 304 would hide changes on the others.
        if (isWhole && page === 1) return { upstream: { releases, isWhole }, validators: fetched.validators };
        if (isWhole || page === MAX_PAGES) return { upstream: { releases, isWhole } };
      }
    },
    translate: (listed, platform) => translate(listed, platform, { ...settings, isOnly: names.length === 1 }),
  });
}

type ChoiceSettings = Pick<GitHubSettings, "tag" | "asset" | "arch" | "forceUpdate"> & {
  /** True if the source is for one platform only. */
  isOnly: boolean;
};

function translate({ releases, isWhole }: ListedReleases, platform: Platform, settings: ChoiceSettings): Candidate {
  const skipped: string[] = [];
  const published = releases.filter((release) => isPublished(release, skipped));
  const ours = published.flatMap((release) => {
    const version = versionOf(release.tag_name, settings.tag);
    const why =
      version === undefined ? "not a tag of the app" : isUnfinished(version) ? "a prerelease by its tag" : undefined;
    if (version !== undefined && why === undefined) return [{ release, version }];
    skipped.push(`${displayName(release.tag_name)}: ${why}`);
    return [];
  });
  let isNoneForPlatform = true;
  for (const { release, version } of newestFirst(ours, ({ version }) => version)) {
    const found = installerOf(release, platform, settings);
    skipped.push(...found.rejected);
    if (found.asset) return candidate(platform, { release, version, asset: found.asset }, { skipped, ...settings });
    skipped.push(`${displayName(release.tag_name)}: no installer for ${platform}`);
    isNoneForPlatform &&= found.isNoneForPlatform;
  }
  // "No release" needs the whole list, and each file in it plainly something else.
  if (!isWhole) throw new UpstreamError(`no installer for ${platform} among the newest ${releases.length} releases`);
  if (published.length > 0 && ours.length === 0) throw new UpstreamError('no release has a tag of the app; see "tag"');
  if (!isNoneForPlatform)
    throw new UpstreamError(`no file is known to be an installer for ${platform}; see "asset" and "arch"`);
  return noRelease(skipped);
}

function candidate(
  platform: Platform,
  { release, version, asset }: { release: GitHubRelease; version: string; asset: GitHubRelease["assets"][number] },
  { skipped, forceUpdate }: { skipped: string[]; forceUpdate: boolean },
): Candidate {
  const found = {
    version,
    changelog: release.body,
    url: asset.browser_download_url,
    size: asset.size,
    date: release.published_at,
    forceUpdate,
  };
  return releaseCandidate(platform, found, {
    picked: `${displayName(asset.name)} of ${displayName(release.tag_name)}`,
    skipped,
  });
}

/** Adds an unpublished release to `skipped`. */
function isPublished({ draft, prerelease, tag_name }: GitHubRelease, skipped: string[]): boolean {
  const why = draft ? "a draft" : prerelease ? "a prerelease" : undefined;
  if (why !== undefined) skipped.push(`${displayName(tag_name)}: ${why}`);
  return why === undefined;
}

function installerOf(
  { assets, tag_name }: GitHubRelease,
  platform: Platform,
  { arch, asset: glob, isOnly }: ChoiceSettings,
) {
  const uploaded = assets.filter(({ state }) => state === "uploaded");
  const wish = { platform, arch, glob, acceptsUnmarked: glob !== undefined && isOnly };
  const { asset, rejected, isNoneForPlatform } = chooseInstaller(uploaded, wish);
  const waiting = assets.filter(({ state }) => state !== "uploaded").map((asset) => ({ asset, why: "not uploaded" }));
  return {
    asset,
    isNoneForPlatform: isNoneForPlatform && waiting.length === 0,
    rejected: [...waiting, ...rejected].map(
      ({ asset: { name }, why }) => `${displayName(name)} of ${displayName(tag_name)}: ${why}`,
    ),
  };
}

const MAX_TAG_LENGTH = 200;
const VERSION = String.raw`v?(?<version>\d[0-9A-Za-z.+_-]*)$`;
const WHOLE_TAG = new RegExp(`^${VERSION}`, "i");
const END_OF_TAG = new RegExp(`(?<![0-9A-Za-z.])${VERSION}`, "i");

/** The version in a tag: the whole tag without "v"; with a glob, its end after the app's name. */
function versionOf(tag: string, glob: string | undefined): string | undefined {
  if (tag.length > MAX_TAG_LENGTH) return undefined;
  if (glob === undefined) return WHOLE_TAG.exec(tag)?.groups?.version;
  return matchesGlob(tag, glob) ? END_OF_TAG.exec(tag.slice(nameLength(glob)))?.groups?.version : undefined;
}

/** Length of the app's name in a tag. It may contain numbers: `app-2-v*`. The glob may also contain the start of the
 * version: `desktop@4.*`. */
function nameLength(glob: string): number {
  return glob.replace(/[*?].*$/s, "").replace(/(?<![0-9A-Za-z.])v?\d[\d.]*$/i, "").length;
}
