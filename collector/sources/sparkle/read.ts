// An appcast: RSS with elements of Sparkle's namespace, whatever prefix it has in this document.
import type { TypedText } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { newestFirst } from "../../releases/version.ts";
import { parseXml, xmlText } from "../../parsing/xml.ts";
import { changelogText } from "../../parsing/normalize.ts";
import { htmlText } from "../../parsing/html.ts";
import { cutNotes, NEWEST_ITEMS } from "../../parsing/shape.ts";

const NAMESPACE = "http://www.andymatuschak.org/xml-namespaces/sparkle";
const MOST_ITEMS = 5_000;

export interface AppcastItem {
  /** Version of the build, by which items are ordered; `""` when the item does not say. */
  build: string;
  /** Version for people. */
  version: string;
  channel: string | undefined;
  date: string;
  /** As plain text. */
  notes: string;
  /** True when the notes stand elsewhere, behind a link. */
  areNotesElsewhere: boolean;
  /** `versioned`: critical for those who have some version or an older one. */
  critical: "no" | "yes" | "versioned";
  /** True when the item only informs, for everybody. */
  isInformation: boolean;
  /** True when it is for old systems only. */
  isForOldSystems: boolean;
  enclosures: { url: string; length: string; os: string; isDelta: boolean }[];
}

type Node = Record<string, unknown>;

/** The newest items. @throws UpstreamError */
export function readFeed(text: TypedText): AppcastItem[] {
  const rss = nodeOf(nodeOf(parseXml(text))?.rss);
  const channel = nodeOf(rss?.channel);
  if (!rss || !channel) throw new UpstreamError(`not an appcast: ${text.type}, ${text.bytes} bytes`);
  const items = listOf(channel.item);
  if (items.length > MOST_ITEMS) throw new UpstreamError(`an appcast of more than ${MOST_ITEMS} items`);
  const prefix = prefixOf(rss) ?? prefixOf(channel) ?? "sparkle";
  const read = items.map((item) => readItem(nodeOf(item) ?? {}, (name) => `${prefix}:${name}`));
  return read.length <= NEWEST_ITEMS ? read : newestFirst(read, ({ build }) => build).slice(0, NEWEST_ITEMS);
}

function readItem(item: Node, own: (name: string) => string): AppcastItem {
  const enclosures = listOf(item.enclosure).map((enclosure) => nodeOf(enclosure) ?? {});
  /** Old appcasts say it on the enclosure. */
  const either = (name: string) =>
    xmlText(item[own(name)]) ?? enclosures.map((enclosure) => xmlText(enclosure[`@${own(name)}`])).find(Boolean) ?? "";
  const description = listOf(item.description)[0];
  // What does not say otherwise is HTML, to Sparkle too.
  const isHtml = !/^(plain-text|markdown)$/.test(xmlText(nodeOf(description)?.[`@${own("format")}`]) ?? "");
  const notes = cutNotes(xmlText(description) ?? "");
  const build = either("version");
  return {
    build,
    version: either("shortVersionString") || build,
    channel: xmlText(item[own("channel")]),
    date: xmlText(item.pubDate) ?? "",
    notes: changelogText(isHtml ? htmlText(notes) : notes),
    areNotesElsewhere: description === undefined && item[own("releaseNotesLink")] !== undefined,
    critical: criticality(item, own),
    isInformation: own("informationalUpdate") in item && !nodeOf(item[own("informationalUpdate")]),
    isForOldSystems: own("maximumSystemVersion") in item,
    enclosures: enclosures.map((enclosure) => ({
      url: xmlText(enclosure["@url"]) ?? "",
      length: xmlText(enclosure["@length"]) ?? "",
      os: xmlText(enclosure[`@${own("os")}`]) ?? "",
      isDelta: `@${own("deltaFrom")}` in enclosure,
    })),
  };
}

function criticality(item: Node, own: (name: string) => string): AppcastItem["critical"] {
  const name = own("criticalUpdate");
  const [mark] = listOf(item[name]);
  if (mark === undefined) return name in (nodeOf(item[own("tags")]) ?? {}) ? "yes" : "no";
  return xmlText(nodeOf(mark)?.[`@${own("version")}`]) ? "versioned" : "yes";
}

function prefixOf(element: Node): string | undefined {
  const declared = Object.entries(element).find(([name, value]) => name.startsWith("@xmlns:") && value === NAMESPACE);
  return declared?.[0].slice("@xmlns:".length);
}

function nodeOf(value: unknown): Node | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : undefined;
}

function listOf(value: unknown): unknown[] {
  return value === undefined ? [] : [value].flat();
}
