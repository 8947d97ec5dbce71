// Source `gitlab`: the releases of a project, for one platform or both. Their files are links with a name of any kind and no
// size; the archives of the source code are in a field of their own, which is not read.
import * as z from "zod";
import { upstreamBase } from "../../http/request.ts";
import { linkText, listOf, notes, optionalText, shortText } from "../../parsing/shape.ts";
import { linkedFileName } from "../../releases/file-name.ts";
import type { ListedRelease } from "../../releases/listed-release.ts";
import { sourceKind } from "../../source.ts";
import { MAX_FILES, releaseListReader, releasePagesSettings, releasePagesSource } from "./release-pages.ts";

const GitLabSettings = z
  .strictObject({
    from: z.literal("gitlab"),
    project: z
      .string()
      .max(500)
      .regex(/^(?:\d+|[\w.-]+(?:\/[\w.-]+)+)$/, 'use group/project, such as acme/notes, or its number, such as "1234"')
      .describe("Project, as group/project with all subgroups, or its number as text"),
    url: upstreamBase
      .default("https://gitlab.com")
      .describe("URL of the GitLab instance, such as https://gitlab.acme.com"),
    ...releasePagesSettings,
  })
  .describe("The releases of a GitLab project");

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

export const gitlabReader = releaseListReader(GitLabRelease);

/** The most that GitLab sends. */
const PER_PAGE = 100;

export const gitlab = sourceKind({
  settings: GitLabSettings,
  open(settings, context) {
    const project = encodeURIComponent(settings.project);
    const url = `${settings.url.replace(/\/+$/, "")}/api/v4/projects/${project}/releases`;
    const pages = {
      kind: "gitlab",
      reader: gitlabReader,
      urlOf: (page: number) => `${url}?per_page=${PER_PAGE}&page=${page}`,
      latestUrl: `${url}/permalink/latest`,
      perPage: PER_PAGE,
      headers: {
        accept: "application/json",
        ...(settings.token === undefined ? {} : { "private-token": settings.token }),
      },
      product: settings.project.replace(/^.*\//, ""),
    };
    return releasePagesSource(pages, settings, context);
  },
});
