// Source `gitlab`: the releases of a project, for one platform or both.
import * as z from "zod";
import { upstreamBase } from "../../http/request-settings.ts";
import type { Source, SourceContext } from "../../source.ts";
import { releasePagesSettings, releasePagesSource } from "../release-pages.ts";
import { gitlabReader } from "./read.ts";

export const GitLabSettings = z
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
export type GitLabSettings = z.infer<typeof GitLabSettings>;

/** The most that GitLab sends. */
const PER_PAGE = 100;

export function openGitLab(settings: GitLabSettings, context: SourceContext): Source {
  const project = encodeURIComponent(settings.project);
  const url = `${settings.url.replace(/\/+$/, "")}/api/v4/projects/${project}/releases?per_page=${PER_PAGE}`;
  const pages = {
    reader: gitlabReader,
    urlOf: (page: number) => `${url}&page=${page}`,
    perPage: PER_PAGE,
    headers: {
      accept: "application/json",
      ...(settings.token === undefined ? {} : { "private-token": settings.token }),
    },
    product: settings.project.replace(/^.*\//, ""),
  };
  return releasePagesSource(pages, settings, context);
}
