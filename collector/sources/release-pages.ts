// Fetches a list of releases page by page, as GitHub, Gitea and GitLab serve it: to its end or to the third page.
import type { FetchOptions } from "../http/fetch.ts";
import type { ListedRelease, ReleaseList } from "../releases/listed-release.ts";
import type { UpstreamAnswer } from "../source.ts";
import { fetchDocument, type DocumentReader } from "./fetch-document.ts";

const MAX_PAGES = 3;

/** `urlOf`: the address of a page, counted from 1. The deadline is for all pages. @throws UpstreamError */
export async function fetchReleasePages(
  reader: DocumentReader<ListedRelease[]>,
  urlOf: (page: number) => string,
  { perPage, validators, deadline, ...options }: FetchOptions & { perPage: number },
): Promise<(UpstreamAnswer & { upstream: ReleaseList }) | "unchanged"> {
  const end = performance.now() + deadline;
  const releases: ListedRelease[] = [];
  for (let page = 1; ; page++) {
    const left = Math.max(1, Math.ceil(end - performance.now()));
    const conditions = { deadline: left, validators: page === 1 ? validators : undefined };
    const fetched = await fetchDocument(reader, urlOf(page), { ...options, ...conditions });
    if (fetched === "unchanged") return "unchanged";
    releases.push(...fetched.upstream);
    const isWhole = !fetched.hasNext && fetched.upstream.length < perPage;
    // Validators are for the first page: with more pages, a 304 would hide changes on the others.
    if (isWhole && page === 1) return { upstream: { releases, isWhole }, validators: fetched.validators };
    if (isWhole || page === MAX_PAGES) return { upstream: { releases, isWhole } };
  }
}
