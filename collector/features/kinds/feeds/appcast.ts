// Reads an appcast, which is RSS with elements in Sparkle's namespace, into its newest items.
import * as z from "zod";
import { ARCHITECTURES, architectureOf, wordsOf } from "../../../../snapshots/processors.ts";
import { UpstreamError } from "../../../http/errors.ts";
import type { TypedText } from "../../../http/fetch.ts";
import { fileName } from "../../../parsing/link.ts";
import type { Read } from "../../../source.ts";
import { newestFirst } from "../../versions/version.ts";
import { timeOf } from "../releases/date.ts";
import { checkShape, cutNotes, linkText, listOf, MAX_NAMES, notIn, shortText, statedText } from "../shape.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "./xml.ts";

const MAX_ENCLOSURES = 1_000;

const AppcastItem = z.object({
  /** The build version orders the items; `""` if the item has none. */
  build: shortText,
  version: shortText,
  /** It is for those who have asked for this channel; undefined if it is for all. */
  channel: shortText.optional(),
  date: shortText,
  /** In ms since the epoch; undefined if the date cannot be read. */
  time: z.number().optional(),
  notes: z.string(),
  format: z.string(),
  /** True if the item only links to its notes. */
  areNotesElsewhere: z.boolean(),
  /** `versioned`: it is critical only for updates from certain older versions. */
  critical: z.enum(["no", "yes", "versioned"]),
  /** True if there is nothing to install, on any version. */
  isInformation: z.boolean(),
  /** True if it has a maximum system version. */
  isForOldSystems: z.boolean(),
  enclosures: listOf(
    z.object({
      url: linkText,
      size: shortText,
      os: shortText,
      isDelta: z.boolean(),
      /** The processors that it needs, if the item says so. */
      arch: z.enum(ARCHITECTURES).optional(),
      signature: statedText,
    }),
    MAX_ENCLOSURES,
  ),
});
export type AppcastItem = z.infer<typeof AppcastItem>;
const AppcastItems = z.array(AppcastItem).refine((items) => {
  const names = items.flatMap(({ enclosures }) => enclosures.map(({ os, url }) => os + fileName(url)));
  return names.reduce((sum, { length }) => sum + length, 0) <= MAX_NAMES;
}, `must have at most ${MAX_NAMES} characters in the names of files`);

export const readSparkle: Read<AppcastItem[]> = (text) => newestItems(parseXml(text, PREFIXES), text);

/** A document may use any prefix for the namespace. */
const PREFIXES = new Map([["http://www.andymatuschak.org/xml-namespaces/sparkle", "sparkle"]]);
const MAX_ITEMS = 20_000;
/** Only the newest builds are examined; examining thousands would block the process. */
export const NEWEST_ITEMS = 500;

function newestItems(rss: XmlElement | undefined, text: TypedText): AppcastItem[] {
  const [channel] = rss?.name === "rss" ? childrenOf(rss, "channel") : [];
  if (!channel) throw new UpstreamError(notIn("an appcast", text));
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
  const build = either("sparkle:version");
  const arch = architectureOf(wordsOf(textOf(item, "sparkle:hardwareRequirements") ?? ""));
  const date = textOf(item, "pubDate") ?? "";
  const [information] = childrenOf(item, "sparkle:informationalUpdate");
  return {
    build,
    version: either("sparkle:shortVersionString") || build,
    channel: textOf(item, "sparkle:channel") || undefined,
    date,
    time: timeOf(date),
    notes: cutNotes(description?.text ?? ""),
    format: textOf(description, "@sparkle:format") ?? "",
    areNotesElsewhere: description === undefined && textOf(item, "sparkle:releaseNotesLink") !== undefined,
    critical: criticality(item),
    isInformation: information?.children.length === 0,
    isForOldSystems: textOf(item, "sparkle:maximumSystemVersion") !== undefined,
    enclosures: enclosures.map((enclosure) => ({
      url: textOf(enclosure, "@url") ?? "",
      size: textOf(enclosure, "@length") ?? "",
      // Android appcasts write it without the prefix.
      os: textOf(enclosure, "@sparkle:os") ?? textOf(enclosure, "@os") ?? "",
      isDelta: textOf(enclosure, "@sparkle:deltaFrom") !== undefined,
      ...(arch !== "unmarked" && { arch }),
      signature: textOf(enclosure, "@sparkle:edSignature") ?? textOf(enclosure, "@sparkle:dsaSignature"),
    })),
  };
}

function criticality(item: XmlElement): AppcastItem["critical"] {
  const [mark] = childrenOf(item, "sparkle:criticalUpdate");
  if (mark) return textOf(mark, "@sparkle:version") ? "versioned" : "yes";
  const [tags] = childrenOf(item, "sparkle:tags");
  return textOf(tags, "sparkle:criticalUpdate") === undefined ? "no" : "yes";
}
