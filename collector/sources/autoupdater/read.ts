// The XML document of AutoUpdater.NET, which describes the newest release.
import * as z from "zod";
import { checkShape, linkText, shortText } from "../../parsing/shape.ts";
import { parseXml, xmlText } from "../../parsing/xml.ts";
import { KIB, MIB, type DocumentReader } from "../fetch-document.ts";

const element = z
  .unknown()
  .optional()
  .refine((value) => !Array.isArray(value), "must occur once");
const required = (text: z.ZodType<string, string>) =>
  element.transform((value) => xmlText(value) ?? "").pipe(text.refine((value) => value !== "", "is missing"));
const Attributes = z.object({ "@minVersion": z.string().optional() });

const AutoUpdaterDocument = z.object({
  item: z.object({
    version: required(shortText),
    url: required(linkText),
    /** A link; true if there is one. */
    changelog: element.transform((value) => Boolean(xmlText(value))),
    mandatory: element
      .transform((value) => ({
        isSet: /^(?:true|1)$/i.test(xmlText(value) ?? ""),
        minVersion: Attributes.safeParse(value).data?.["@minVersion"]?.trim() ?? "",
      }))
      .pipe(
        z.object({
          isSet: z.boolean(),
          /** Mandatory only for installed versions below this one; `""` if for all. */
          minVersion: shortText,
        }),
      ),
  }),
});
export type AutoUpdaterDocument = z.infer<typeof AutoUpdaterDocument>;

export const autoupdaterReader: DocumentReader<AutoUpdaterDocument> = {
  name: "autoupdater",
  maxInPlace: 8 * KIB,
  maxBytes: MIB,
  read: async (text) => checkShape(AutoUpdaterDocument, await parseXml(text), "a document of AutoUpdater.NET"),
};
