// Source `electron-builder`: the update feed that electron-builder writes next to the installers, one per platform.
import * as z from "zod";
import { ownSchedule } from "../../settings/cron.ts";
import { architecture, chooseInstaller, settle } from "../../releases/installer.ts";
import { fetchDocument } from "../fetch-document.ts";
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
import type { Candidate, Source, SourceContext } from "../../source.ts";
import type { Platform } from "../../../snapshots/schema.ts";
import { electronBuilderReader, type ElectronBuilderDocument } from "./read.ts";

export const ElectronBuilderSettings = z
  .strictObject({
    from: z.literal("electron-builder"),
    url: upstreamUrl.describe("URL of the update feed, such as https://dl.acme.com/latest-mac.yml"),
    headers: requestHeaders.optional(),
    arch: architecture,
    forceUpdate,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("latest.yml or latest-mac.yml of electron-builder");
export type ElectronBuilderSettings = z.infer<typeof ElectronBuilderSettings>;

export function openElectronBuilder(
  settings: ElectronBuilderSettings,
  { names, environment, standIns }: SourceContext,
): Source {
  requireOnePlatform("electron-builder", names);
  const headers = secretHeaders(settings.headers ?? {}, environment);
  return releaseSource<ElectronBuilderDocument>("electron-builder", names, {
    fetch: ({ signal, validators }) =>
      fetchDocument(electronBuilderReader, settings.url, {
        signal,
        validators,
        headers,
        standIns,
        deadline: settings.timeout,
      }),
    translate: (document, platform) => translate(document, platform, settings),
  });
}

function translate(
  document: ElectronBuilderDocument,
  platform: Platform,
  { url, arch, forceUpdate }: ElectronBuilderSettings,
): Candidate {
  const listed = document.files?.length ? document.files : [{ url: document.path, size: "" }];
  const files = listed.map((file) => ({ ...file, name: fileName(file.url) }));
  const choice = chooseInstaller(files, { platform, arch, acceptsUnmarked: true });
  // These documents always describe a release: without an installer it is a mistake, never "no release".
  const asset = settle(choice, platform, "the feed");
  const found = {
    version: document.version.replace(/^v(?=\d)/i, ""),
    changelog: changelogOf(document),
    url: linkFrom(asset.url, url),
    size: asset.size,
    date: document.releaseDate,
    forceUpdate,
  };
  const skipped = choice.rejected.map(({ asset: { name }, why }) => `${displayName(name)}: ${why}`);
  return releaseCandidate(platform, found, {
    picked: `${displayName(asset.name)} of ${displayName(document.version)}`,
    skipped,
    architectures: choice.architectures,
  });
}

/** The notes of this version, where there are notes of several. */
function changelogOf({ version, releaseNotes }: ElectronBuilderDocument): string {
  if (typeof releaseNotes === "string") return releaseNotes.trim();
  return releaseNotes.find((notes) => notes.version === version)?.note.trim() ?? "";
}
