// Parses XML from an upstream: well-formed, of limited depth, and without a DOCTYPE, so that the only entities are
// XML's own five and character numbers. Every value is a text.
import { decodeEntities } from "./html.ts";
import type { TypedText } from "../http/fetch.ts";
import { UpstreamError } from "../http/upstream-error.ts";

/** An element without attributes and children becomes its text. Any other becomes an object: attributes under "@name",
 * children under their names (as a list if several), text under "#text" and "#cdata". `xmlText` decodes the entities.
 * @throws UpstreamError */
export async function parseXml({ text, type, bytes }: TypedText): Promise<unknown> {
  if (hasDoctype(text)) throw new UpstreamError(`XML with a DOCTYPE, which is refused: ${type}, ${bytes} bytes`);
  // Loaded on first use: most collectors read no XML.
  const { XMLParser } = await import("fast-xml-parser");
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    cdataPropName: "#cdata",
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    ignorePiTags: true,
    maxNestedTags: 50,
  });
  try {
    return parser.parse(text.replace(/^\uFEFF/, "").trimStart(), true);
  } catch (error) {
    throw new UpstreamError(`not well-formed XML: ${type}, ${bytes} bytes`, { cause: error });
  }
}

/** The text of an element or attribute from `parseXml`; undefined if there is none. */
export function xmlText(value: unknown): string | undefined {
  if (typeof value === "string") return decodeEntities(value, true).trim();
  if (Array.isArray(value)) return xmlText(value[0]);
  if (typeof value !== "object" || value === null) return undefined;
  const { "#text": text = "", "#cdata": cdata = [] } = value as { "#text"?: unknown; "#cdata"?: unknown };
  const literal = [cdata].flat().filter((part) => typeof part === "string");
  return `${typeof text === "string" ? decodeEntities(text, true) : ""}${literal.join("")}`.trim();
}

/** True for a DOCTYPE outside comments and CDATA. */
function hasDoctype(text: string): boolean {
  for (let at = text.indexOf("<!"); at !== -1; at = text.indexOf("<!", at + 2)) {
    if (text.slice(at, at + 9).toUpperCase() === "<!DOCTYPE") return true;
    const end = text.startsWith("<!--", at) ? "-->" : text.startsWith("<![CDATA[", at) ? "]]>" : undefined;
    if (end === undefined) continue;
    at = text.indexOf(end, at + 4);
    if (at === -1) return false;
  }
  return false;
}
