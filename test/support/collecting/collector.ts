// A collector with real sources: an upstream under the test's control, and a store in a temporary directory.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Outcome } from "../../../collector/outcome.ts";
import { collect, type CollectRun } from "../../../collector/run/collect.ts";
import { rememberUpstreams } from "../../../collector/features/upstream-state/upstream-state.ts";
import type { Fingerprints, OpenMemory } from "../../../collector/hooks.ts";
import { fingerprintsOf, openSources } from "../../../collector/settings.ts";
import type { Source } from "../../../collector/source.ts";
import { PLATFORMS, type PlanNames } from "../../../snapshots/schema.ts";
import { readSnapshot, SYSTEM_CLOCK } from "../../../snapshots/facts.ts";
import { SNAPSHOT_NAMES, type Snapshot, type SnapshotName } from "../../../snapshots/snapshot.ts";
import type { Store } from "../../../snapshots/store.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { temporaryDirectory } from "../directory.ts";
import { partsOf, type PartSettings } from "./parts.ts";
import { json, startUpstream } from "./upstream.ts";
import { factsIn } from "../snapshot.ts";
import { vendorPlans, vendorRelease, vendorReleases } from "./vendor.ts";

interface CollectorOptions {
  /** JSON Pointer for both sources. */
  pick?: string;
  /** Timeout of the separate source of the macOS release, in ms. */
  timeout?: number;
  /** One source for each platform, `/macos` and `/windows`, instead of `/releases`. */
  perPlatform?: boolean;
}

/** The upstream's paths serve the example vendor's documents until the test changes them. */
export async function startCollector({ pick = "", timeout = 20_000, perPlatform = false }: CollectorOptions = {}) {
  const upstream = await startUpstream();
  upstream.set("/plans", json(vendorPlans()));
  upstream.set("/releases", json(vendorReleases()));
  for (const platform of PLATFORMS) upstream.set(`/${platform}`, json(vendorRelease(platform)));
  const directory = await temporaryDirectory();
  const store = openStore(directory);
  const source = (path: string) => ({ from: "json" as const, url: upstream.url(path), pick, timeout: 20_000 });
  const each = { macos: { ...source("/macos"), timeout }, windows: source("/windows") };
  const settings = { plans: source("/plans"), releases: perPlatform ? each : source("/releases") };
  /** What a run needs under these settings with other names of plans. */
  const named = (names: PlanNames) => {
    const withNames = { ...settings, names };
    return {
      sources: openSources(withNames, { directory, environment: {}, file: "vitrine.config.json" }),
      fingerprints: fingerprintsOf(withNames, "this version"),
    };
  };
  const { sources, fingerprints } = named({});
  const run = runnerOf(sources, store, fingerprints);
  return {
    upstream,
    directory,
    store,
    sources,
    named,
    run,
    /** Every snapshot file by name, without the previous copies. */
    files: () => snapshotFiles(directory),
    /** The stored snapshot. @throws Error if it is missing or damaged. */
    async stored(name: SnapshotName): Promise<Snapshot> {
      const read = await readSnapshot(factsIn(store), name);
      if (read.state !== "found" || read.damage !== undefined)
        throw new Error(`${name} is missing or damaged: ${read.damage?.text}`);
      return read.snapshot;
    },
  };
}

const MEMORIES: readonly ((fingerprints: Fingerprints) => OpenMemory)[] = [
  // At most one.
  rememberUpstreams,
];

/** What a run has otherwise, or what the settings of features say. `store`, `now`: short for facts with any belief. */
export type RunChanges = Partial<CollectRun> &
  PartSettings & { store?: Store; now?: () => number; fingerprints?: Fingerprints };

/** Runs the collector once over these sources. Returns the outcomes by snapshot name. */
export function runnerOf(sources: readonly Source[], ownStore: Store, given?: Fingerprints) {
  const same = given ?? new Map(SNAPSHOT_NAMES.map((name) => [name, "these settings"]));
  return async ({ store = ownStore, now, fingerprints = same, ...changes }: RunChanges = {}): Promise<
    Record<SnapshotName, Outcome>
  > => {
    const { signal } = new AbortController();
    const facts = factsIn(store, { clock: { ...SYSTEM_CLOCK, ...(now && { wall: now }) } });
    const memory = MEMORIES[0]?.(fingerprints);
    const always = { sources, facts, memory, staleAfter: 60_000, signal };
    const outcomes = await collect({ ...always, ...partsOf(changes), onOutcome: () => {}, ...changes });
    if (outcomes === "busy") throw new Error("busy");
    return Object.fromEntries(outcomes.map((outcome) => [outcome.name, outcome])) as Record<SnapshotName, Outcome>;
  };
}

export async function snapshotFiles(directory: string): Promise<Record<string, string>> {
  const names = new Set(SNAPSHOT_NAMES.map((name) => `${name}.json`));
  const there = (await readdir(directory)).filter((name) => names.has(name)).toSorted();
  const entries = there.map(async (name) => [name, await readFile(join(directory, name), "utf8")] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Resolves in the next millisecond, so that two runs have different times. */
export async function anotherMillisecond(): Promise<void> {
  const before = Date.now();
  while (Date.now() === before) await new Promise(setImmediate);
}
