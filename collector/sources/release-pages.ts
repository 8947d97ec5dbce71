// Sources that list releases page by page, as GitHub, Gitea and GitLab do: fetched to the end or to the third page.
import * as z from "zod";
import type { FetchOptions } from "../http/fetch.ts";
import { requestTimeout, secretName } from "../http/request-settings.ts";
import { secretHeaders } from "../http/secrets.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import type { ListedRelease, ReleaseCriteria, ReleaseList } from "../releases/listed-release.ts";
import { choiceSettings, newestRelease } from "../releases/release-list.ts";
import { releaseSource } from "../releases/release.ts";
import { ownSchedule } from "../settings/cron.ts";
import type { Source, SourceContext, UpstreamAnswer } from "../source.ts";
import { fetchDocument, type DocumentReader } from "./fetch-document.ts";

const MAX_PAGES = 3;

/** Settings of every such source, besides the address. */
export const releasePagesSettings = {
  ...choiceSettings,
  token: secretName
    .optional()
    .describe(
      '"$NAME", the environment variable with an access token, for private repositories and a higher rate limit',
    ),
  timeout: requestTimeout,
  schedule: ownSchedule,
};

export const repositoryName = z
  .string()
  .regex(/^(?!\.)[A-Za-z0-9_.-]{1,100}\/(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$/, "use owner/name, such as acme/notes")
  .describe("Repository, as owner/name");

interface ReleasePages {
  reader: DocumentReader<ListedRelease[]>;
  /** The address of a page, counted from 1. */
  urlOf: (page: number) => string;
  perPage: number;
  /** Request headers; `$NAME` stands for a secret. */
  headers: Record<string, string>;
  /** Name of the repository. */
  product: string;
}

/** The reader's name is the kind. */
export function releasePagesSource(
  { reader, urlOf, perPage, headers, product }: ReleasePages,
  settings: Omit<ReleaseCriteria, "product" | "platform"> & { timeout: number },
  { names, environment, standIns }: SourceContext,
): Source {
  const options = { headers: secretHeaders(headers, environment), standIns, deadline: settings.timeout, perPage };
  return releaseSource<ReleaseList>(reader.name, names, {
    fetch: (request) => fetchReleasePages(reader, urlOf, { ...request, ...options }),
    translate: (list, platform) => newestRelease(list, { ...settings, product, platform }),
  });
}

/** The deadline is for all pages. @throws UpstreamError */
async function fetchReleasePages(
  reader: DocumentReader<ListedRelease[]>,
  urlOf: (page: number) => string,
  { perPage, validators, deadline, ...options }: FetchOptions & { perPage: number },
): Promise<(UpstreamAnswer & { upstream: ReleaseList }) | "unchanged"> {
  const end = performance.now() + deadline;
  const releases: ListedRelease[] = [];
  for (let page = 1; ; page++) {
    const left = Math.max(1, Math.ceil(end - performance.now()));
    const conditions = { deadline: left, validators: page === 1 ? validators : undefined };
    const fetched = await fetchDocument(reader, urlOf(page), { ...options, ...conditions }).catch(explainNotFound);
    if (fetched === "unchanged") return "unchanged";
    releases.push(...fetched.upstream);
    const isWhole = !fetched.hasNext && fetched.upstream.length < perPage;
    // Validators are for the first page: with more pages, a 304 would hide changes on the others.
    if (isWhole && page === 1) return { upstream: { releases, isWhole }, validators: fetched.validators };
    if (isWhole || page === MAX_PAGES) return { upstream: { releases, isWhole } };
  }
}

/** All of them answer 404 for a private repository, too. */
function explainNotFound(error: unknown): never {
  if (!(error instanceof UpstreamError) || error.status !== 404) throw error;
  throw error.withMessage(
    'answered 404: there is no such repository, or it is private and needs a "token" that may read it',
  );
}
