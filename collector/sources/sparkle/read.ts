// A Sparkle appcast: RSS with elements in Sparkle's namespace, under any prefix.
import type { TypedText } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { newestFirst } from "../../releases/version.ts";
import { parseXml, xmlText } from "../../parsing/xml.ts";
import { changelogText } from "../../parsing/normalize.ts";
import { htmlText } from "../../parsing/html.ts";
import { cutNotes, NEWEST_ITEMS } from "../../parsing/shape.ts";
import { KIB, MIB, type DocumentReader } from "../fetch-document.ts";

const NAMESPACE = "http://www.andymatuschak.org/xml-namespaces/sparkle";
const MAX_ITEMS = 5_000;

export interface AppcastItem {
  /** Build version, which orders the items; `""` if the item has none. */
  build: string;
  /** The version that users see. */
  version: string;
  channel: string | undefined;
  date: string;
  /** Plain text. */
  notes: string;
  /** True if the item only links to its notes. */
  areNotesElsewhere: boolean;
  /** `versioned`: critical only for updates from certain older versions. */
  critical: "no" | "yes" | "versioned";
  /** True if there is nothing to install, on any version. */
  isInformation: boolean;
  /** True if it has a maximum system version. */
  isForOldSystems: boolean;
  enclosures: { url: string; length: string; os: string; isDelta: boolean }[];
}

type Node = Record<string, unknown>;

/** Reads the newest items. XML takes about a second per MiB. */
export const sparkleReader: DocumentReader<AppcastItem[]> = {
  name: "sparkle",
  maxInPlace: 8 * KIB,
  maxBytes: 4 * MIB,
  read: async (text) => newestItems(await parseXml(text), text),
};

function newestItems(document: unknown, { type, bytes }: TypedText): AppcastItem[] {
  const rss = nodeOf(nodeOf(document)?.rss);
  const channel = nodeOf(rss?.channel);
  if (!rss || !channel) throw new UpstreamError(`not an appcast: ${type}, ${bytes} bytes`);
  const items = listOf(channel.item);
  if (items.length > MAX_ITEMS) throw new UpstreamError(`an appcast of more than ${MAX_ITEMS} items`);
  const prefix = prefixOf(rss) ?? prefixOf(channel) ?? "sparkle";
  const read = items.map((item) => readItem(nodeOf(item) ?? {}, (name) => `${prefix}:${name}`));
  return read.length <= NEWEST_ITEMS ? read : newestFirst(read, ({ build }) => build).slice(0, NEWEST_ITEMS);
}

function readItem(item: Node, own: (name: string) => string): AppcastItem {
  const enclosures = listOf(item.enclosure).map((enclosure) => nodeOf(enclosure) ?? {});
  /** Old appcasts have it on the enclosure. */
  const either = (name: string) =>
    xmlText(item[own(name)]) ?? enclosures.map((enclosure) => xmlText(enclosure[`@${own(name)}`])).find(Boolean) ?? "";
  const description = listOf(item.description)[0];
  // HTML unless it declares another format, as in Sparkle.
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
      // Android appcasts write it without the prefix.
      os: xmlText(enclosure[`@${own("os")}`]) ?? xmlText(enclosure["@os"]) ?? "",
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
