// One page of GitHub's list of releases.
import * as z from "zod";
import { linkText, listOf, notes, optionalText, shortText } from "../../parsing/shape.ts";
import type { ListedRelease } from "../../releases/listed-release.ts";
import { MAX_FILES, releaseListReader } from "../release-list-reader.ts";

const GitHubAsset = z.object({
  name: shortText,
  state: shortText,
  size: z.unknown().optional(),
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
    files: assets.map(({ name, state, size, browser_download_url }) => ({
      name,
      url: browser_download_url,
      size,
      isUploaded: state === "uploaded",
    })),
  }));

export const githubReader = releaseListReader("github", GitHubRelease);
