// The XML document of AutoUpdater.NET, which describes the newest release.
import * as z from "zod";
import { checkShape } from "../../parsing/shape.ts";
import { parseXml, xmlText } from "../../parsing/xml.ts";
import { KIB, MIB, type DocumentReader } from "../fetch-document.ts";

const element = z
  .unknown()
  .optional()
  .refine((value) => !Array.isArray(value), "must occur once");
const text = element.transform((value) => xmlText(value) ?? "");
const requiredText = text.refine((value) => value !== "", "is missing");
const WithMinVersion = z.object({ "@minVersion": z.string() });

const AutoUpdaterDocument = z.object({
  item: z.object({
    version: requiredText,
    url: requiredText,
    /** A link. */
    changelog: text,
    mandatory: element.transform((value) => ({
      isSet: /^(?:true|1)$/i.test(xmlText(value) ?? ""),
      /** Mandatory only for installed versions below this one; `""` if for all. */
      minVersion: WithMinVersion.safeParse(value).data?.["@minVersion"].trim() ?? "",
    })),
  }),
});
export type AutoUpdaterDocument = z.infer<typeof AutoUpdaterDocument>;

export const autoupdaterReader: DocumentReader<AutoUpdaterDocument> = {
  name: "autoupdater",
  maxInPlace: 8 * KIB,
  maxBytes: MIB,
  read: async (text) => checkShape(AutoUpdaterDocument, await parseXml(text), "a document of AutoUpdater.NET"),
};
