// latest.yml and latest-mac.yml, as electron-builder writes them for its updater.
import * as z from "zod";
import { checkShape, linkText, listOf, notes, optionalLink, optionalText, shortText } from "../../parsing/shape.ts";
import { parseYaml } from "../../parsing/yaml.ts";
import { KIB, MIB, type DocumentReader } from "../fetch-document.ts";

const ElectronBuilderDocument = z.object({
  version: shortText,
  files: listOf(z.object({ url: linkText, size: z.unknown().optional() }), 1_000).nullish(),
  /** The only file of old documents, which have no list. */
  path: optionalLink,
  releaseDate: optionalText,
  releaseNotes: z.union([notes, listOf(z.object({ version: shortText, note: notes }), 1_000)]),
});
export type ElectronBuilderDocument = z.infer<typeof ElectronBuilderDocument>;

export const electronBuilderReader: DocumentReader<ElectronBuilderDocument> = {
  name: "electron-builder",
  maxInPlace: 4 * KIB,
  maxBytes: MIB,
  read: async (text) => checkShape(ElectronBuilderDocument, await parseYaml(text), "an electron-builder update feed"),
};
