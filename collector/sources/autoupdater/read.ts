// The XML document of AutoUpdater.NET, which describes the newest release.
import * as z from "zod";
import { checkShape, linkText, shortText } from "../../parsing/shape.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "../../parsing/xml.ts";
import { KIB, MIB, type DocumentReader } from "../fetch-document.ts";

const single = z.array(z.custom<XmlElement>()).max(1, "must occur once");
const text = single.transform(([element]) => element?.text ?? "");
const required = (schema: z.ZodType<string, string>) => text.pipe(schema.refine((value) => value !== "", "is missing"));

const AutoUpdaterDocument = z.object({
  item: z.object({
    version: required(shortText),
    url: required(linkText),
    /** A link; true if there is one. */
    changelog: text.transform(Boolean),
    mandatory: single
      .transform(([mark]) => ({
        isSet: /^(?:true|1)$/i.test(mark?.text ?? ""),
        minVersion: textOf(mark, "@minVersion") ?? "",
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
  maxInPlace: 16 * KIB,
  maxBytes: MIB,
  read: (text) => checkShape(AutoUpdaterDocument, fieldsOf(parseXml(text)), "a document of AutoUpdater.NET"),
};

function fieldsOf(root: XmlElement | undefined): unknown {
  if (root?.name !== "item") return {};
  const named = (name: string) => childrenOf(root, name);
  return {
    item: {
      version: named("version"),
      url: named("url"),
      changelog: named("changelog"),
      mandatory: named("mandatory"),
    },
  };
}
