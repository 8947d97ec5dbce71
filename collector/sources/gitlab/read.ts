// One page of GitLab's list of releases. The files are links with a name of any kind and no size; the archives of the
// source code are in a field of their own, which is not read.
import * as z from "zod";
import { linkText, listOf, notes, optionalText, shortText } from "../../parsing/shape.ts";
import { linkedFileName } from "../../releases/release.ts";
import type { ListedRelease } from "../../releases/listed-release.ts";
import { MAX_FILES, releaseListReader } from "../release-list-reader.ts";

const GitLabLink = z.object({
  name: shortText,
  url: linkText,
  /** A permanent link that redirects to `url`; `url` itself if the vendor set none. */
  direct_asset_url: linkText.nullish(),
});
const GitLabRelease = z
  .object({
    // GitLab omits the tags for clients that may not read the code.
    tag_name: z.string('is missing: see "token", which must be allowed to read the code').pipe(shortText),
    /** True until `released_at`. */
    upcoming_release: z.boolean().nullish(),
    released_at: optionalText,
    description: notes,
    assets: z.object({ links: listOf(GitLabLink, MAX_FILES) }),
  })
  .transform(({ tag_name, upcoming_release, released_at, description, assets }): ListedRelease => ({
    tag: tag_name,
    isDraft: upcoming_release ?? false,
    isPrerelease: false,
    date: released_at,
    notes: description,
    files: assets.links.map(({ name, url, direct_asset_url }) => ({
      name: linkedFileName(name, [direct_asset_url ?? "", url]),
      url: direct_asset_url ?? url,
      size: undefined,
      isUploaded: true,
    })),
  }));

export const gitlabReader = releaseListReader("gitlab", GitLabRelease);
