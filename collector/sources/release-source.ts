// The parts that all sources of releases share: a snapshot for each platform, from an upstream of any kind or from one feed.
import type { Platform } from "../../snapshots/schema.ts";
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import { secretHeaders } from "../http/request.ts";
import type { Candidate, DocumentReader, Source, SourceContext, SourceRequest, UpstreamAnswer } from "../source.ts";
import { fetchDocument } from "./fetch-document.ts";

/** A source of releases; `translate` takes the document that `fetch` returned. @throws Error if it is configured for plans. */
export function releaseSource<T>(
  kind: string,
  names: readonly SnapshotName[],
  adapter: {
    fetch: (request: SourceRequest) => Promise<(UpstreamAnswer & { upstream: T }) | "unchanged">;
    translate: (upstream: T, platform: Platform) => Candidate;
  },
): Source {
  if (names.includes("plans")) throw new Error(`a source of kind "${kind}" provides releases, not plans`);
  // The cast holds because a source is only given the result of its own fetch.
  return {
    kind,
    names,
    fetch: adapter.fetch,
    translate: (upstream, name) => adapter.translate(upstream as T, platformOf(name)),
  };
}

interface Feed<Document> {
  kind: string;
  reader: DocumentReader<Document>;
  /** The media type that the upstream is asked for, unless the vendor's headers ask for another. */
  accept?: string;
  translate: (document: Document, platform: Platform) => Candidate;
}

/** A source of releases that reads one document, the feed at `url`. @throws Error if it is configured for plans, or if an
 * environment variable of its headers is missing. */
export function feedSource<Document>(
  { kind, reader, accept, translate }: Feed<Document>,
  settings: { url: string; headers?: Record<string, string> | undefined; timeout: number },
  { names, environment, standIns }: SourceContext,
): Source {
  const { url, timeout: deadline } = settings;
  const headers = { ...(accept !== undefined && { accept }), ...secretHeaders(settings.headers ?? {}, environment) };
  return releaseSource<Document>(kind, names, {
    fetch: (request) => fetchDocument(reader, url, { ...request, headers, standIns, deadline }),
    translate,
  });
}

/** @throws Error if the source is configured for both platforms, though its upstream has only one. */
export function requireOnePlatform(kind: string, names: readonly SnapshotName[]): void {
  if (names.length < 2) return;
  throw new Error(
    `a source of kind "${kind}" provides one platform: use { "macos": …, "windows": … } with a source for each`,
  );
}

/** The platform of a release's snapshot. */
export function platformOf(name: SnapshotName): Platform {
  return name === "release-macos" ? "macos" : "windows";
}
