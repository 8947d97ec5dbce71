// latest.json of Tauri's updater: a link for each target, or one link in a server's response for a single target.
import * as z from "zod";
import { parseJson } from "../../parsing/json.ts";
import { checkShape, linkText, notes, optionalLink, optionalText, shortText } from "../../parsing/shape.ts";
import { KIB, MIB, type DocumentReader } from "../fetch-document.ts";

const MAX_TARGETS = 200;

const TauriDocument = z.object({
  version: shortText,
  notes,
  pub_date: optionalText,
  url: optionalLink,
  platforms: z
    .record(shortText, z.object({ url: linkText }))
    .refine((targets) => Object.keys(targets).length <= MAX_TARGETS, `must have at most ${MAX_TARGETS} entries`)
    .nullish()
    .transform((targets) => Object.entries(targets ?? {}).map(([target, { url }]) => ({ target, url }))),
});
export type TauriDocument = z.infer<typeof TauriDocument>;

export const tauriReader: DocumentReader<TauriDocument> = {
  name: "tauri",
  maxInPlace: 128 * KIB,
  maxBytes: MIB,
  read: (text) => checkShape(TauriDocument, parseJson(text), "a Tauri update feed"),
};
