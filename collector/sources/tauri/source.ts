// Source `tauri`: latest.json of Tauri's updater, for both platforms or for one.
import * as z from "zod";
import { ownSchedule } from "../../settings/cron.ts";
import { architecture, chooseInstaller } from "../../releases/installer.ts";
import type { TauriFeed } from "./read.ts";
import { fetchFeed } from "../fetch-document.ts";
import {
  fileName,
  forceUpdate,
  linkFrom,
  noRelease,
  releaseCandidate,
  releaseSource,
  displayName,
} from "../../releases/release.ts";
import { requestHeaders, requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Candidate, Source, SourceContext } from "../../source.ts";
import type { Platform } from "../../../snapshots/schema.ts";

export const TauriSettings = z
  .strictObject({
    from: z.literal("tauri"),
    url: upstreamUrl.describe("Address of the feed, such as https://dl.acme.com/latest.json"),
    headers: requestHeaders.optional(),
    arch: architecture,
    forceUpdate,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("latest.json of Tauri's updater");
type Settings = z.infer<typeof TauriSettings>;

/** Targets as Tauri and Rust name them: the system, the architecture, sometimes the kind of installer. */
const SYSTEMS: Record<string, Platform | "other"> = {
  darwin: "macos",
  macos: "macos",
  windows: "windows",
  linux: "other",
  android: "other",
  ios: "other",
};

export function openTauri(settings: Settings, { names, environment, standIns }: SourceContext): Source {
  const headers = { accept: "application/json", ...secretHeaders(settings.headers ?? {}, environment) };
  return releaseSource<TauriFeed>("tauri", names, {
    async fetch({ signal, validators }) {
      const options = { signal, validators, headers, standIns, deadline: settings.timeout };
      const fetched = await fetchFeed("tauri", settings.url, options);
      return fetched === "unchanged" ? fetched : { upstream: fetched.feed, validators: fetched.validators };
    },
    translate: (feed, platform) => translate(feed, platform, { ...settings, isOnly: names.length === 1 }),
  });
}

function translate(feed: TauriFeed, platform: Platform, settings: Settings & { isOnly: boolean }): Candidate {
  const targets = feed.platforms.length > 0 ? feed.platforms : onlyTarget(feed, platform, settings.isOnly);
  const skipped = targets.flatMap(({ target }) => {
    const owner = systemOf(target);
    if (owner === platform) return [];
    return [`${displayName(target)}: ${owner === undefined ? "names no known system" : "for another platform"}`];
  });
  const ours = targets.filter(({ target }) => systemOf(target) === platform);
  if (ours.length === 0 && targets.every(({ target }) => systemOf(target) !== undefined)) return noRelease(skipped);
  // The name of the target tells the architecture, the link's tells what kind of file it is.
  const files = ours.map((file) => ({ ...file, name: `${file.target}/${fileName(file.url)}` }));
  const { asset, rejected } = chooseInstaller(files, { platform, arch: settings.arch, acceptsUnmarked: true });
  if (!asset) throw new UpstreamError(`no file of the feed is known to be an installer for ${platform}; see "arch"`);
  const found = {
    version: feed.version.replace(/^v(?=\d)/i, ""),
    changelog: feed.notes,
    url: linkFrom(asset.url, settings.url),
    size: "",
    date: feed.pub_date,
    forceUpdate: settings.forceUpdate,
  };
  return releaseCandidate(platform, found, {
    picked: `${displayName(asset.name)} of ${displayName(feed.version)}`,
    skipped: [...skipped, ...rejected.map(({ asset: { name }, why }) => `${displayName(name)}: ${why}`)],
  });
}

/** A server's answer for the one target that its address asked for. */
function onlyTarget(feed: TauriFeed, platform: Platform, isOnly: boolean): TauriFeed["platforms"] {
  if (feed.url === "") throw new UpstreamError("a feed of Tauri without a link for any target");
  if (!isOnly) throw new UpstreamError("one link for nobody knows which platform: give each platform its own source");
  return [{ target: platform, url: feed.url }];
}

function systemOf(target: string): Platform | "other" | undefined {
  const system = target.toLowerCase().split("-")[0] ?? "";
  return Object.hasOwn(SYSTEMS, system) ? SYSTEMS[system] : undefined;
}
