// Source `github`: the releases of a repository on GitHub or GitHub Enterprise Server, for one platform or both; and `gitea`: on Codeberg
// or any other Forgejo or Gitea, whose lists have GitHub's shape, except that a file appears once it is uploaded.
import * as z from "zod";
import { parseUrl } from "../../../../snapshots/rules.ts";
import { upstreamBase } from "../../../http/request.ts";
import { linkText, listOf, notes, optionalText, shortText, statedText } from "../shape.ts";
import { linkedFileName } from "../releases/linked-files.ts";
import type { ListedFile, ListedRelease } from "../releases/listed-release.ts";
import { forgeKind, forgeSettings, MAX_FILES, pageReader, repositoryName } from "./release-pages.ts";

const githubRelease = (asset: z.ZodType<ListedFile>) =>
  z
    .object({
      tag_name: shortText,
      draft: z.boolean(),
      prerelease: z.boolean(),
      published_at: optionalText,
      body: notes,
      assets: listOf(asset, MAX_FILES),
    })
    .transform(({ tag_name, draft, prerelease, published_at, body, assets }): ListedRelease => ({
      tag: tag_name,
      isDraft: draft,
      isPrerelease: prerelease,
      date: published_at,
      notes: body,
      files: assets,
    }));

const GitHubAsset = z
  .object({
    name: shortText,
    state: shortText,
    size: z.unknown().optional(),
    created_at: optionalText,
    // `sha256:` and the sum in hex; null for files of before June 2025.
    digest: statedText,
    browser_download_url: linkText,
  })
  .transform(({ name, state, size, created_at, digest, browser_download_url }): ListedFile => ({
    name,
    url: browser_download_url,
    size,
    sha256: digest,
    isUploaded: state === "uploaded",
    createdAt: created_at || undefined,
  }));

export const readGitHub = pageReader(githubRelease(GitHubAsset));

export const github = forgeKind({
  settings: z
    .strictObject({
      from: z.literal("github"),
      repo: repositoryName,
      api: upstreamBase
        .refine((url) => !url.includes("/repos/"), "must end before /repos/, which every request adds")
        .refine((url) => parseUrl(url)?.host !== "github.com", "must be that of the API: https://api.github.com")
        .refine(
          (url) => !/^https:\/\/github\.(?!com\/*$)[^/]+\/*$/.test(url),
          "must end with /api/v3, as that of GitHub Enterprise Server does",
        )
        .default("https://api.github.com")
        .describe("Base URL of the API, such as https://github.acme.com/api/v3 for GitHub Enterprise Server"),
      ...forgeSettings,
    })
    .describe("The releases of a GitHub repository"),
  read: readGitHub,
  perPage: 100,
  pageSize: "per_page",
  latest: "latest",
  headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
  authorization: (token) => ({ authorization: `Bearer ${token}` }),
  place: ({ api, repo }) => ({ url: `${api.replace(/\/+$/, "")}/repos/${repo}/releases`, repo }),
});

const GiteaAttachment = z
  .object({
    // Forgejo's attachments of type `external` are links: any name, and 0 for the size.
    name: shortText,
    size: z.unknown().optional(),
    browser_download_url: linkText,
  })
  .transform(({ name, size, browser_download_url: url }): ListedFile => ({
    name: linkedFileName(name, [url]),
    url,
    size,
    isUploaded: true,
  }));

export const readGitea = pageReader(githubRelease(GiteaAttachment));

export const gitea = forgeKind({
  settings: z
    .strictObject({
      from: z.literal("gitea"),
      repo: repositoryName,
      url: upstreamBase
        .refine((url) => !/\/api(?:\/|$)/.test(url), "must end before /api, which every request adds")
        .refine(
          (url) => !/^https:\/\/github\.com\b/.test(url),
          'is that of GitHub: write "from": "github" without "url"',
        )
        .refine(
          (url) => !/^https:\/\/gitlab\.com\b/.test(url),
          'is that of GitLab: write "from": "gitlab", with "project" in place of "repo"',
        )
        .describe("URL of the Forgejo or Gitea instance, such as https://codeberg.org"),
      ...forgeSettings,
    })
    .describe("The releases of a repository on Codeberg, or on any other Forgejo or Gitea"),
  read: readGitea,
  // The most that an instance sends by default. One with a lower limit links to the next page.
  perPage: 50,
  pageSize: "limit",
  latest: "latest",
  headers: { accept: "application/json" },
  authorization: (token) => ({ authorization: `token ${token}` }),
  place: ({ url, repo }) => ({ url: `${url.replace(/\/+$/, "")}/api/v1/repos/${repo}/releases`, repo }),
});
