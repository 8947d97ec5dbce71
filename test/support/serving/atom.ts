// A strict reader of Atom (RFC 4287): requires every part that the specification requires, and refuses unknown ones.
// Entities are resolved, so the texts are as a person would see them.
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect } from "vitest";
import * as z from "zod";

// RFC 3339, 5.6, as RFC 4287, 3.3 narrows it.
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
// 4.2.6: an absolute URI, in its normal form.
const id = z.string().regex(/^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/);
const link = z.strictObject({ "@rel": z.string(), "@type": z.string().includes("/"), "@href": z.url() });
const text = z.string().min(1);

const AtomEntry = z.strictObject({
  id,
  title: text,
  published: time,
  updated: time,
  link: z.array(link).min(1),
  content: z.strictObject({ "@type": z.literal("text"), "#text": text }),
});
const AtomFeed = z.strictObject({
  "@xmlns": z.literal("http://www.w3.org/2005/Atom"),
  id,
  title: text,
  subtitle: text,
  updated: time,
  // 4.1.1: required in the feed because the entries have none.
  author: z.strictObject({ name: text }),
  link: z.array(link),
  entry: z.array(AtomEntry).default([]),
});
export type AtomFeed = z.infer<typeof AtomFeed>;

const LISTS = new Set(["feed.link", "feed.entry", "feed.entry.link"]);

/** @throws Error if it is not valid Atom. */
export function readAtom(xml: string): AtomFeed {
  expect(XMLValidator.validate(xml)).toBe(true);
  // XML 1.0, 2.2.
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseTagValue: false,
    trimValues: false,
    htmlEntities: true,
    ignoreDeclaration: true,
    isArray: (_, path) => LISTS.has(String(path)),
  });
  const { feed, ...others } = z.looseObject({ feed: z.looseObject({}) }).parse(parser.parse(withoutIndentation(xml)));
  expect(others).toEqual({});
  const read = AtomFeed.parse(feed);
  for (const { link } of [read, ...read.entry]) {
    const alternates = link.filter((one) => one["@rel"] === "alternate").map((one) => one["@type"]);
    // 4.1.1 and 4.1.2: at most one of each type.
    expect(new Set(alternates).size).toBe(alternates.length);
  }
  expect(read.link.filter((one) => one["@rel"] === "self")).toHaveLength(1);
  expect(new Set(read.entry.map((entry) => entry.id)).size).toBe(read.entry.length);
  return read;
}

/** Removes white space between elements, but not within texts. */
function withoutIndentation(xml: string): string {
  return xml.replaceAll(/>\n+</g, "><");
}
