// One page of GitHub's list of releases.
import * as z from "zod";
import { MAX_BYTES } from "../../http/fetch.ts";
import { parseJson } from "../../parsing/json.ts";
import { checkShape, listOf, optionalText, notes } from "../../parsing/shape.ts";
import { KIB, type DocumentReader } from "../fetch-document.ts";

const GitHubAsset = z.object({
  name: z.string(),
  state: z.string(),
  size: z.unknown().optional(),
  browser_download_url: z.string(),
});
const GitHubRelease = z.object({
  tag_name: z.string(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  published_at: optionalText,
  body: notes,
  assets: listOf(GitHubAsset, 2_000),
});
export type GitHubRelease = z.infer<typeof GitHubRelease>;

/** More than fit into a page of GitHub's, given all the fields of each. */
const MAX_ASSETS = 10_000;

const GitHubReleases = listOf(GitHubRelease, 1_000).refine(
  (releases) => releases.reduce((sum, { assets }) => sum + assets.length, 0) <= MAX_ASSETS,
  `must have at most ${MAX_ASSETS} assets`,
);

export const githubReader: DocumentReader<GitHubRelease[]> = {
  name: "github",
  maxInPlace: 128 * KIB,
  maxBytes: MAX_BYTES,
  read: (text) => checkShape(GitHubReleases, parseJson(text), "a list of releases"),
};
