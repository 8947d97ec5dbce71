// One page of GitHub's list of releases.
import * as z from "zod";
import { MAX_BYTES } from "../../http/fetch.ts";
import { parseJson } from "../../parsing/json.ts";
import { checkShape, listOf, optionalText, notes } from "../../parsing/shape.ts";
import type { ListedRelease } from "../../releases/listed-release.ts";
import { KIB, type DocumentReader } from "../fetch-document.ts";

const GitHubAsset = z.object({
  name: z.string(),
  state: z.string(),
  size: z.unknown().optional(),
  browser_download_url: z.string(),
});
const GitHubRelease = z
  .object({
    tag_name: z.string(),
    draft: z.boolean(),
    prerelease: z.boolean(),
    published_at: optionalText,
    body: notes,
    assets: listOf(GitHubAsset, 2_000),
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

/** More than fit into a page of GitHub's, given all the fields of each. */
const MAX_ASSETS = 10_000;

const GitHubReleases = listOf(GitHubRelease, 1_000).refine(
  (releases) => releases.reduce((sum, { files }) => sum + files.length, 0) <= MAX_ASSETS,
  `must have at most ${MAX_ASSETS} assets`,
);

export const githubReader: DocumentReader<ListedRelease[]> = {
  name: "github",
  maxInPlace: 128 * KIB,
  maxBytes: MAX_BYTES,
  read: (text) => checkShape(GitHubReleases, parseJson(text), "a list of releases"),
};
