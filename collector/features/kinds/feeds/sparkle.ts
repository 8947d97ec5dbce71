// Source `sparkle`: an appcast of Sparkle (macOS) or WinSparkle (Windows), which is RSS with elements in Sparkle's namespace.
// Items are ordered by build version and published under the version that users see.
import * as z from "zod";
import type { Platform } from "../../../../snapshots/schema.ts";
import { UpstreamError } from "../../../http/errors.ts";
import type { TypedText } from "../../../http/fetch.ts";
import { htmlText } from "../html.ts";
import { markdownText } from "../releases/markdown.ts";
import { fileName } from "../../../parsing/link.ts";
import { changelogText, checkShape, cutNotes, linkText, listOf, MAX_NAMES, shortText, statedText } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "./xml.ts";
import { chooseInstaller, settle } from "../releases/installer.ts";
import { linkedFrom, linkFrom } from "../releases/file-name.ts";
import { noRelease, releaseCandidate } from "../releases/release.ts";
import { restartsAfter } from "../releases/rivals.ts";
import { compareVersions, newest, newestFirst, type DatedVersion } from "../../versions/version.ts";
import type { Read } from "../../../source.ts";
import { feedKind, feedSettings } from "../kinds.ts";

const MAX_ENCLOSURES = 1_000;

const AppcastItem = z.object({
  /** The build version orders the items; `""` if the item has none. */
  build: shortText,
  version: shortText,
  channel: shortText.optional(),
  date: shortText,
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
      arch: z.literal("arm64").optional(),
      signature: statedText,
    }),
    MAX_ENCLOSURES,
  ),
});
type AppcastItem = z.infer<typeof AppcastItem>;
const AppcastItems = z.array(AppcastItem).refine((items) => {
  const names = items.flatMap(({ enclosures }) => enclosures.map(({ os, url }) => os + fileName(url)));
  return names.reduce((sum, { length }) => sum + length, 0) <= MAX_NAMES;
}, `must have at most ${MAX_NAMES} characters in the names of files`);

export const readSparkle: Read<AppcastItem[]> = (text) => newestItems(parseXml(text, PREFIXES), text);

export const sparkle = feedKind({
  settings: z
    .strictObject({
      from: z.literal("sparkle"),
      ...feedSettings("URL of the appcast, such as https://acme.com/appcast.xml"),
      force: z
        .literal("critical", 'must be "critical"')
        .optional()
        .describe("critical: updates that the appcast marks as critical are mandatory"),
    })
    .describe("A Sparkle appcast"),
  read: readSparkle,
  translate(items, platform, settings) {
    const judged = items.map((item) => ({ item, ...verdictOn(item, platform) }));
    const skipped = judged.flatMap(({ item, reason }) => (reason ? [`${label(item)}: ${reason}`] : []));
    const usable = judged.flatMap(({ item, enclosure }) => (enclosure ? [{ item, enclosure }] : []));
    const best = newest(usable, ({ item }) => item.build);
    // "No release" needs the whole appcast: it has no items, or all of them are plainly for other platforms or channels.
    const isAll = items.length < NEWEST_ITEMS;
    if (!best && isAll && judged.every(({ isForOthers }) => isForOthers)) return noRelease(skipped);
    if (!best) {
      const message = `no item in the appcast has a version and an installer for ${platform}`;
      const why = skipped[0] === undefined ? "" : ` (${skipped[0]})`;
      throw new UpstreamError(`${message}${why}; "${platform}": "none" if it is for other systems only`, { skipped });
    }
    refusePassedOver(best.item, judged, skipped);
    // Each architecture may have its own item for the same build.
    const rivals = usable.filter(({ item }) => compareVersions(item.build, best.item.build) === 0);
    const enclosures = rivals.map(({ enclosure }) => enclosure);
    const choice = chooseEnclosure(enclosures, platform);
    const chosen = choice.file ? settle(choice, platform, "the appcast") : choice.unrecognized;
    const { item, enclosure } = rivals.find(({ enclosure }) => enclosure === chosen?.enclosure) ?? best;
    const isForced = settings.force === "critical";
    if (isForced && item.critical === "versioned") {
      skipped.push(`${label(item)}: critical only for some installed versions; not forced`);
    }
    if (item.areNotesElsewhere) skipped.push(`${label(item)}: its notes are behind a link, which is not followed`);
    return releaseCandidate(platform, {
      version: item.version,
      changelog: notesText(item),
      url: linkFrom(enclosure.url, settings.url),
      size: enclosure.size,
      date: item.date,
      forceUpdate: settings.forceUpdate || (isForced && item.critical === "yes"),
      files: linkedFrom(choice.file ? choice.files : [enclosure], settings.url),
      picked: `${displayName(fileName(enclosure.url))} of ${label(item)}`,
      skipped,
    });
  },
});

/** A document may use any prefix for the namespace. */
const PREFIXES = new Map([["http://www.andymatuschak.org/xml-namespaces/sparkle", "sparkle"]]);
const MAX_ITEMS = 20_000;
/** Only the newest builds are examined; examining thousands would block the process. */
export const NEWEST_ITEMS = 500;

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
  const build = either("sparkle:version");
  const arch = /\barm64\b/.test(textOf(item, "sparkle:hardwareRequirements") ?? "") ? ("arm64" as const) : undefined;
  const [information] = childrenOf(item, "sparkle:informationalUpdate");
  return {
    build,
    version: either("sparkle:shortVersionString") || build,
    channel: textOf(item, "sparkle:channel"),
    date: textOf(item, "pubDate") ?? "",
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
      arch,
      signature: textOf(enclosure, "@sparkle:edSignature") ?? textOf(enclosure, "@sparkle:dsaSignature"),
    })),
  };
}

/** The notes as plain text. They are HTML unless they declare another format, as in Sparkle. */
function notesText({ notes, format }: AppcastItem): string {
  if (format === "markdown") return markdownText(notes);
  return changelogText(format === "plain-text" ? notes : htmlText(notes));
}

function criticality(item: XmlElement): AppcastItem["critical"] {
  const [mark] = childrenOf(item, "sparkle:criticalUpdate");
  if (mark) return textOf(mark, "@sparkle:version") ? "versioned" : "yes";
  const [tags] = childrenOf(item, "sparkle:tags");
  return textOf(tags, "sparkle:criticalUpdate") === undefined ? "no" : "yes";
}

/** Refuses if a later item may be the newest one: the vendor has begun to count anew, or it has no build, or a file of an
 * unknown kind. @throws UpstreamError naming both items. */
function refusePassedOver(
  best: AppcastItem,
  judged: readonly (ItemVerdict & { item: AppcastItem })[],
  skipped: string[],
) {
  const isRestart = restartsAfter(
    dated(best),
    judged.flatMap(({ item, enclosure }) => (enclosure ? [dated(item)] : [])),
  );
  const rival = judged.find(({ item, enclosure, mayBeIt }) => {
    if (dated(item).time <= dated(best).time) return false;
    if (!enclosure) return mayBeIt;
    const isLower = compareVersions(item.build, best.build) < 0;
    return isLower && (compareVersions(item.version, best.version) > 0 || isRestart(dated(item)));
  });
  if (!rival) return;
  const { item, reason = "a lower build" } = rival;
  const message = `${label(item)} came after ${label(best)}, but is passed over: ${reason}; correct it, or leave the older one out`;
  throw new UpstreamError(message, { skipped });
}

function dated({ version, date }: AppcastItem): DatedVersion {
  return { version, time: Date.parse(date) || 0 };
}

type Enclosure = AppcastItem["enclosures"][number];
interface ItemVerdict {
  /** Without an installer, `reason` says why the item was not chosen. */
  enclosure?: Enclosure;
  reason?: string;
  /** True if it is plainly for another platform or channel. */
  isForOthers?: boolean;
  /** True if it may be the newest item all the same. */
  mayBeIt?: boolean;
}

function verdictOn(item: AppcastItem, platform: Platform): ItemVerdict {
  if (item.channel !== undefined) return { reason: "in a channel", isForOthers: true };
  const whole = item.enclosures.filter(({ isDelta }) => !isDelta);
  const ours = whole.filter(({ os }) => isFor(os, platform));
  if (whole.length > 0 && ours.length === 0) return { reason: "for another platform", isForOthers: true };
  if (item.build === "") return { reason: "without a version", mayBeIt: true };
  if (item.isInformation || ours.length === 0) return { reason: "nothing to install" };
  if (item.isForOldSystems) return { reason: "for old systems only" };
  const { file, unrecognized } = chooseEnclosure(ours, platform);
  // Sparkle never looks at the name, so a link without a known ending will do.
  const enclosure = (file ?? unrecognized)?.enclosure;
  return enclosure ? { enclosure } : { reason: `no installer for ${platform}`, mayBeIt: true };
}

function chooseEnclosure(enclosures: Enclosure[], platform: Platform) {
  // Either may name the architecture: `windows-arm64`, `Notes-arm64.exe`.
  const files = enclosures.map((enclosure) => ({
    ...enclosure,
    enclosure,
    name: `${enclosure.os}/${fileName(enclosure.url)}`,
  }));
  return chooseInstaller(files, { platform, acceptsUnmarked: true, acceptsAnyArch: true });
}

/** An enclosure without a system is for the platform that the source is configured for. */
function isFor(os: string, platform: Platform): boolean {
  if (os === "") return true;
  return platform === "windows" ? /^windows\b/i.test(os) : /^(macos|osx|mac)$/i.test(os);
}

function label({ version, build }: AppcastItem): string {
  const name = version === "" ? "an item" : displayName(version);
  return build === version ? name : `${name} (${displayName(build)})`;
}
