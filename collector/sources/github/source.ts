// Source `github`: the releases of a repository, for both platforms or for one. Of the published ones, the highest version
// that has an installer for the platform.
import * as z from "zod";
import { ownSchedule } from "../../settings/cron.ts";
import { architecture, chooseInstaller } from "../../releases/installer.ts";
import type { GitHubRelease } from "./read.ts";
import { fetchFeed, type FetchedFeed } from "../fetch-document.ts";
import { matchesGlob } from "../../releases/glob.ts";
import { forceUpdate, noRelease, releaseCandidate, releaseSource, displayName } from "../../releases/release.ts";
import { requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Candidate, Source, SourceContext } from "../../source.ts";
import { isUnfinished, newestFirst } from "../../releases/version.ts";
import type { Platform } from "../../../snapshots/schema.ts";

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
      .describe("Glob for the tags of the app, such as desktop@*; by default those that are a version"),
    asset: glob.optional().describe("Glob for the file names of the installer, such as *-x64.msi"),
    arch: architecture,
    token: z
      .string()
      .regex(/^\$[A-Za-z_][A-Za-z0-9_]*$/, 'use "$NAME" for an environment variable; a token does not belong in a file')
      .optional()
      .describe('"$NAME", the environment variable with an access token: for private repositories and more requests'),
    api: upstreamUrl
      .refine((url) => !/[?#]/.test(url), "must have no query and no fragment")
      .default("https://api.github.com")
      .describe("Address of the API, such as https://github.acme.com/api/v3 of GitHub Enterprise Server"),
    forceUpdate,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("The releases of a GitHub repository");
type Settings = z.infer<typeof GitHubSettings>;

/** `isWhole`: there are no more than these. */
interface Listed {
  releases: GitHubRelease[];
  isWhole: boolean;
}

const PER_PAGE = 100;
const MAX_PAGES = 3;

export function openGitHub(settings: Settings, { names, environment, standIns }: SourceContext): Source {
  const authorization = settings.token === undefined ? {} : { authorization: `Bearer ${settings.token}` };
  const headers = {
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    ...secretHeaders(authorization, environment),
  };
  const address = `${settings.api.replace(/\/+$/, "")}/repos/${settings.repo}/releases?per_page=${PER_PAGE}`;
  return releaseSource<Listed>("github", names, {
    async fetch({ signal, validators }) {
      const ending = performance.now() + settings.timeout;
      const get = (page: number, conditions = {}) => {
        const deadline = Math.max(1, Math.ceil(ending - performance.now()));
        return fetchFeed("github", `${address}&page=${page}`, { signal, headers, standIns, deadline, ...conditions });
      };
      const first = await get(1, { validators });
      if (first === "unchanged") return "unchanged";
      if (!hasMore(first)) return { upstream: { releases: first.feed, isWhole: true }, validators: first.validators };
      // Its state is that of the first page alone: "not modified" would be said of pages that nobody looked at.
      return { upstream: await readOn(first, get) };
    },
    translate: (listed, platform) => translate(listed, platform, { ...settings, isOnly: names.length === 1 }),
  });
}

async function readOn(
  first: FetchedFeed<"github">,
  get: (page: number) => Promise<FetchedFeed<"github"> | "unchanged">,
): Promise<Listed> {
  const releases = [...first.feed];
  let isWhole = false;
  for (let page = 2; page <= MAX_PAGES && !isWhole; page++) {
    const next = await get(page);
    if (next === "unchanged") throw new UpstreamError("answered 304 to a request without conditions");
    releases.push(...next.feed);
    isWhole = !hasMore(next);
  }
  return { releases, isWhole };
}

function hasMore({ feed, hasNext }: FetchedFeed<"github">): boolean {
  return hasNext || feed.length >= PER_PAGE;
}

type Choosing = Pick<Settings, "tag" | "asset" | "arch" | "forceUpdate"> & {
  /** True when the source fills the snapshot of one platform only. */
  isOnly: boolean;
};

function translate({ releases, isWhole }: Listed, platform: Platform, settings: Choosing): Candidate {
  const skipped: string[] = [];
  const published = releases.filter((release) => leftFor(release, skipped) === undefined);
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
  // No release is a fact only when all of them were looked at, and each was plainly something else.
  if (!isWhole) throw new UpstreamError(`no installer for ${platform} among the newest ${releases.length} releases`);
  if (published.length > 0 && ours.length === 0)
    throw new UpstreamError(`none of the releases has a tag of the app; see "tag"`);
  if (!isNoneForPlatform)
    throw new UpstreamError(
      `no file of any release is known to be an installer for ${platform}; see "asset" and "arch"`,
    );
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

/** Why a release is not published, which is noted; undefined when it is. */
function leftFor({ draft, prerelease, tag_name }: GitHubRelease, skipped: string[]): string | undefined {
  const why = draft ? "a draft" : prerelease ? "a prerelease" : undefined;
  if (why !== undefined) skipped.push(`${displayName(tag_name)}: ${why}`);
  return why;
}

function installerOf({ assets, tag_name }: GitHubRelease, platform: Platform, { arch, asset: glob, isOnly }: Choosing) {
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

const VERSION = String.raw`v?(?<version>\d[0-9A-Za-z.+_-]*)$`;
const WHOLE = new RegExp(`^${VERSION}`, "i");
const AT_END = new RegExp(`(?<![0-9A-Za-z.])${VERSION}`, "i");

/** The version that a tag names: the whole of it without "v", or with a glob, what it ends with after the app's name. */
function versionOf(tag: string, glob: string | undefined): string | undefined {
  if (tag.length > 200) return undefined;
  if (glob === undefined) return WHOLE.exec(tag)?.groups?.version;
  return matchesGlob(tag, glob) ? AT_END.exec(tag.slice(nameLength(glob)))?.groups?.version : undefined;
}

/** How much of a tag is the app's name, which may have numbers of its own: `app-2-v*`. The start of the version may stand in
 * the glob, too: `desktop@4.*`. */
function nameLength(glob: string): number {
  return glob.replace(/[*?].*$/s, "").replace(/(?<![0-9A-Za-z.])v?\d[\d.]*$/i, "").length;
}
