// One page of the list of releases of Gitea or Forgejo: GitHub's shape, except that a file appears once it is uploaded.
import * as z from "zod";
import { linkText, listOf, notes, optionalText, shortText } from "../../parsing/shape.ts";
import { linkedFileName } from "../../releases/release.ts";
import type { ListedRelease } from "../../releases/listed-release.ts";
import { MAX_FILES, releaseListReader } from "../release-list-reader.ts";

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

export const giteaReader = releaseListReader("gitea", GiteaRelease);
