// Reads one page of a list of releases, whatever the shape of a release in it.
import type * as z from "zod";
import { MAX_BYTES } from "../http/fetch.ts";
import { parseJson } from "../parsing/json.ts";
import { checkShape, listOf, MAX_NAMES } from "../parsing/shape.ts";
import type { ListedRelease } from "../releases/listed-release.ts";
import { KIB, type DocumentReader } from "./fetch-document.ts";

/** Files of one release. */
export const MAX_FILES = 2_000;
/** More than fit into a page, given all the fields of each. */
const MAX_FILES_PER_PAGE = 10_000;

/** `release`: the shape of one release, and what it becomes. */
export function releaseListReader(name: string, release: z.ZodType<ListedRelease>): DocumentReader<ListedRelease[]> {
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
    name,
    maxInPlace: 128 * KIB,
    maxBytes: MAX_BYTES,
    read: (text) => checkShape(page, parseJson(text), "a list of releases"),
  };
}
