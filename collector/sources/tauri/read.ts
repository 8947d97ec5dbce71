// What Tauri's updater reads: latest.json, with a link for each target or, from a server that was asked for one, one link.
import * as z from "zod";
import type { TypedText } from "../../http/fetch.ts";
import { parseJson } from "../../parsing/json.ts";
import { checkShape, optionalText, notes } from "../../parsing/shape.ts";

const MOST_TARGETS = 200;

const Feed = z.object({
  version: z.string(),
  notes,
  pub_date: optionalText,
  url: optionalText,
  platforms: z
    .record(z.string(), z.object({ url: z.string() }))
    .refine((targets) => Object.keys(targets).length <= MOST_TARGETS, `must have at most ${MOST_TARGETS} entries`)
    .nullish()
    .transform((targets) => Object.entries(targets ?? {}).map(([target, { url }]) => ({ target, url }))),
});

export type TauriFeed = z.infer<typeof Feed>;

/** @throws UpstreamError */
export function readFeed(text: TypedText): TauriFeed {
  return checkShape(Feed, parseJson(text), "a feed of Tauri");
}
