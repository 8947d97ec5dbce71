// One page of GitHub's list of releases.
import * as z from "zod";
import type { TypedText } from "../../http/fetch.ts";
import { parseJson } from "../../parsing/json.ts";
import { checkShape, listOf, optionalText, notes } from "../../parsing/shape.ts";

const Asset = z.object({
  name: z.string(),
  state: z.string(),
  size: z.unknown().optional(),
  browser_download_url: z.string(),
});
const Release = z.object({
  tag_name: z.string(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  published_at: optionalText,
  body: notes,
  assets: listOf(Asset, 2_000),
});
/** More than fit into an answer of GitHub's own, with all that it says of each. */
const MOST_ASSETS = 10_000;

const Releases = listOf(Release, 1_000).refine(
  (releases) => releases.reduce((sum, { assets }) => sum + assets.length, 0) <= MOST_ASSETS,
  `must have at most ${MOST_ASSETS} assets`,
);

export type GitHubRelease = z.infer<typeof Release>;

/** @throws UpstreamError */
export function readFeed(text: TypedText): GitHubRelease[] {
  return checkShape(Releases, parseJson(text), "a list of releases");
}
