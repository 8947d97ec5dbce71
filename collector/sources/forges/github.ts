// Source `github`: the releases of a repository on GitHub or GitHub Enterprise Server, for one platform or both.
import * as z from "zod";
import { upstreamBase } from "../../http/request.ts";
import { linkText, listOf, notes, optionalText, shortText } from "../../parsing/shape.ts";
import type { ListedRelease } from "../../releases/listed-release.ts";
import { sourceKind } from "../../source.ts";
import {
  MAX_FILES,
  releaseListReader,
  releasePagesSettings,
  releasePagesSource,
  repositoryName,
} from "./release-pages.ts";

const GitHubSettings = z
  .strictObject({
    from: z.literal("github"),
    repo: repositoryName,
    api: upstreamBase
      .default("https://api.github.com")
      .describe("Base URL of the API, such as https://github.acme.com/api/v3 for GitHub Enterprise Server"),
    ...releasePagesSettings,
  })
  .describe("The releases of a GitHub repository");

const GitHubAsset = z.object({
  name: shortText,
  state: shortText,
  size: z.unknown().optional(),
  created_at: optionalText,
  browser_download_url: linkText,
});
const GitHubRelease = z
  .object({
    tag_name: shortText,
    draft: z.boolean(),
    prerelease: z.boolean(),
    published_at: optionalText,
    body: notes,
    assets: listOf(GitHubAsset, MAX_FILES),
  })
  .transform(({ tag_name, draft, prerelease, published_at, body, assets }): ListedRelease => ({
    tag: tag_name,
    isDraft: draft,
    isPrerelease: prerelease,
    date: published_at,
    notes: body,
    files: assets.map(({ name, state, size, created_at, browser_download_url }) => ({
      name,
      url: browser_download_url,
      size,
      isUploaded: state === "uploaded",
      createdAt: created_at || undefined,
    })),
  }));

export const githubReader = releaseListReader(GitHubRelease);

/** The most that GitHub sends. */
const PER_PAGE = 100;

export const github = sourceKind({
  settings: GitHubSettings,
  open(settings, context) {
    const url = `${settings.api.replace(/\/+$/, "")}/repos/${settings.repo}/releases`;
    const pages = {
      kind: "github",
      reader: githubReader,
      urlOf: (page: number) => `${url}?per_page=${PER_PAGE}&page=${page}`,
      latestUrl: `${url}/latest`,
      perPage: PER_PAGE,
      headers: {
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        ...(settings.token === undefined ? {} : { authorization: `Bearer ${settings.token}` }),
      },
      product: settings.repo.replace(/^.*\//, ""),
    };
    return releasePagesSource(pages, settings, context);
  },
});
