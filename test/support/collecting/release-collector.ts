// A collector of releases: an upstream under the test's control, and settings as a vendor writes them.
import { expect } from "vitest";
import type { Outcome } from "../../../collector/outcome.ts";
import { openSources, sourcesOf } from "../../../collector/settings.ts";
import type { Candidate, Source } from "../../../collector/source.ts";
import { Settings } from "../../../cli/settings/schema.ts";
import type { Platform } from "../../../snapshots/schema.ts";
import { releaseName } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { runnerOf, snapshotFiles } from "./collector.ts";
import { temporaryDirectory } from "../directory.ts";
import { json, startUpstream, type Behaviour, type Upstream } from "./upstream.ts";
import { vendorPlans } from "./vendor.ts";

/** `releases`: makes that part of the settings, once the upstream's address is known. */
export async function startReleaseCollector(
  releases: (upstream: Upstream) => object,
  { environment = {}, paths = {} }: { environment?: Record<string, string>; paths?: Record<string, Behaviour> } = {},
) {
  const upstream = await startUpstream();
  upstream.set("/plans", json(vendorPlans()));
  for (const [path, behaviour] of Object.entries(paths)) upstream.set(path, behaviour);
  const directory = await temporaryDirectory();
  const plans = { from: "json", url: upstream.url("/plans") };
  const settings = Settings.parse({ plans, releases: releases(upstream) });
  const sources = openSources(settings, { directory, environment, file: "vitrine.config.json" });
  const collect = runnerOf(sources, openStore(directory));
  return {
    upstream,
    sources,
    settings: sourcesOf(settings),
    /** Runs once. Returns both releases' outcomes, and all text that was written or reported. */
    async run() {
      const outcomes = await collect();
      for (const outcome of Object.values(outcomes)) {
        if ("reason" in outcome) expect(outcome.reason).toMatch(/^(?!internal error)[\x20-\x7e]{8,400}$/);
      }
      const { "release-macos": macos, "release-windows": windows } = outcomes;
      const files = await snapshotFiles(directory);
      return { macos, windows, all: JSON.stringify([outcomes, files]) };
    },
    /** The source's candidate for a platform, with the files that it picked and skipped. */
    async explain(platform: Platform): Promise<Candidate> {
      const name = releaseName(platform);
      const source = sources.find(({ names }) => names.includes(name)) as Source;
      const answer = await source.fetch({ signal: new AbortController().signal, validators: undefined });
      if (answer === "unchanged") throw new Error(answer);
      const candidate = source.translate(answer.upstream, name);
      expect(JSON.stringify(candidate.skipped ?? []).length).toBeLessThan(20_000);
      return candidate;
    },
  };
}

/** The published payload, or the reason for its absence. */
export function payloadOrReason(outcome: Outcome | undefined): unknown {
  if (!outcome) throw new Error("no outcome");
  return "payload" in outcome ? outcome.payload : outcome.reason;
}

/** The published release. @throws Error if there is none. */
export function publishedRelease(outcome: Outcome | undefined) {
  if (!outcome || !("payload" in outcome) || !("latest" in outcome.payload)) {
    throw new Error(`not published: ${JSON.stringify(outcome)}`);
  }
  return outcome.payload.latest;
}
