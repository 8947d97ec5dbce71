// Source `gitea`: the releases of a repository on Codeberg or any other Forgejo or Gitea, for one platform or both.
// Their lists have GitHub's shape, except that a file appears once it is uploaded.
import * as z from "zod";
import { upstreamBase } from "../../../http/request.ts";
import { linkText, shortText } from "../shape.ts";
import { linkedFileName } from "../releases/linked-files.ts";
import type { ListedFile } from "../releases/listed-release.ts";
import { forgeKind, forgeSettings, githubRelease, pageReader, repositoryName } from "./release-pages.ts";

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
