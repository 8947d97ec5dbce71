// Source `gitea`: the releases of a repository on Codeberg or any other Forgejo or Gitea, for one platform or both.
// Their lists have GitHub's shape, except that a file appears once it is uploaded.
import * as z from "zod";
import { upstreamBase } from "../../http/request.ts";
import { linkText, listOf, notes, optionalText, shortText } from "../../parsing/shape.ts";
import { linkedFileName } from "../../releases/file-name.ts";
import type { ListedRelease } from "../../releases/listed-release.ts";
import { sourceKind } from "../../source.ts";
import {
  MAX_FILES,
  releaseListReader,
  releasePagesSettings,
  releasePagesSource,
  repositoryName,
} from "./release-pages.ts";

const GiteaSettings = z
  .strictObject({
    from: z.literal("gitea"),
    repo: repositoryName,
    url: upstreamBase.describe("URL of the Forgejo or Gitea instance, such as https://codeberg.org"),
    ...releasePagesSettings,
  })
  .describe("The releases of a repository on Codeberg, or on any other Forgejo or Gitea");

const GiteaAttachment = z.object({
  // Forgejo's attachments of type `external` are links: any name, and 0 for the size.
  name: shortText,
  size: z.unknown().optional(),
  browser_download_url: linkText,
});
const GiteaRelease = z
  .object({
    tag_name: shortText,
    draft: z.boolean(),
    prerelease: z.boolean(),
    published_at: optionalText,
    body: notes,
    assets: listOf(GiteaAttachment, MAX_FILES),
  })
  .transform(({ tag_name, draft, prerelease, published_at, body, assets }): ListedRelease => ({
    tag: tag_name,
    isDraft: draft,
    isPrerelease: prerelease,
    date: published_at,
    notes: body,
    files: assets.map(({ name, size, browser_download_url: url }) => ({
      name: linkedFileName(name, [url]),
      url,
      size,
      isUploaded: true,
    })),
  }));

export const giteaReader = releaseListReader(GiteaRelease);

/** The most that an instance sends by default. One with a lower limit links to the next page. */
const PER_PAGE = 50;

export const gitea = sourceKind({
  settings: GiteaSettings,
  open(settings, context) {
    const url = `${settings.url.replace(/\/+$/, "")}/api/v1/repos/${settings.repo}/releases`;
    const pages = {
      kind: "gitea",
      reader: giteaReader,
      urlOf: (page: number) => `${url}?limit=${PER_PAGE}&page=${page}`,
      latestUrl: `${url}/latest`,
      perPage: PER_PAGE,
      headers: {
        accept: "application/json",
        ...(settings.token === undefined ? {} : { authorization: `token ${settings.token}` }),
      },
      product: settings.repo.replace(/^.*\//, ""),
    };
    return releasePagesSource(pages, settings, context);
  },
});
