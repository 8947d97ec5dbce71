// Source `gitlab`: the releases of a project, for one platform or both. Their files are links with a name of any kind and no
// size; the archives of the source code are in a field of their own, which is not read.
import * as z from "zod";
import { upstreamBase } from "../../../http/request.ts";
import { linkText, listOf, notes, optionalText, shortText } from "../shape.ts";
import { linkedFileName } from "../releases/linked-files.ts";
import type { ListedRelease } from "../releases/listed-release.ts";
import { forgeKind, forgeSettings, MAX_FILES, pageReader } from "./release-pages.ts";

const GitLabLink = z.object({
  name: shortText,
  url: linkText,
  /** This permanent link redirects to `url`; it is `url` itself if the vendor set none. */
  direct_asset_url: linkText.nullish(),
});
const GitLabRelease = z
  .object({
    // GitLab omits the tags for clients that may not read the code.
    tag_name: z.string('is missing: see "token", which must be allowed to read the code').pipe(shortText),
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
      isUploaded: true,
    })),
  }));

export const readGitLab = pageReader(GitLabRelease);

export const gitlab = forgeKind({
  settings: z
    .strictObject({
      from: z.literal("gitlab"),
      project: z
        .string()
        .max(500)
        .regex(
          /^(?!.*\/-(?:\/|$))(?!.*\.git$)(?:\d+|[\w.-]+(?:\/[\w.-]+)+)$/,
          'use group/project, such as acme/notes, or its number, such as "1234"',
        )
        .describe("Project, as group/project with all subgroups, or its number as text"),
      url: upstreamBase
        .refine((url) => !/\/api(?:\/|$)/.test(url), "must end before /api, which every request adds")
        .refine(
          (url) => !/^https:\/\/gitlab\.com\/+[^/]/.test(url),
          'must be https://gitlab.com alone: the group belongs to "project"',
        )
        .default("https://gitlab.com")
        .describe("URL of the GitLab instance, such as https://gitlab.acme.com"),
      ...forgeSettings,
    })
    .describe("The releases of a GitLab project"),
  read: readGitLab,
  perPage: 100,
  pageSize: "per_page",
  latest: "permalink/latest",
  headers: { accept: "application/json" },
  authorization: (token) => ({ "private-token": token }),
  place: ({ url, project }) => ({
    url: `${url.replace(/\/+$/, "")}/api/v4/projects/${encodeURIComponent(project)}/releases`,
    repo: project,
  }),
});
