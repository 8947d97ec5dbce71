// Source `file`: a JSON file, in Vitrine's own shape or read by `fields`, maintained by hand or written by the vendor's build.
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { errorCode } from "../../../snapshots/error-code.ts";
import { underWay } from "../../../snapshots/under-way.ts";
import { MAX_BYTES } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { ownSchedule } from "../../settings/cron.ts";
import type { Source, SourceContext } from "../../source.ts";
import { MIB, readInTime } from "../fetch-document.ts";
import { fields, requireMatchingFields } from "./field-settings.ts";
import { ownCandidate, ownShapeReader } from "./own-shape.ts";

export const FileSettings = z
  .strictObject({
    from: z.literal("file"),
    path: z.string().min(1).describe("Path of a JSON file, relative to the settings file"),
    fields,
    schedule: ownSchedule,
  })
  .describe("A JSON file, in Vitrine's own shape or any other");

const MAX_READING_MS = 30_000;

export function openFile(settings: z.infer<typeof FileSettings>, { names, directory }: SourceContext): Source {
  requireMatchingFields(names, settings.fields);
  return {
    kind: "file",
    names,
    async fetch({ signal }) {
      const body = { body: await underWay(read(resolve(directory, settings.path), signal)), contentType: "a file" };
      const selection = { names, at: { pointer: "", fields: settings.fields } };
      return { upstream: await readInTime(ownShapeReader, body, { selection, deadline: MAX_READING_MS, signal }) };
    },
    translate: ownCandidate,
  };
}

async function read(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new UpstreamError("the file is not a regular file");
    if (stats.size > MAX_BYTES) throw new UpstreamError(`the file has more than ${MAX_BYTES / MIB} MiB`);
    return await readFile(path, { signal });
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    const code = errorCode(error) ?? "unknown error";
    const problem = code === "ENOENT" ? "the file does not exist" : `the file cannot be read (${code})`;
    throw new UpstreamError(problem, { cause: error });
  }
}
