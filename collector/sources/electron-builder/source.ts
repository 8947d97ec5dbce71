// Source `electron-builder`: the feed that electron-builder writes beside the installers, one for each platform.
import * as z from "zod";
import { ownSchedule } from "../../settings/cron.ts";
import { architecture, chooseInstaller } from "../../releases/installer.ts";
import type { ElectronFeed } from "./read.ts";
import { fetchFeed } from "../fetch-document.ts";
import {
  fileName,
  forceUpdate,
  linkFrom,
  requireOnePlatform,
  releaseCandidate,
  releaseSource,
  displayName,
} from "../../releases/release.ts";
import { requestHeaders, requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Candidate, Source, SourceContext } from "../../source.ts";
import type { Platform } from "../../../snapshots/schema.ts";

export const ElectronBuilderSettings = z
  .strictObject({
    from: z.literal("electron-builder"),
    url: upstreamUrl.describe("Address of the feed, such as https://dl.acme.com/latest-mac.yml"),
    headers: requestHeaders.optional(),
    arch: architecture,
    forceUpdate,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("latest.yml or latest-mac.yml of electron-builder");
type Settings = z.infer<typeof ElectronBuilderSettings>;

export function openElectronBuilder(settings: Settings, { names, environment, standIns }: SourceContext): Source {
  requireOnePlatform("electron-builder", names);
  const headers = secretHeaders(settings.headers ?? {}, environment);
  return releaseSource<ElectronFeed>("electron-builder", names, {
    async fetch({ signal, validators }) {
      const options = { signal, validators, headers, standIns, deadline: settings.timeout };
      const fetched = await fetchFeed("electron-builder", settings.url, options);
      return fetched === "unchanged" ? fetched : { upstream: fetched.feed, validators: fetched.validators };
    },
    translate: (feed, platform) => translate(feed, platform, settings),
  });
}

function translate(feed: ElectronFeed, platform: Platform, { url, arch, forceUpdate }: Settings): Candidate {
  const listed = feed.files?.length ? feed.files : [{ url: feed.path, size: "" }];
  const files = listed.map((file) => ({ ...file, name: fileName(file.url) }));
  const { asset, rejected } = chooseInstaller(files, { platform, arch, acceptsUnmarked: true });
  // A feed always has a release, so this is a mistake somewhere, never "none".
  if (!asset) throw new UpstreamError(`no file of the feed is known to be an installer for ${platform}; see "arch"`);
  const found = {
    version: feed.version,
    changelog: changelogOf(feed),
    url: linkFrom(asset.url, url),
    size: asset.size,
    date: feed.releaseDate,
    forceUpdate,
  };
  const skipped = rejected.map(({ asset: { name }, why }) => `${displayName(name)}: ${why}`);
  return releaseCandidate(platform, found, {
    picked: `${displayName(asset.name)} of ${displayName(feed.version)}`,
    skipped,
  });
}

/** Of notes for several versions, those of this one. */
function changelogOf({ version, releaseNotes }: ElectronFeed): string {
  if (typeof releaseNotes === "string") return releaseNotes.trim();
  return releaseNotes.find((notes) => notes.version === version)?.note.trim() ?? "";
}
