// What electron-builder writes for its updater: latest.yml, latest-mac.yml.
import * as z from "zod";
import type { TypedText } from "../../http/fetch.ts";
import { parseYaml } from "../../parsing/yaml.ts";
import { checkShape, listOf, optionalText, notes } from "../../parsing/shape.ts";

const Feed = z.object({
  version: z.string(),
  files: listOf(z.object({ url: z.string(), size: z.unknown().optional() }), 1_000).nullish(),
  /** The one file of old feeds, which had no list. */
  path: optionalText,
  releaseDate: optionalText,
  releaseNotes: z.union([notes, listOf(z.object({ version: z.string(), note: notes }), 1_000)]),
});

export type ElectronFeed = z.infer<typeof Feed>;

/** @throws UpstreamError */
export function readFeed(text: TypedText): ElectronFeed {
  return checkShape(Feed, parseYaml(text), "a feed of electron-builder");
}
