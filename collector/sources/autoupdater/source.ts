// Source `autoupdater`: the XML document of AutoUpdater.NET, a library for Windows only.
import * as z from "zod";
import { requestHeaders, requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { installerFor, installerLink, refuseForeign } from "../../releases/installer-link.ts";
import {
  displayName,
  fileName,
  forceUpdate,
  linkFrom,
  releaseCandidate,
  releaseSource,
} from "../../releases/release.ts";
import { compareVersions } from "../../releases/version.ts";
import { ownSchedule } from "../../settings/cron.ts";
import type { Candidate, Source, SourceContext } from "../../source.ts";
import { fetchDocument } from "../fetch-document.ts";
import { autoupdaterReader, type AutoUpdaterDocument } from "./read.ts";

export const AutoUpdaterSettings = z
  .strictObject({
    from: z.literal("autoupdater"),
    url: upstreamUrl.describe("URL of the document, such as https://dl.acme.com/update.xml"),
    headers: requestHeaders.optional(),
    installer: installerLink
      .optional()
      .describe("Link of the installer, in place of the document's link; {version} stands for the version"),
    forceUpdate,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("The XML document of AutoUpdater.NET, for Windows");
export type AutoUpdaterSettings = z.infer<typeof AutoUpdaterSettings>;

export function openAutoUpdater(
  settings: AutoUpdaterSettings,
  { names, environment, standIns }: SourceContext,
): Source {
  if (names.includes("release-macos")) {
    throw new Error('a source of kind "autoupdater" provides releases for Windows: use { "macos": …, "windows": … }');
  }
  const { url, timeout: deadline } = settings;
  const headers = secretHeaders(settings.headers ?? {}, environment);
  return releaseSource<AutoUpdaterDocument>("autoupdater", names, {
    fetch: ({ signal, validators }) =>
      fetchDocument(autoupdaterReader, url, { signal, validators, headers, standIns, deadline }),
    translate: (document) => translate(document, settings),
  });
}

function translate({ item }: AutoUpdaterDocument, settings: AutoUpdaterSettings): Candidate {
  const { version, changelog, mandatory } = item;
  const label = displayName(version);
  const isForAll = mandatory.minVersion === "" || compareVersions(mandatory.minVersion, version) >= 0;
  const skipped: string[] = [];
  if (mandatory.isSet && !isForAll) {
    skipped.push(`${label}: mandatory only below ${displayName(mandatory.minVersion)}; not forced`);
  }
  if (changelog) skipped.push(`${label}: its changelog is behind a link, which is not followed`);
  const { installer } = settings;
  const link = installer === undefined ? item.url : installerFor(installer, version);
  // The document is for Windows and its link for an updater: any name will do that marks nothing else.
  refuseForeign(link, "windows", installer === undefined ? "the document" : "the settings");
  const found = {
    version,
    changelog: "",
    url: linkFrom(link, settings.url),
    size: "",
    date: "",
    forceUpdate: settings.forceUpdate || (mandatory.isSet && isForAll),
  };
  return releaseCandidate("windows", found, { picked: `${displayName(fileName(link))} of ${label}`, skipped });
}
