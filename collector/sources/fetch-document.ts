// Fetches and reads one upstream document, in place: the process does nothing else while it reads. Each reader therefore has a
// limit of bytes, and the parsers have limits of values.
import { UpstreamError } from "../http/errors.ts";
import { fetchText, type FetchedText, type FetchOptions } from "../http/fetch.ts";
import { KIB, MIB, type DocumentReader } from "../source.ts";

type FetchedDocument<Document> = Pick<FetchedText, "validators" | "hasNext"> & { upstream: Document };

/** GET a document and read it. @throws UpstreamError */
export async function fetchDocument<Document>(
  { maxBytes, read }: DocumentReader<Document>,
  url: string,
  options: FetchOptions,
): Promise<FetchedDocument<Document> | "unchanged"> {
  const fetched = await fetchText(url, options);
  if (fetched === "unchanged") return "unchanged";
  const { validators, hasNext, ...text } = fetched;
  if (text.bytes > maxBytes) throw new UpstreamError(`a document of more than ${sizeText(maxBytes)}`);
  return { upstream: await read(text), validators, hasNext };
}

function sizeText(bytes: number): string {
  return bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`;
}
