// Source `sparkle`: an appcast of Sparkle (macOS) or WinSparkle (Windows). Ordered by the number of the build, published
// under the version for people.
import * as z from "zod";
import { ownSchedule } from "../../settings/cron.ts";
import { chooseInstaller } from "../../releases/installer.ts";
import { NEWEST_ITEMS } from "../../parsing/shape.ts";
import type { AppcastItem } from "./read.ts";
import { fetchFeed } from "../fetch-document.ts";
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

export const SparkleSettings = z
  .strictObject({
    from: z.literal("sparkle"),
    url: upstreamUrl.describe("Address of the appcast, such as https://acme.com/appcast.xml"),
    headers: requestHeaders.optional(),
    force: z
      .literal("critical", 'must be "critical"')
      .optional()
      .describe("critical: an update that the appcast marks as critical must be installed"),
    forceUpdate,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("An appcast of Sparkle");
type Settings = z.infer<typeof SparkleSettings>;

export function openSparkle(settings: Settings, { names, environment, standIns }: SourceContext): Source {
  requireOnePlatform("sparkle", names);
  const headers = secretHeaders(settings.headers ?? {}, environment);
  return releaseSource<AppcastItem[]>("sparkle", names, {
    async fetch({ signal, validators }) {
      const options = { signal, validators, headers, standIns, deadline: settings.timeout };
      const fetched = await fetchFeed("sparkle", settings.url, options);
      return fetched === "unchanged" ? fetched : { upstream: fetched.feed, validators: fetched.validators };
    },
    translate: (items, platform) => translate(items, platform, settings),
  });
}

function translate(items: AppcastItem[], platform: Platform, settings: Settings): Candidate {
  const skipped: string[] = [];
  const judged = items.map((item) => ({ item, ...judge(item, platform) }));
  for (const { item, why } of judged) if (why !== undefined) skipped.push(`${label(item)}: ${why}`);
  const usable = judged.flatMap(({ item, enclosure }) => (enclosure ? [{ item, enclosure }] : []));
  const best = newest(usable, ({ item }) => item.build);
  // No item at all, or only such as are plainly for others: the appcast says that there is none. Unless it says more.
  const isAll = items.length < NEWEST_ITEMS;
  if (!best && isAll && judged.every(({ isForOthers }) => isForOthers)) return noRelease(skipped);
  if (!best) throw new UpstreamError(`no item of the appcast has a version and an installer for ${platform}`);
  // One build for each architecture may be an item of its own.
  const rivals = usable.filter(({ item }) => compareVersions(item.build, best.item.build) === 0);
  const wanted = chooseEnclosure(
    rivals.map(({ enclosure }) => enclosure),
    platform,
  );
  return candidate(rivals.find(({ enclosure }) => enclosure === wanted) ?? best, { platform, skipped, settings });
}

function candidate(
  { item, enclosure }: { item: AppcastItem; enclosure: Enclosure },
  { platform, skipped, settings }: { platform: Platform; skipped: string[]; settings: Settings },
): Candidate {
  const { critical } = item;
  const isAsked = settings.force === "critical";
  if (isAsked && critical === "versioned") {
    skipped.push(
      `${label(item)}: critical for some versions only, which cannot be judged without the reader's; not forced`,
    );
  }
  if (item.areNotesElsewhere) skipped.push(`${label(item)}: its notes are behind a link, which is not followed`);
  const found = {
    version: item.version,
    changelog: item.notes,
    url: linkFrom(enclosure.url, settings.url),
    size: enclosure.length,
    date: item.date,
    forceUpdate: settings.forceUpdate || (isAsked && critical === "yes"),
  };
  return releaseCandidate(platform, found, {
    picked: `${displayName(fileName(enclosure.url))} of ${label(item)}`,
    skipped,
  });
}

type Enclosure = AppcastItem["enclosures"][number];
type Judgement =
  | { enclosure: Enclosure; why?: undefined; isForOthers: false }
  | { enclosure?: undefined; why: string; isForOthers: boolean };

function judge(item: AppcastItem, platform: Platform): Judgement {
  const left = (why: string, isForOthers = false): Judgement => ({ why, isForOthers });
  if (item.channel !== undefined) return left("in a channel of its own", true);
  const whole = item.enclosures.filter(({ isDelta }) => !isDelta);
  const ours = whole.filter(({ os }) => isFor(os, platform));
  if (whole.length > 0 && ours.length === 0) return left("for another platform", true);
  if (item.build === "") return left("without a version");
  if (item.isInformation || ours.length === 0) return left("nothing to install");
  if (item.isForOldSystems) return left("for old systems only");
  const enclosure = chooseEnclosure(ours, platform);
  return enclosure ? { enclosure, isForOthers: false } : left(`no installer for ${platform}`);
}

function chooseEnclosure(enclosures: Enclosure[], platform: Platform): Enclosure | undefined {
  // Either may tell the architecture: `windows-arm64`, `Notes-arm64.exe`.
  const files = enclosures.map((enclosure) => ({ enclosure, name: `${enclosure.os}/${fileName(enclosure.url)}` }));
  const { asset, unrecognized } = chooseInstaller(files, { platform, arch: undefined, acceptsUnmarked: true });
  // A link that does not end in a file's name is as good: Sparkle itself never looks at it.
  return (asset ?? unrecognized)?.enclosure;
}

/** Whether an enclosure is for the platform; one that does not say is for the one the appcast is for. */
function isFor(os: string, platform: Platform): boolean {
  if (os === "") return true;
  return platform === "windows" ? /^windows\b/i.test(os) : /^(macos|osx|mac)$/i.test(os);
}

function label({ version, build }: AppcastItem): string {
  const name = version === "" ? "an item" : displayName(version);
  return build === version ? name : `${name} (${displayName(build)})`;
}
