// A Sparkle appcast: RSS with elements in Sparkle's namespace, under any prefix.
import * as z from "zod";
import type { TypedText } from "../../http/fetch.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import { fileName } from "../../releases/release.ts";
import { newestFirst } from "../../releases/version.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "../../parsing/xml.ts";
import { changelogText } from "../../parsing/normalize.ts";
import { htmlText } from "../../parsing/html.ts";
import { checkShape, cutNotes, linkText, listOf, MAX_NAMES, NEWEST_ITEMS, shortText } from "../../parsing/shape.ts";
import { KIB, MIB, type DocumentReader } from "../fetch-document.ts";

const PREFIXES = new Map([["http://www.andymatuschak.org/xml-namespaces/sparkle", "sparkle"]]);
const MAX_ITEMS = 20_000;

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

/** Reads the newest items. */
export const sparkleReader: DocumentReader<AppcastItem[]> = {
  name: "sparkle",
  maxInPlace: 16 * KIB,
  maxBytes: 10 * MIB,
  read: (text) => newestItems(parseXml(text, PREFIXES), text),
};

function newestItems(rss: XmlElement | undefined, { type, bytes }: TypedText): AppcastItem[] {
  const [channel] = rss?.name === "rss" ? childrenOf(rss, "channel") : [];
  if (!channel) throw new UpstreamError(`not an appcast: ${type}, ${bytes} bytes`);
  const items = childrenOf(channel, "item");
  if (items.length > MAX_ITEMS) throw new UpstreamError(`an appcast of more than ${MAX_ITEMS} items`);
  const read = items.map(readItem);
  const newest = read.length <= NEWEST_ITEMS ? read : newestFirst(read, ({ build }) => build).slice(0, NEWEST_ITEMS);
  return checkShape(AppcastItems, newest, "an appcast");
}

function readItem(item: XmlElement): z.input<typeof AppcastItem> {
  const enclosures = childrenOf(item, "enclosure");
  /** Old appcasts have it on the enclosure. */
  const either = (name: string) =>
    textOf(item, name) ?? enclosures.map((enclosure) => textOf(enclosure, `@${name}`)).find(Boolean) ?? "";
  const [description] = childrenOf(item, "description");
  // HTML unless it declares another format, as in Sparkle.
  const isHtml = !/^(plain-text|markdown)$/.test(textOf(description, "@sparkle:format") ?? "");
  const notes = cutNotes(description?.text ?? "");
  const build = either("sparkle:version");
  const [information] = childrenOf(item, "sparkle:informationalUpdate");
  return {
    build,
    version: either("sparkle:shortVersionString") || build,
    channel: textOf(item, "sparkle:channel"),
    date: textOf(item, "pubDate") ?? "",
    notes: changelogText(isHtml ? htmlText(notes) : notes),
    areNotesElsewhere: description === undefined && textOf(item, "sparkle:releaseNotesLink") !== undefined,
    critical: criticality(item),
    isInformation: information?.children.length === 0,
    isForOldSystems: textOf(item, "sparkle:maximumSystemVersion") !== undefined,
    enclosures: enclosures.map((enclosure) => ({
      url: textOf(enclosure, "@url") ?? "",
      length: textOf(enclosure, "@length") ?? "",
      // Android appcasts write it without the prefix.
      os: textOf(enclosure, "@sparkle:os") ?? textOf(enclosure, "@os") ?? "",
      isDelta: textOf(enclosure, "@sparkle:deltaFrom") !== undefined,
    })),
  };
}

function criticality(item: XmlElement): AppcastItem["critical"] {
  const [mark] = childrenOf(item, "sparkle:criticalUpdate");
  if (mark) return textOf(mark, "@sparkle:version") ? "versioned" : "yes";
  const [tags] = childrenOf(item, "sparkle:tags");
  return textOf(tags, "sparkle:criticalUpdate") === undefined ? "no" : "yes";
}
