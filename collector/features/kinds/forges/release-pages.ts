// GitHub, Gitea and GitLab list releases page by page. The list is read to its end or to the third page, and whether it is whole
// decides if "no release" can be said.
import * as z from "zod";
import { UpstreamError } from "../../../http/errors.ts";
import { inTime, type FetchOptions } from "../../../http/fetch.ts";
import { requestTimeout, secretHeaders, secretName } from "../../../http/request.ts";
import { explain, type Hints } from "../explain.ts";
import { jsonReader, listOf, MAX_NAMES, shortText } from "../shape.ts";
import type { ListedRelease, ReleaseCriteria, ReleaseList } from "../releases/listed-release.ts";
import { choiceSettings, newestRelease } from "../releases/release-list.ts";
import { ownSchedule } from "../../../setting-values.ts";
import { fetchDocument, type Read, type SourceKind, type UpstreamAnswer } from "../../../source.ts";
import { releaseSource } from "../kinds.ts";

export const forgeSettings = {
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
  .refine((name) => !name.endsWith(".git"), 'use owner/name without ".git"')
  .describe("Repository, as owner/name");

export const MAX_FILES = 2_000;
/** More than fit into a page, given all the fields of each. */
const MAX_FILES_PER_PAGE = 10_000;

/** Reads one page of a list of releases. `release`: the shape of one release, and what it becomes. */
export function pageReader(release: z.ZodType<ListedRelease>): Read<ListedRelease[]> {
  const page = listOf(release, 1_000)
    .refine(
      (releases) => releases.reduce((sum, { files }) => sum + files.length, 0) <= MAX_FILES_PER_PAGE,
      `must have at most ${MAX_FILES_PER_PAGE} assets`,
    )
    .refine((releases) => {
      const names = releases.flatMap(({ files }) => files.map(({ name }) => name));
      return names.reduce((sum, { length }) => sum + length, 0) <= MAX_NAMES;
    }, `must have at most ${MAX_NAMES} characters in the names of assets`);
  return jsonReader(page, "a list of releases");
}

interface ForgeSettings extends Omit<ReleaseCriteria, "product" | "platform"> {
  from: string;
  timeout: number;
  token?: string | undefined;
}

interface Forge<Settings extends z.ZodType<ForgeSettings>> {
  settings: Settings;
  read: Read<ListedRelease[]>;
  /** A page has so many releases, the most that the upstream sends. */
  perPage: number;
  /** The parameter that asks for so many. */
  pageSize: string;
  /** The latest release is at this path below the list. */
  latest: string;
  /** Makes the header with the access token, for which `$NAME` stands. */
  authorization: (token: string) => Record<string, string>;
  headers: Record<string, string>;
  /** Returns the address of the list, and the path of the repository, which ends with its name. */
  place: (settings: z.infer<Settings>) => { url: string; repo: string };
}

export function forgeKind<Settings extends z.ZodType<ForgeSettings>>(forge: Forge<Settings>): SourceKind<Settings> {
  return {
    settings: forge.settings,
    open(settings, { names, environment, standIns }) {
      const { from, token, timeout: deadline } = settings;
      const { url, repo } = forge.place(settings);
      const headers = { ...forge.headers, ...(token !== undefined && forge.authorization(token)) };
      const options = { headers: secretHeaders(headers, environment), standIns, deadline };
      const pages = { ...forge, url, hints: hintsFor(token) };
      return releaseSource<ReleaseList>(from, names, {
        // One deadline for all requests.
        fetch: ({ signal, validators }) =>
          inTime({ deadline, limit: "timeout", signal }, (signal) =>
            fetchReleases(pages, { ...options, signal, validators }),
          ),
        translate: (list, platform) =>
          newestRelease(list, { ...settings, product: repo.replace(/^.*\//, ""), platform }),
      });
    },
  };
}

type ReleasePages = Pick<Forge<z.ZodType<ForgeSettings>>, "read" | "perPage" | "pageSize" | "latest"> & {
  url: string;
  hints: Hints;
};

const MAX_PAGES = 3;

type ListAnswer = UpstreamAnswer & { upstream: ReleaseList };

/** Fetches the list, and the vendor's own word for the latest release: a mark that moves changes no list. @throws
 * UpstreamError */
async function fetchReleases(pages: ReleasePages, options: FetchOptions): Promise<ListAnswer | "unchanged"> {
  const { latestEtag, ...validators } = options.validators ?? {};
  const list = await fetchPages(pages, { ...options, validators });
  const known = list === "unchanged" ? latestEtag : undefined;
  const latest = await fetchDocument(readLatest, `${pages.url}/${pages.latest}`, {
    ...options,
    validators: { etag: known },
  }).catch(noneIfNotFound);
  const isSame = latest === "unchanged" || (latest === undefined && latestEtag === undefined);
  if (list === "unchanged" && isSame) return "unchanged";
  const answer = list === "unchanged" ? await fetchPages(pages, { ...options, validators: undefined }) : list;
  if (answer === "unchanged" || latest === "unchanged")
    throw new TypeError("unchanged, though not asked with validators");
  return {
    upstream: { ...answer.upstream, latest: latest?.upstream },
    ...(answer.validators && { validators: { ...answer.validators, latestEtag: latest?.validators.etag } }),
  };
}

async function fetchPages(
  { read, url, perPage, pageSize, hints }: ReleasePages,
  options: FetchOptions,
): Promise<ListAnswer | "unchanged"> {
  const askedAt = Date.now();
  const releases: ListedRelease[] = [];
  for (let page = 1; ; page++) {
    const validators = page === 1 ? options.validators : undefined;
    const fetched = await fetchDocument(read, `${url}?${pageSize}=${perPage}&page=${page}`, {
      ...options,
      validators,
    }).catch((error: unknown) => explain(error, hints));
    if (fetched === "unchanged") return "unchanged";
    releases.push(...fetched.upstream);
    const isWhole = !fetched.hasNext && fetched.upstream.length < perPage;
    // Validators are for the first page: with more pages, a 304 would hide changes on the others.
    if (isWhole && page === 1) return { upstream: { releases, isWhole, askedAt }, validators: fetched.validators };
    if (isWhole || page === MAX_PAGES) return { upstream: { releases, isWhole, askedAt } };
  }
}

const readLatest = jsonReader(
  z.object({ tag_name: shortText }).transform(({ tag_name }) => tag_name),
  "a release",
);

/** In a repository without releases, or with prereleases only, no release is the latest one. */
function noneIfNotFound(error: unknown): undefined {
  if (!(error instanceof UpstreamError)) throw error;
  if (error.failure.status !== 404) throw error.withMessage(`the latest release: ${error.message}`);
}

function hintsFor(token: string | undefined): Hints {
  const isSent = token !== undefined;
  return {
    401: isSent ? ': the "token" is wrong or has expired' : ': it asks for a "token"',
    403: isSent ? ': the "token" may not read this repository' : ': it asks for a "token"',
    // All of them answer so for a private repository, too.
    404: ': there is no such repository, or it is private and needs a "token" that may read it',
  };
}
