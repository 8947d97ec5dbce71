// Source `sparkle`: an appcast of Sparkle (macOS) or WinSparkle (Windows), which is RSS with elements in Sparkle's namespace.
// Items are ordered by build version and published under the version that users see.
import * as z from "zod";
import { architectureOf, wordsOf, type Architecture } from "../../../../snapshots/processors.ts";
import { firstLines } from "../../../../snapshots/rules.ts";
import type { Platform } from "../../../../snapshots/schema.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { htmlText } from "../html.ts";
import { markdownText } from "../releases/markdown.ts";
import { fileName, type StatedFile } from "../../../parsing/link.ts";
import { changelogText } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import { chooseInstaller, settle } from "../releases/installer.ts";
import { linkedFrom, linkFrom, oneForEachLink } from "../releases/linked-files.ts";
import { noRelease, refuseOtherRelease, releaseCandidate } from "../releases/release.ts";
import { compareVersions, newestFirst, seriesOf, withoutWord } from "../../versions/version.ts";
import { feedKind, feedSettings } from "../kinds.ts";
import { NEWEST_ITEMS, readSparkle, type AppcastItem } from "./appcast.ts";

export const sparkle = feedKind({
  settings: z
    .strictObject({
      from: z.literal("sparkle"),
      ...feedSettings("URL of the appcast, such as https://acme.com/appcast.xml"),
      channel: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe("Channel whose items count, too; by default only items without a channel"),
      pinned: z.boolean().optional().describe("true: newer items in other channels are meant to be left out"),
      force: z
        .literal("critical", 'must be "critical"')
        .optional()
        .describe("critical: updates that the appcast marks as critical are mandatory"),
    })
    .describe("A Sparkle appcast"),
  read: readSparkle,
  translate(items, platform, settings) {
    const judged = newestItemFirst(items.map((item) => ({ item, ...verdictOn(item, platform, settings.channel) })));
    const skipped = judged.flatMap(({ item, reason }) => (reason ? [`${label(item)}: ${reason}`] : []));
    const usable = judged.flatMap((one) => (one.found ? [{ item: one.item, ...one.found }] : []));
    const best = usable.find(({ isForFew }) => !isForFew) ?? usable[0];
    if (!best) return noneOf(judged, skipped, platform);
    refusePassedOver(best.item, judged, skipped);
    const rivals = usable.filter((one) => isSameRelease(one, best, usable));
    const choice = chooseEnclosure(
      rivals.flatMap(({ ours }) => ours),
      platform,
    );
    const chosen = choice.file ? settle(choice, platform, "the appcast") : choice.unrecognized;
    const enclosure = chosen?.enclosure ?? best.enclosure;
    const { item } = rivals.find(({ ours }) => ours.includes(enclosure)) ?? best;
    refuseOtherRelease(enclosure.url, [item.version, item.build]);
    const isForced = settings.force === "critical";
    if (isForced && item.critical === "versioned") {
      skipped.push(`${label(item)}: critical only for some installed versions; not forced`);
    }
    const { channel } = settings;
    const isUnknown = channel !== undefined && items.every((one) => one.channel !== channel);
    const known = [...new Set(items.flatMap((one) => one.channel ?? []))].slice(0, MAX_NAMED);
    const named = known.map((one) => `"${displayName(one)}"`).join(", ");
    if (item.areNotesElsewhere) skipped.push(`${label(item)}: its notes are behind a link, which is not followed`);
    const elsewhere = settings.pinned ? undefined : judged.find((one) => isFinishedElsewhere(one, item));
    return releaseCandidate(platform, {
      ...(elsewhere && { beyond: { release: label(elsewhere.item), setting: "the channels that are asked for" } }),
      version: item.version,
      changelog: notesText(item),
      url: linkFrom(enclosure.url, settings.url),
      size: enclosure.size,
      date: item.date,
      forceUpdate: settings.forceUpdate || (isForced && item.critical === "yes"),
      files: linkedFrom<StatedFile>(choice.file ? choice.files : [enclosure], settings.url),
      picked: `${displayName(fileName(enclosure.url))} of ${label(item)}`,
      skipped,
      passedOver: judged
        .filter((one) => (one.channel ?? one.found?.isForFew) && !rivals.some((own) => own.item === one.item))
        .filter((one) => isNewer(one.item, item))
        .map((one) => `${label(one.item)}: ${one.reason ?? "for another architecture"}`),
      warnings: isUnknown
        ? [
            `no item is in the channel ${JSON.stringify(channel)}: leave it out${named && `, or name one that exists: ${named}`}`,
          ]
        : [],
    });
  },
});

/** The notes as plain text. They are HTML unless they declare another format, as in Sparkle. */
function notesText({ notes, format }: AppcastItem): string {
  if (format === "markdown") return markdownText(notes);
  return changelogText(format === "plain-text" ? notes : htmlText(notes));
}

type Enclosure = AppcastItem["enclosures"][number];

interface Found {
  enclosure: Enclosure;
  /** All that are for the platform. */
  ours: readonly Enclosure[];
  arch: Architecture | "unmarked";
  /** True if the appcast says that it is only for an architecture that most computers do not have. */
  isForFew: boolean;
}

interface Verdict {
  /** Without it, `reason` says why the item was not chosen. */
  found?: Found;
  reason?: string;
  /** True if it is plainly for another platform. */
  isForOthers?: boolean;
  /** The channel that alone keeps it from being chosen. */
  channel?: string;
  /** Tells whether it may be the newest item all the same. */
  mayBeIt?: (item: AppcastItem, best: AppcastItem) => boolean;
}

type Judged = Verdict & { item: AppcastItem };

function verdictOn(item: AppcastItem, platform: Platform, wanted: string | undefined): Verdict {
  const verdict = verdictInChannel(item, platform);
  const { channel } = item;
  if (channel === undefined || channel === wanted || !(verdict.found ?? verdict.mayBeIt)) return verdict;
  return { reason: `in the channel "${displayName(channel)}"`, channel };
}

function verdictInChannel(item: AppcastItem, platform: Platform): Verdict {
  const whole = item.enclosures.filter(({ isDelta }) => !isDelta);
  const ours = whole.filter(({ os }) => os === "" || SYSTEMS[platform].test(os));
  if (whole.length > 0 && ours.length === 0) {
    const isKnown = whole.every(({ os }) => Object.values(SYSTEMS).some((system) => system.test(os)));
    return isKnown
      ? { reason: "for another platform", isForOthers: true }
      : { reason: "for an unknown system", mayBeIt: isNewer };
  }
  if (item.build === "") return { reason: "without a version", mayBeIt: isLater };
  if (item.isForOldSystems) return { reason: "for old systems only" };
  // It announces a version that people get elsewhere.
  if (item.isInformation || ours.length === 0) return { reason: "nothing to install", mayBeIt: isNewer };
  const { file, unrecognized, files } = chooseEnclosure(ours, platform);
  // Sparkle never looks at the name, so a link without a known ending will do.
  const chosen = file ?? unrecognized;
  // A release may have an item for each system, in any order and without a mark.
  if (!chosen) {
    return { reason: noInstaller(platform), mayBeIt: (item, best) => isLater(item, best) && isNewer(item, best) };
  }
  const { enclosure, label } = chosen;
  const isForFew = architectureOf(wordsOf(label)) === RARE[platform];
  return { found: { enclosure, ours, arch: files[0]?.arch ?? "unmarked", isForFew } };
}

/** An enclosure without a system is for the platform that the source is configured for. */
const SYSTEMS: Record<Platform | "other", RegExp> = {
  macos: /^(?:macos|osx|mac)(?![a-z])/i,
  windows: /^windows(?![a-z])/i,
  other: /^(?:linux|android|ios|ipados|tvos|watchos|visionos|freebsd)(?![a-z])/i,
};

const RARE: Record<Platform, Architecture> = { macos: "x64", windows: "arm64" };

function noInstaller(platform: Platform): string {
  return `no installer for ${platform}`;
}

/** The system and the file's name may name the architecture, as in `windows-arm64` and `Notes-arm64.exe`. */
function chooseEnclosure(enclosures: readonly Enclosure[], platform: Platform) {
  const files = enclosures.map((enclosure) => {
    const { url, size, signature, os, arch = "" } = enclosure;
    return { url, size, signature, enclosure, label: `${os} ${arch}`.trim() };
  });
  return chooseInstaller(oneForEachLink(files), { platform, acceptsUnmarked: true, acceptsAnyArch: true });
}

/** By the build, of equal ones by the version that users see. */
function newestItemFirst<T extends { item: AppcastItem }>(judged: readonly T[]): T[] {
  return newestFirst(
    newestFirst(judged, ({ item }) => item.version),
    ({ item }) => item.build,
  );
}

type Usable = Found & { item: AppcastItem };

/** Each architecture may have its own item of a release, with its own build. `usable`: newest first. */
function isSameRelease(one: Usable, best: Usable, usable: readonly Usable[]): boolean {
  const isSame = (of: (item: AppcastItem) => string) => compareVersions(of(one.item), of(best.item)) === 0;
  if (!isSame(({ version }) => withoutWord(version))) return false;
  if (isSame(({ build }) => build)) return true;
  const areMarked = [one, best].every(({ arch }) => arch !== "unmarked" && arch !== "universal");
  return areMarked && one.arch !== best.arch && usable.find(({ arch }) => arch === one.arch) === one;
}

/** "No release" needs the whole appcast: it has no items, or all of them are plainly for other platforms. @throws UpstreamError
 * naming the channels of the items, or the newest one and what it lacks. */
function noneOf(judged: readonly Judged[], skipped: string[], platform: Platform) {
  if (judged.length < NEWEST_ITEMS && judged.every(({ isForOthers }) => isForOthers)) {
    const warnings = judged.length > 0 ? [] : ["the appcast has no items"];
    return { ...noRelease(skipped), warnings };
  }
  const byChannel = new Map<string, AppcastItem>();
  for (const { channel, item } of judged.toReversed()) if (channel !== undefined) byChannel.set(channel, item);
  if (byChannel.size > 0) throw new UpstreamError(inChannels(byChannel, platform), { skipped });
  const isForeign = judged.every(({ isForOthers, reason }) => isForOthers || reason === noInstaller(platform));
  const help = isForeign ? `; "${platform}": "none" if it is for other systems only` : "";
  const why = skipped[0] === undefined ? "" : ` (${skipped[0]})`;
  throw new UpstreamError(`no item in the appcast has a version and an installer for ${platform}${why}${help}`, {
    skipped,
  });
}

/** A newer release may lie in a channel that the settings do not name; a beta there is no release for everyone. */
function isFinishedElsewhere({ channel, item }: Judged, chosen: AppcastItem): boolean {
  return channel !== undefined && !OF_BETAS.test(channel) && isNewer(item, chosen);
}

const MAX_NAMED = 3;
const OF_BETAS =
  /^(?:alpha|beta|rc|pre(?:-?release|view)?|dev|nightl(?:y|ie)|canary|snapshot|test|edge|unstable|experimental|internal|insider|staging|next|tip|early-?access|ea|dogfood)(?:s|ing|elop\w*)?(?![a-z])/i;

/** Names a channel of finished releases before one of betas, and then the one with the newest item. */
function inChannels(byChannel: ReadonlyMap<string, AppcastItem>, platform: Platform): string {
  const channels = newestItemFirst([...byChannel].map(([channel, item]) => ({ channel, item })))
    .toSorted((a, b) => Number(OF_BETAS.test(a.channel)) - Number(OF_BETAS.test(b.channel)))
    .map(({ channel, item }) => `"channel": ${JSON.stringify(displayName(channel))} takes ${label(item)}`);
  return `the items for ${platform} are in channels that are not asked for: ${firstLines(channels, MAX_NAMED).join("; ")}`;
}

/** Refuses if another item may be the newest one: the vendor has begun to count anew, or it has no build, or no file, or one of
 * an unknown kind. @throws UpstreamError naming both items. */
function refusePassedOver(best: AppcastItem, judged: readonly Judged[], skipped: string[]) {
  const isRestart = restartsAfter(
    best,
    judged.flatMap(({ item, found }) => (found ? [item] : [])),
  );
  const rival = judged.find(({ item, found, mayBeIt }) => {
    if (!found) return mayBeIt?.(item, best);
    const isLower = compareVersions(item.build, best.build) < 0;
    return isLower && isLater(item, best) && (compareVersions(item.version, best.version) > 0 || isRestart(item));
  });
  if (!rival) return;
  const { item, reason = "a lower build" } = rival;
  const message = `${label(item)} came after ${label(best)}, but is passed over: ${reason}; correct it, or leave the older one out`;
  throw new UpstreamError(message, { skipped });
}

/** Items of one batch are dated in any order, because generate_appcast dates them by their files. */
const BATCH_MS = 60 * 60_000;

/** Tells a lower version that came later because the vendor counts anew: it goes on with no line of releases that was there. */
function restartsAfter(best: AppcastItem, usable: readonly AppcastItem[]): (later: AppcastItem) => boolean {
  const lineOf = ({ version }: AppcastItem) => {
    const series = seriesOf(version);
    const [, major, minor = "0"] = /(\d+)(?:\.(\d+))?/.exec(version) ?? [];
    return series === seriesOf(best.version) ? `${major}.${minor}` : series;
  };
  const lines = new Set([best, ...usable.filter((item) => isLater(best, item))].map(lineOf));
  return (item) => (item.time ?? 0) - (best.time ?? 0) > BATCH_MS && !lines.has(lineOf(item));
}

/** A date that cannot be read is neither earlier nor later than another. */
function isLater({ time }: AppcastItem, than: AppcastItem): boolean {
  return time !== undefined && than.time !== undefined && time > than.time;
}

/** By the build; by date without one, or with a higher version. */
function isNewer(item: AppcastItem, than: AppcastItem): boolean {
  if (item.build !== "" && compareVersions(item.build, than.build) > 0) return true;
  return isLater(item, than) && (item.build === "" || compareVersions(item.version, than.version) > 0);
}

function label({ version, build }: AppcastItem): string {
  const name = version === "" ? "an item" : displayName(version);
  return build === version ? name : `${name} (${displayName(build)})`;
}
