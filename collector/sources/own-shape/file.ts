// Source `file`: a file in Vitrine's own shape, kept by hand or written by the vendor's own build.
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { ownSchedule } from "../../settings/cron.ts";
import { ownCandidate } from "./read.ts";
import { readInTime } from "../fetch-document.ts";
import { MAX_BYTES } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Source, SourceContext } from "../../source.ts";
import { errorCode } from "../../../snapshots/error-code.ts";

export const FileSettings = z
  .strictObject({
    from: z.literal("file"),
    path: z.string().min(1).describe("Path of a JSON file, relative to the settings file"),
    schedule: ownSchedule,
  })
  .describe("A JSON file in Vitrine's own shape");

/** Longest time to make sense of what was read, milliseconds. */
const LONGEST = 30_000;

export function openFile(settings: z.infer<typeof FileSettings>, { names, directory }: SourceContext): Source {
  return {
    kind: "file",
    names,
    async fetch({ signal }) {
      const body = await read(resolve(directory, settings.path), signal);
      const task = { body: { body, contentType: "a file" }, wanted: { names, at: { pointer: "" } } };
      return { upstream: await readInTime({ kind: "own-shape", ...task }, { deadline: LONGEST, signal }) };
    },
    translate: ownCandidate,
  };
}

async function read(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new UpstreamError("the file is not a regular file");
    if (stats.size > MAX_BYTES) throw new UpstreamError(`the file has more than ${MAX_BYTES / 1024 / 1024} MiB`);
    return await readFile(path, { signal });
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    const code = errorCode(error) ?? "unknown error";
    throw new UpstreamError(code === "ENOENT" ? "the file does not exist" : `the file cannot be read (${code})`, {
      cause: error,
    });
  }
}
