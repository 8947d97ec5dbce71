// Sources that list releases page by page, as GitHub, Gitea and GitLab do: the list is read to its end or to the third
// page, and whether it is whole decides if "no release" can be said.
import * as z from "zod";
import { UpstreamError } from "../../http/errors.ts";
import { MAX_BYTES, type FetchOptions, type Validators } from "../../http/fetch.ts";
import { requestTimeout, secretHeaders, secretName } from "../../http/request.ts";
import { parseJson } from "../../parsing/json.ts";
import { checkShape, listOf, MAX_NAMES, shortText } from "../../parsing/shape.ts";
import type { ListedRelease, ReleaseCriteria, ReleaseList } from "../../releases/listed-release.ts";
import { choiceSettings, newestRelease } from "../../releases/release-list.ts";
import { ownSchedule } from "../../setting-values.ts";
import type { DocumentReader, Source, SourceContext, UpstreamAnswer } from "../../source.ts";
import { fetchDocument } from "../fetch-document.ts";
import { releaseSource } from "../release-source.ts";

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

/** Files of one release. */
export const MAX_FILES = 2_000;
/** More than fit into a page, given all the fields of each. */
const MAX_FILES_PER_PAGE = 10_000;

/** Reads one page of a list of releases. `release`: the shape of one release, and what it becomes. */
export function releaseListReader(release: z.ZodType<ListedRelease>): DocumentReader<ListedRelease[]> {
  const page = listOf(release, 1_000)
    .refine(
      (releases) => releases.reduce((sum, { files }) => sum + files.length, 0) <= MAX_FILES_PER_PAGE,
      `must have at most ${MAX_FILES_PER_PAGE} assets`,
    )
    .refine((releases) => {
      const names = releases.flatMap(({ files }) => files.map(({ name }) => name));
      return names.reduce((sum, { length }) => sum + length, 0) <= MAX_NAMES;
    }, `must have at most ${MAX_NAMES} characters in the names of assets`);
  return {
    maxBytes: MAX_BYTES,
    read: (text) => checkShape(page, parseJson(text), "a list of releases"),
  };
}

interface ReleasePages {
  kind: string;
  reader: DocumentReader<ListedRelease[]>;
  /** The address of a page, counted from 1. */
  urlOf: (page: number) => string;
  /** The address of the latest release. */
  latestUrl: string;
  perPage: number;
  /** Request headers; `$NAME` stands for a secret. */
  headers: Record<string, string>;
  /** Name of the repository. */
  product: string;
}

export function releasePagesSource(
  pages: ReleasePages,
  settings: Omit<ReleaseCriteria, "product" | "platform"> & { timeout: number },
  { names, environment, standIns }: SourceContext,
): Source {
  const { kind, headers, product } = pages;
  const options = { headers: secretHeaders(headers, environment), standIns, deadline: settings.timeout };
  return releaseSource<ReleaseList>(kind, names, {
    fetch: (request) => fetchReleases(pages, { ...request, ...options }),
    translate: (list, platform) => newestRelease(list, { ...settings, product, platform }),
  });
}

const MAX_PAGES = 3;

type Answer = UpstreamAnswer & { upstream: ReleaseList };

/** The list, and the vendor's own word for the latest release: a mark that moves changes no list. The deadline is for all
 * requests. @throws UpstreamError */
async function fetchReleases(pages: ReleasePages, options: FetchOptions): Promise<Answer | "unchanged"> {
  const end = performance.now() + options.deadline;
  const inTime = (validators: Validators | undefined): FetchOptions => ({
    ...options,
    deadline: Math.max(1, Math.ceil(end - performance.now())),
    validators,
  });
  const { latestEtag, ...validators } = options.validators ?? {};
  const list = await fetchPages(pages, inTime, validators);
  const known = list === "unchanged" ? latestEtag : undefined;
  const latest = await fetchDocument(latestReader, pages.latestUrl, inTime({ etag: known })).catch(noneIfNotFound);
  const isSame = latest === "unchanged" || (latest === undefined && latestEtag === undefined);
  if (list === "unchanged" && isSame) return "unchanged";
  const answer = list === "unchanged" ? await fetchPages(pages, inTime, undefined) : list;
  if (answer === "unchanged" || latest === "unchanged")
    throw new TypeError("unchanged, though not asked with validators");
  return {
    upstream: { ...answer.upstream, latest: latest?.upstream },
    ...(answer.validators && { validators: { ...answer.validators, latestEtag: latest?.validators.etag } }),
  };
}

async function fetchPages(
  { reader, urlOf, perPage }: ReleasePages,
  inTime: (validators: Validators | undefined) => FetchOptions,
  validators: Validators | undefined,
): Promise<Answer | "unchanged"> {
  const askedAt = Date.now();
  const releases: ListedRelease[] = [];
  for (let page = 1; ; page++) {
    const options = inTime(page === 1 ? validators : undefined);
    const fetched = await fetchDocument(reader, urlOf(page), options).catch(explainNotFound);
    if (fetched === "unchanged") return "unchanged";
    releases.push(...fetched.upstream);
    const isWhole = !fetched.hasNext && fetched.upstream.length < perPage;
    // Validators are for the first page: with more pages, a 304 would hide changes on the others.
    if (isWhole && page === 1) return { upstream: { releases, isWhole, askedAt }, validators: fetched.validators };
    if (isWhole || page === MAX_PAGES) return { upstream: { releases, isWhole, askedAt } };
  }
}

/** The tag of one release. */
const latestReader: DocumentReader<string> = {
  maxBytes: MAX_BYTES,
  read: (text) => checkShape(z.object({ tag_name: shortText }), parseJson(text), "a release").tag_name,
};

/** A repository in which no release is the latest one: it has none, or only prereleases. */
function noneIfNotFound(error: unknown): undefined {
  if (!(error instanceof UpstreamError)) throw error;
  if (error.status !== 404) throw error.withMessage(`the latest release: ${error.message}`);
}

/** All of them answer 404 for a private repository, too. */
function explainNotFound(error: unknown): never {
  if (!(error instanceof UpstreamError) || error.status !== 404) throw error;
  throw error.withMessage(
    'answered 404: there is no such repository, or it is private and needs a "token" that may read it',
  );
}
