// Source `sparkle`: an appcast of Sparkle (macOS) or WinSparkle (Windows). Items are ordered by build version and
// published under the version that users see.
import * as z from "zod";
import { ownSchedule } from "../../settings/cron.ts";
import { chooseInstaller, settle, type OtherArchitecture } from "../../releases/installer.ts";
import { NEWEST_ITEMS } from "../../parsing/shape.ts";
import { fetchDocument } from "../fetch-document.ts";
import {
  fileName,
  forceUpdate,
  linkFrom,
  noRelease,
  requireOnePlatform,
  releaseCandidate,
  releaseSource,
  displayName,
} from "../../releases/release.ts";
import { requestHeaders, requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Candidate, Source, SourceContext } from "../../source.ts";
import { compareVersions, newest } from "../../releases/version.ts";
import type { Platform } from "../../../snapshots/schema.ts";
import { sparkleReader, type AppcastItem } from "./read.ts";

export const SparkleSettings = z
  .strictObject({
    from: z.literal("sparkle"),
    url: upstreamUrl.describe("URL of the appcast, such as https://acme.com/appcast.xml"),
    headers: requestHeaders.optional(),
    force: z
      .literal("critical", 'must be "critical"')
      .optional()
      .describe("critical: updates that the appcast marks as critical are mandatory"),
    forceUpdate,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("A Sparkle appcast");
export type SparkleSettings = z.infer<typeof SparkleSettings>;

export function openSparkle(settings: SparkleSettings, { names, environment, standIns }: SourceContext): Source {
  requireOnePlatform("sparkle", names);
  const headers = secretHeaders(settings.headers ?? {}, environment);
  return releaseSource<AppcastItem[]>("sparkle", names, {
    fetch: ({ signal, validators }) =>
      fetchDocument(sparkleReader, settings.url, { signal, validators, headers, standIns, deadline: settings.timeout }),
    translate: (items, platform) => translate(items, platform, settings),
  });
}

function translate(items: AppcastItem[], platform: Platform, settings: SparkleSettings): Candidate {
  const skipped: string[] = [];
  const judged = items.map((item) => ({ item, ...judge(item, platform) }));
  for (const { item, why } of judged) if (why !== undefined) skipped.push(`${label(item)}: ${why}`);
  const usable = judged.flatMap(({ item, enclosure }) => (enclosure ? [{ item, enclosure }] : []));
  const best = newest(usable, ({ item }) => item.build);
  // "No release" needs the whole appcast: it has no items, or all of them are plainly for other platforms or channels.
  const isAll = items.length < NEWEST_ITEMS;
  if (!best && isAll && judged.every(({ isForOthers }) => isForOthers)) return noRelease(skipped);
  if (!best) throw refusal(platform, skipped);
  // Each architecture may have its own item for the same build.
  const rivals = usable.filter(({ item }) => compareVersions(item.build, best.item.build) === 0);
  const choice = chooseEnclosure(
    rivals.map(({ enclosure }) => enclosure),
    platform,
  );
  const chosen = choice.asset ? settle(choice, platform, "the appcast") : choice.unrecognized;
  const rival = rivals.find(({ enclosure }) => enclosure === chosen?.enclosure) ?? best;
  const architectures = choice.architectures;
  return candidate(rival, { platform, skipped, architectures, settings });
}

function refusal(platform: Platform, skipped: string[]): UpstreamError {
  const [first] = skipped;
  const why = first === undefined ? "" : ` (${first})`;
  const help = `"${platform}": "none" if it is for other systems only`;
  return new UpstreamError(`no item in the appcast has a version and an installer for ${platform}${why}; ${help}`, {
    skipped,
  });
}

interface Circumstances {
  platform: Platform;
  skipped: string[];
  architectures: OtherArchitecture[];
  settings: SparkleSettings;
}

function candidate(
  { item, enclosure }: { item: AppcastItem; enclosure: Enclosure },
  { platform, skipped, architectures, settings }: Circumstances,
): Candidate {
  const { critical } = item;
  const isForced = settings.force === "critical";
  if (isForced && critical === "versioned") {
    skipped.push(`${label(item)}: critical only for some installed versions; not forced`);
  }
  if (item.areNotesElsewhere) skipped.push(`${label(item)}: its notes are behind a link, which is not followed`);
  const found = {
    version: item.version,
    changelog: item.notes,
    url: linkFrom(enclosure.url, settings.url),
    size: enclosure.length,
    date: item.date,
    forceUpdate: settings.forceUpdate || (isForced && critical === "yes"),
  };
  return releaseCandidate(platform, found, {
    picked: `${displayName(fileName(enclosure.url))} of ${label(item)}`,
    skipped,
    architectures,
  });
}

type Enclosure = AppcastItem["enclosures"][number];
type ItemVerdict =
  | { enclosure: Enclosure; why?: undefined; isForOthers: false }
  | { enclosure?: undefined; why: string; isForOthers: boolean };

function judge(item: AppcastItem, platform: Platform): ItemVerdict {
  const leave = (why: string, isForOthers = false): ItemVerdict => ({ why, isForOthers });
  if (item.channel !== undefined) return leave("in a channel", true);
  const whole = item.enclosures.filter(({ isDelta }) => !isDelta);
  const ours = whole.filter(({ os }) => isFor(os, platform));
  if (whole.length > 0 && ours.length === 0) return leave("for another platform", true);
  if (item.build === "") return leave("without a version");
  if (item.isInformation || ours.length === 0) return leave("nothing to install");
  if (item.isForOldSystems) return leave("for old systems only");
  const { asset, unrecognized } = chooseEnclosure(ours, platform);
  // Sparkle never looks at the name, so a link without a known ending will do.
  const enclosure = (asset ?? unrecognized)?.enclosure;
  return enclosure ? { enclosure, isForOthers: false } : leave(`no installer for ${platform}`);
}

function chooseEnclosure(enclosures: Enclosure[], platform: Platform) {
  // Either may name the architecture: `windows-arm64`, `Notes-arm64.exe`.
  const files = enclosures.map((enclosure) => ({ enclosure, name: `${enclosure.os}/${fileName(enclosure.url)}` }));
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
