// A Sparkle appcast: RSS with elements in Sparkle's namespace, under any prefix.
import * as z from "zod";
import type { TypedText } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { fileName } from "../../releases/release.ts";
import { newestFirst } from "../../releases/version.ts";
import { parseXml, xmlText } from "../../parsing/xml.ts";
import { changelogText } from "../../parsing/normalize.ts";
import { htmlText } from "../../parsing/html.ts";
import { checkShape, cutNotes, linkText, listOf, MAX_NAMES, NEWEST_ITEMS, shortText } from "../../parsing/shape.ts";
import { KIB, MIB, type DocumentReader } from "../fetch-document.ts";

const NAMESPACE = "http://www.andymatuschak.org/xml-namespaces/sparkle";
const MAX_ITEMS = 5_000;

const MAX_ENCLOSURES = 1_000;

const AppcastItem = z.object({
  /** Build version, which orders the items; `""` if the item has none. */
  build: shortText,
  /** The version that users see. */
  version: shortText,
  channel: shortText.optional(),
  date: shortText,
  /** Plain text. */
  notes: z.string(),
  /** True if the item only links to its notes. */
  areNotesElsewhere: z.boolean(),
  /** `versioned`: critical only for updates from certain older versions. */
  critical: z.enum(["no", "yes", "versioned"]),
  /** True if there is nothing to install, on any version. */
  isInformation: z.boolean(),
  /** True if it has a maximum system version. */
  isForOldSystems: z.boolean(),
  enclosures: listOf(
    z.object({ url: linkText, length: shortText, os: shortText, isDelta: z.boolean() }),
    MAX_ENCLOSURES,
  ),
});
export type AppcastItem = z.infer<typeof AppcastItem>;
const AppcastItems = z.array(AppcastItem).refine((items) => {
  const names = items.flatMap(({ enclosures }) => enclosures.map(({ os, url }) => os + fileName(url)));
  return names.reduce((sum, { length }) => sum + length, 0) <= MAX_NAMES;
}, `must have at most ${MAX_NAMES} characters in the names of files`);

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
  const items = nodesOf(channel.item);
  if (items.length > MAX_ITEMS) throw new UpstreamError(`an appcast of more than ${MAX_ITEMS} items`);
  const prefix = prefixOf(rss) ?? prefixOf(channel) ?? "sparkle";
  const read = items.map((item) => readItem(nodeOf(item) ?? {}, (name) => `${prefix}:${name}`));
  const newest = read.length <= NEWEST_ITEMS ? read : newestFirst(read, ({ build }) => build).slice(0, NEWEST_ITEMS);
  return checkShape(AppcastItems, newest, "an appcast");
}

function readItem(item: Node, own: (name: string) => string): z.input<typeof AppcastItem> {
  const enclosures = nodesOf(item.enclosure).map((enclosure) => nodeOf(enclosure) ?? {});
  /** Old appcasts have it on the enclosure. */
  const either = (name: string) =>
    xmlText(item[own(name)]) ?? enclosures.map((enclosure) => xmlText(enclosure[`@${own(name)}`])).find(Boolean) ?? "";
  const description = nodesOf(item.description)[0];
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
  const [mark] = nodesOf(item[name]);
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

function nodesOf(value: unknown): unknown[] {
  return value === undefined ? [] : [value].flat();
}
