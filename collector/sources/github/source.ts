// Source `github`: the releases of a repository, for one platform or both.
import * as z from "zod";
import { requestTimeout, secretName, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import type { ReleaseList } from "../../releases/listed-release.ts";
import { choiceSettings, newestRelease } from "../../releases/release-list.ts";
import { releaseSource } from "../../releases/release.ts";
import { ownSchedule } from "../../settings/cron.ts";
import type { Source, SourceContext } from "../../source.ts";
import { fetchReleasePages } from "../release-pages.ts";
import { githubReader } from "./read.ts";

export const GitHubSettings = z
  .strictObject({
    from: z.literal("github"),
    repo: z
      .string()
      .regex(/^(?!\.)[A-Za-z0-9_.-]{1,100}\/(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$/, "use owner/name, such as acme/notes")
      .describe("Repository, as owner/name"),
    ...choiceSettings,
    token: secretName
      .optional()
      .describe(
        '"$NAME", the environment variable with an access token, for private repositories and a higher rate limit',
      ),
    api: upstreamUrl
      .refine((url) => !/[?#]/.test(url), "must have no query and no fragment")
      .default("https://api.github.com")
      .describe("Base URL of the API, such as https://github.acme.com/api/v3 for GitHub Enterprise Server"),
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("The releases of a GitHub repository");
export type GitHubSettings = z.infer<typeof GitHubSettings>;

const PER_PAGE = 100;

export function openGitHub(settings: GitHubSettings, { names, environment, standIns }: SourceContext): Source {
  const authorization = settings.token === undefined ? {} : { authorization: `Bearer ${settings.token}` };
  const headers = {
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    ...secretHeaders(authorization, environment),
  };
  const url = `${settings.api.replace(/\/+$/, "")}/repos/${settings.repo}/releases?per_page=${PER_PAGE}`;
  const product = settings.repo.replace(/^.*\//, "");
  return releaseSource<ReleaseList>("github", names, {
    fetch: ({ signal, validators }) =>
      fetchReleasePages(githubReader, (page) => `${url}&page=${page}`, {
        signal,
        validators,
        headers,
        standIns,
        deadline: settings.timeout,
        perPage: PER_PAGE,
      }),
    translate: (list, platform) => newestRelease(list, { ...settings, product, platform }),
  });
}
