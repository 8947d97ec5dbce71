// Source `gitea`: the releases of a repository on Codeberg or any other Forgejo or Gitea, for one platform or both.
import * as z from "zod";
import { upstreamBase } from "../../http/request-settings.ts";
import type { Source, SourceContext } from "../../source.ts";
import { releasePagesSettings, releasePagesSource, repositoryName } from "../release-pages.ts";
import { giteaReader } from "./read.ts";

export const GiteaSettings = z
  .strictObject({
    from: z.literal("gitea"),
    repo: repositoryName,
    url: upstreamBase.describe("URL of the Forgejo or Gitea instance, such as https://codeberg.org"),
    ...releasePagesSettings,
  })
  .describe("The releases of a repository on Codeberg, or on any other Forgejo or Gitea");
export type GiteaSettings = z.infer<typeof GiteaSettings>;

/** The most that an instance sends by default. One with a lower limit links to the next page. */
const PER_PAGE = 50;

export function openGitea(settings: GiteaSettings, context: SourceContext): Source {
  const url = `${settings.url.replace(/\/+$/, "")}/api/v1/repos/${settings.repo}/releases?limit=${PER_PAGE}`;
  const pages = {
    reader: giteaReader,
    urlOf: (page: number) => `${url}&page=${page}`,
    perPage: PER_PAGE,
    headers: {
      accept: "application/json",
      ...(settings.token === undefined ? {} : { authorization: `token ${settings.token}` }),
    },
    product: settings.repo.replace(/^.*\//, ""),
  };
  return releasePagesSource(pages, settings, context);
}
