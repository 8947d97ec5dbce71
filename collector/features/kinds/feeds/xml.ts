// Parses XML from an upstream: well-formed, of limited depth and in bounded memory, and without a DOCTYPE, so that the only entities are
// XML's own five and character numbers.
import { SaxesParser } from "saxes";
import type { TypedText } from "../../../http/fetch.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { notIn } from "../shape.ts";

const MAX_DEPTH = 50;
const MAX_NODES = 500_000;

/** An element; or an attribute, as a child that is called "@name". */
export interface XmlElement {
  name: string;
  /** The text without entities, CDATA marks and surrounding white space. An element's children have their own. */
  text: string;
  children: XmlElement[];
}

/** Returns the root element. `prefixes`: by which prefix to call names in a namespace, by its URI; in others they keep their
 * own. @throws UpstreamError */
export function parseXml(answer: TypedText, prefixes?: ReadonlyMap<string, string>): XmlElement | undefined {
  const { text, type, bytes } = answer;
  const parser = new SaxesParser({ xmlns: true, position: false, resolvePrefix: (prefix: string) => prefix });
  const nameOf = ({ prefix, local, uri }: { prefix: string; local: string; uri: string }) =>
    prefix === "" ? local : `${prefixes?.get(uri) ?? prefix}:${local}`;
  const document: XmlElement = { name: "", text: "", children: [] };
  const open = [document];
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  let nodes = 0;
  const count = () => {
    if (++nodes > MAX_NODES) throw new UpstreamError(`XML of more than ${MAX_NODES} elements and attributes`);
  };
  parser.on("attribute", count);
  parser.on("doctype", () => {
    const isPage = type === "text/html";
    throw new UpstreamError(
      isPage ? notIn("XML", answer) : `XML with a DOCTYPE, which is refused: ${type}, ${bytes} bytes`,
    );
  });
  parser.on("opentag", (tag) => {
    count();
    if (open.length > MAX_DEPTH) throw new UpstreamError("XML nested too deeply");
    const attributes = Object.values(tag.attributes);
    const children = attributes.map((attribute) => ({
      name: `@${nameOf(attribute)}`,
      text: attribute.value.trim(),
      children: [],
    }));
    const element = { name: nameOf(tag), text: "", children };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = open.pop();
    if (element) element.text = element.text.trim();
  });
  try {
    parser.write(text.replace(/^\uFEFF/, "").trimStart()).close();
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError(notIn("well-formed XML", answer), { cause: error });
  }
  return document.children[0];
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The text of the first child of this name; undefined if there is none. */
export function textOf(element: XmlElement | undefined, name: string): string | undefined {
  return element?.children.find((child) => child.name === name)?.text;
}
