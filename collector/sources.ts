// Every kind of source there is. A new one is a file in sources/, a line in SourceSettings and a line in openSource.
import { z } from "zod";
import type { SnapshotName } from "../snapshots/snapshot.ts";
import type { Environment } from "./secrets.ts";
import type { Source } from "./source.ts";
import { FileSettings, openFile } from "./sources/file.ts";
import { JsonSettings, openJson } from "./sources/json.ts";

export const SourceSettings = z.discriminatedUnion("from", [FileSettings, JsonSettings]).meta({ id: "source" });
export type SourceSettings = z.infer<typeof SourceSettings>;

export interface SourceContext {
  /** The snapshots that the source is to fill. */
  names: readonly SnapshotName[];
  /** What relative paths are relative to. */
  directory: string;
  environment: Environment;
}

/** @throws Error when an environment variable is missing. */
export function openSource(settings: SourceSettings, context: SourceContext): Source {
  switch (settings.from) {
    case "file":
      return openFile(settings, context);
    case "json":
      return openJson(settings, context);
  }
}
