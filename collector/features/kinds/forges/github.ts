// Source `github`: the releases of a repository on GitHub or GitHub Enterprise Server, for one platform or both.
import * as z from "zod";
import { parseUrl } from "../../../../snapshots/rules.ts";
import { upstreamBase } from "../../../http/request.ts";
import { linkText, optionalText, shortText, statedText } from "../shape.ts";
import type { ListedFile } from "../releases/listed-release.ts";
import { forgeKind, forgeSettings, githubRelease, pageReader, repositoryName } from "./release-pages.ts";

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
