// Source `github`: the releases of a repository, for one platform or both.
import * as z from "zod";
import { upstreamBase } from "../../http/request-settings.ts";
import type { Source, SourceContext } from "../../source.ts";
import { releasePagesSettings, releasePagesSource, repositoryName } from "../release-pages.ts";
import { githubReader } from "./read.ts";

export const GitHubSettings = z
  .strictObject({
    from: z.literal("github"),
    repo: repositoryName,
    api: upstreamBase
      .default("https://api.github.com")
      .describe("Base URL of the API, such as https://github.acme.com/api/v3 for GitHub Enterprise Server"),
    ...releasePagesSettings,
  })
  .describe("The releases of a GitHub repository");
export type GitHubSettings = z.infer<typeof GitHubSettings>;

const PER_PAGE = 100;

export function openGitHub(settings: GitHubSettings, context: SourceContext): Source {
  const url = `${settings.api.replace(/\/+$/, "")}/repos/${settings.repo}/releases?per_page=${PER_PAGE}`;
  const pages = {
    reader: githubReader,
    urlOf: (page: number) => `${url}&page=${page}`,
    perPage: PER_PAGE,
    headers: {
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      ...(settings.token === undefined ? {} : { authorization: `Bearer ${settings.token}` }),
    },
    product: settings.repo.replace(/^.*\//, ""),
  };
  return releasePagesSource(pages, settings, context);
}
