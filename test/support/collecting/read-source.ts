// Reads one document through a source, as a run does, without a store.
import { openSource, SourceSettings } from "../../../collector/sources/sources.ts";
import { find } from "../../../collector/run/ask.ts";
import type { Platform, Release } from "../../../snapshots/schema.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { startUpstream, type Behaviour } from "./upstream.ts";

interface Reading {
  name?: SnapshotName;
  /** Of the document at the upstream. */
  path?: string;
  environment?: Record<string, string>;
}

/** The fact after the gate and how it was chosen. `settings`: of the source, without its `url`. @throws UpstreamError */
export async function readSource(
  settings: object,
  answer: Behaviour,
  { name = "release-macos", path = "/app/feed", environment = {} }: Reading = {},
) {
  const upstream = await startUpstream();
  upstream.set(path.replace(/\?.*$/, ""), answer);
  const source = openSource(SourceSettings.parse({ ...settings, url: upstream.url(path) }), {
    names: [name],
    directory: "",
    environment,
  });
  const fetched = await source.fetch({ signal: new AbortController().signal, validators: undefined });
  if (fetched === "unchanged") throw new Error(fetched);
  const { fact, ...found } = find(source, name, fetched);
  const { payload } = fact;
  const latest: Release | undefined = "latest" in payload ? payload.latest : undefined;
  return { ...found, payload, latest, origin: upstream.origin };
}

/** The payload of a release with this version and link, without notes, size and date but for `more`. */
export function payloadOf(platform: Platform, version: string, downloadURL: string, more: Partial<Release> = {}) {
  const latest = { platform, version, changelog: "", downloadURL, size: "", date: "", ...more };
  return { hasUpdate: true, forceUpdate: false, latest };
}
